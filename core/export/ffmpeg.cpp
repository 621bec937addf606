#include "core/export/ffmpeg.h"

#include "core/input/replace_file.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" char** environ; // POSIX: the program's own

namespace attention {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook{20}; // between checks of the running program
constexpr const char* kFilm = "25"; // pictures per second of an MP4: players need this many

// A running program; killed if abandoned before its end.
class Child {
public:
  Child(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& said) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, stream, said.c_str(),
                                       O_WRONLY | O_CREAT | O_APPEND, 0600);
    std::string name = program.string();
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers{name.data()};
    for (std::string& word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int code =
        posix_spawn(&process_, program.c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0)
      throw Error(ErrorCode::Io, program.string(), program.string() + " could not be started");
  }
  Child(Child&&) = delete;
  ~Child() {
    if (ended_)
      return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  // Whether it succeeded. Stopped.
  bool wait(const Run& run) {
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      run.check();
      std::this_thread::sleep_for(kLook);
    }
    ended_ = true;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

private:
  pid_t process_ = 0;
  bool ended_ = false;
};

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

// The program's last message, which sums up the earlier ones, without "[part @ address]".
std::string lastWords(const fs::path& said) {
  std::ifstream stream(said);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!trimmed(line).empty())
      last = line;
  if (last.starts_with('['))
    last.erase(0, last.find(']') + 1);
  return last.empty() ? "it ended without a message" : excerpt(trimmed(last));
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
    Child child(program, argumentsFor(folder, temporary, perSecond, still), said);
    if (!child.wait(run))
      throw Error(ErrorCode::Io, path.string(),
                  path.string() + ": ffmpeg failed: " + lastWords(said));
  });
}

} // namespace attention
