#include "app/gui/state/state_folder.h"

#include "core/input/mapped_file.h"
#include "core/input/replace_file.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <ostream>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSceneFile = "scene.json";
constexpr const char* kUiFile = "window.json";

fs::path folderOf(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? fs::path(value) : fs::path();
}

} // namespace

fs::path userStateFolder() {
  if (const fs::path state = folderOf("XDG_STATE_HOME"); !state.empty())
    return state / "attention-explorer";
  if (const fs::path home = folderOf("HOME"); !home.empty())
    return home / ".local" / "state" / "attention-explorer";
  return {};
}

SavedState loadState(const fs::path& folder) {
  SavedState state;
  std::error_code code;
  if (folder.empty())
    return state;
  try {
    if (fs::exists(folder / kUiFile, code))
      state.ui = uiStateFromJson(parseJson(textOfFile(folder / kUiFile), kUiFile));
    if (fs::exists(folder / kSceneFile, code))
      state.scene = readScene(folder / kSceneFile).scene;
  } catch (const Error& error) {
    state.problem = error.what();
  }
  return state;
}

void saveState(const fs::path& folder, const Scene& scene, const UiState& ui) {
  std::error_code code;
  fs::create_directories(folder, code); // replaceFile says so where that failed
  writeScene(scene, folder / kSceneFile);
  replaceFile(folder / kUiFile, [&](std::ostream& out) { out << toJson(ui).dump(2) << '\n'; });
}

} // namespace attention::gui
