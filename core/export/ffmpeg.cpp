#include "core/export/ffmpeg.h"

#include "core/input/replace_file.h"
#include "core/support/error.h"
#include "core/support/program.h"
#include "core/support/text.h"

#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace attention {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFilm = "25"; // pictures per second of an MP4: players need this many

std::vector<std::string> argumentsFor(const fs::path& folder, const fs::path& out, double perSecond,
                                      double still) {
  const std::string stay = "tpad=stop_mode=clone:stop_duration=" + fixed(still, 3);
  std::vector<std::string> arguments{"-y",
                                     "-loglevel",
                                     "error",
                                     "-framerate",
                                     fixed(perSecond, 4),
                                     "-i",
                                     (folder / "frame-%05d.png").string()};
  const auto add = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  // Colours that every player knows come in pairs of pixels.
  add({"-vf", stay + ",pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-r", kFilm, "-pix_fmt",
       "yuv420p", "-movflags", "+faststart", out.string()});
  return arguments;
}

} // namespace

std::optional<fs::path> findFfmpeg() {
  const char* found = std::getenv("PATH");
  const std::string_view folders(found ? found : "");
  for (const std::string_view folder : split(folders, ':')) {
    const fs::path file = fs::path(folder) / "ffmpeg";
    if (::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return std::nullopt;
}

fs::path requireFfmpeg(const fs::path& path) {
  if (const auto found = findFfmpeg())
    return *found;
  throw Error(ErrorCode::Unsupported, path.string(),
              path.string() +
                  " needs ffmpeg, which was not found; without it, write a .gif, an animated "
                  ".png or a folder of numbered pictures");
}

void encodeFrames(const fs::path& folder, const fs::path& path, double perSecond, double still,
                  const Run& run) {
  const fs::path program = requireFfmpeg(path);
  const fs::path said = folder / "said.txt";
  replaceFileByName(path, [&](const fs::path& temporary) {
    if (!runProgram(program, argumentsFor(folder, temporary, perSecond, still), said, run))
      throw Error(ErrorCode::Io, path.string(),
                  path.string() + ": ffmpeg failed: " + lastWords(said));
  });
}

} // namespace attention
