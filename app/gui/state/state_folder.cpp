#include "app/gui/state/state_folder.h"

#include "core/input/mapped_file.h"
#include "core/input/replace_file.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <ostream>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

constexpr int kMostWindows = 64;
constexpr int kMostKept = 9; // damaged files of one name

fs::path folderOf(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? fs::path(value) : fs::path();
}

// "scene.json" of the first window, "scene-2.json" of the second.
std::string numbered(const std::string& stem, int number) {
  return stem + (number == 1 ? "" : "-" + std::to_string(number)) + ".json";
}

// Moves the content of `file` to another name beside it: "scene.damaged.json",
// "scene.damaged-2.json" …; of more than nine the last one is lost. Empty if the file could not
// be moved.
fs::path keepBeside(const fs::path& file) {
  fs::path kept;
  std::error_code code;
  for (int k = 1; k <= kMostKept; ++k) {
    kept = file.parent_path() / numbered(file.stem().string() + ".damaged", k);
    if (!fs::exists(kept, code))
      break;
  }
  fs::rename(file, kept, code);
  return code ? fs::path() : kept;
}

// Reads `own` if it exists, else the first window's file. An own file that cannot be read is kept
// beside, and `problems` says so.
template <class Read>
void readState(const fs::path& own, const fs::path& firsts, const char* what,
               std::vector<std::string>& problems, const Read& read) {
  std::error_code code;
  const fs::path file = fs::exists(own, code) ? own : firsts;
  if (!fs::exists(file, code))
    return;
  try {
    read(file);
  } catch (const Error& error) {
    const fs::path kept = file == own ? keepBeside(file) : fs::path();
    problems.push_back(std::string("The last ") + what + " could not be read: " + error.what() +
                       (kept.empty() ? "" : ". It is kept as " + kept.string()));
  }
}

UiState readWindow(const fs::path& file) {
  const nlohmann::ordered_json json = parseJson(textOfFile(file), file.filename().string());
  if (!json.is_object())
    throw Error(ErrorCode::Type, file.string(),
                file.filename().string() + " is not an object; it must be one");
  return uiStateFromJson(json);
}

// Makes the folder; why nothing can be written there, or nothing.
std::string problemOf(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code && ::access(folder.c_str(), W_OK | X_OK) != 0)
    code = {errno, std::generic_category()};
  return code ? "The window's state will not be kept: cannot write " + folder.string() + ": " +
                    code.message()
              : std::string();
}

// A file that is locked while a window has this place; -1 where none can be opened.
int lockFile(const fs::path& folder, int window) {
  const fs::path file = folder / ("window-" + std::to_string(window) + ".lock");
  return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

// Whether a window holds the place; takes the lock where none does. On file systems without locks
// every place counts as free.
bool isHeld(int lock) {
  return lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool isHeld(const StatePlace& place) {
  const int lock = lockFile(place.folder, place.window);
  const bool held = isHeld(lock);
  if (lock >= 0)
    ::close(lock);
  return held;
}

// Scenes of later windows that are no longer open, newer than its own.
std::vector<fs::path> newerScenes(const StatePlace& place) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code code;
  const fs::file_time_type own = fs::last_write_time(place.sceneFile(), code);
  const bool any = !code;
  for (int window = place.window + 1; window <= kMostWindows; ++window) {
    const StatePlace other{place.folder, window};
    const fs::file_time_type written = fs::last_write_time(other.sceneFile(), code);
    if (!code && (!any || written > own) && !isHeld(other))
      found.emplace_back(written, other.sceneFile());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> files;
  files.reserve(found.size());
  for (const auto& [written, file] : found)
    files.push_back(file);
  return files;
}

} // namespace

fs::path userStateFolder() {
  if (const fs::path state = folderOf("XDG_STATE_HOME"); !state.empty())
    return state / "attention-explorer";
  if (const fs::path home = folderOf("HOME"); !home.empty())
    return home / ".local" / "state" / "attention-explorer";
  return {};
}

fs::path StatePlace::sceneFile() const {
  return folder / numbered("scene", window);
}

fs::path StatePlace::windowFile() const {
  return folder / numbered("window", window);
}

HeldPlace::HeldPlace(const fs::path& folder) : place_{folder} {
  if (folder.empty())
    return;
  problem_ = problemOf(folder);
  for (; place_.window <= kMostWindows; ++place_.window) {
    lock_ = lockFile(folder, place_.window);
    if (!isHeld(lock_))
      return;
    ::close(lock_);
    lock_ = -1;
  }
  place_ = {};
}

HeldPlace::~HeldPlace() {
  if (lock_ >= 0)
    ::close(lock_); // which gives the lock back
}

SavedState loadState(const StatePlace& place) {
  SavedState state;
  if (place.folder.empty())
    return state;
  const StatePlace first{place.folder, 1};
  readState(place.windowFile(), first.windowFile(), "window settings", state.problems,
            [&](const fs::path& file) { state.ui = readWindow(file); });
  readState(place.sceneFile(), first.sceneFile(), "scene", state.problems,
            [&](const fs::path& file) { state.scene = readScene(file).scene; });
  state.others = newerScenes(place);
  return state;
}

void saveState(const StatePlace& place, const Scene& scene, const UiState& ui) {
  std::error_code code;
  fs::create_directories(place.folder, code); // replaceFile says so where that failed
  writeScene(scene, place.sceneFile());
  replaceFile(place.windowFile(), [&](std::ostream& out) { out << toJson(ui).dump(2) << '\n'; });
}

} // namespace attention::gui
