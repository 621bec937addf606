#include "core/input/assets.h"

#include "core/support/error.h"
#include "core/support/names.h"

#include <algorithm>
#include <vector>

namespace attention {
namespace {

namespace fs = std::filesystem;

fs::path executableFolder() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  return code ? fs::current_path() : self.parent_path();
}

} // namespace

fs::path assetFolder() {
  const fs::path here = executableFolder();
  for (const char* place : {"../share/attention-explorer", "share/attention-explorer", "assets",
                            "../assets", "../../assets"}) {
    std::error_code code;
    if (fs::is_directory(here / place / "samples", code))
      return (here / place).lexically_normal();
  }
  throw Error(ErrorCode::Io, "assets",
              "the folder of the bundled samples is missing; expected beside " + here.string());
}

fs::path samplePath(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(assetFolder() / "samples")) {
    if (entry.path().extension() != ".safetensors")
      continue;
    if (entry.path().stem() == name || entry.path().filename() == name)
      return entry.path();
    known.push_back(entry.path().stem().string());
  }
  std::sort(known.begin(), known.end());
  std::string list;
  for (const std::string& sample : known)
    list += (list.empty() ? "" : ", ") + sample;
  throw Error(ErrorCode::Unknown, name,
              "sample \"" + name + "\" is unknown" + nearestHint(name, known) +
                  "; it must be one of " + list);
}

} // namespace attention
