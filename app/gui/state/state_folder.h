// Where the window's last state is kept between two starts: XDG_STATE_HOME/attention-explorer, or
// ~/.local/state/attention-explorer; nowhere where neither XDG_STATE_HOME nor HOME is set.
//
// Two windows at once write into files of their own: the first has scene.json and window.json, the
// second scene-2.json and window-2.json, and so on. A window holds its place (a lock that ends with
// the process, however that ends) while it is open, and a new window takes the first free place.
#pragma once

#include "app/gui/state/ui_state.h"
#include "core/scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// Empty if there is none.
std::filesystem::path userStateFolder();

// Which files of the folder are a window's own: 1 is the first window's.
struct StatePlace {
  std::filesystem::path folder; // empty: nothing is read or written
  int window = 1;

  std::filesystem::path sceneFile() const;
  std::filesystem::path windowFile() const;
};

// The first place in a folder that no other window holds, from construction to destruction.
class HeldPlace {
public:
  // Makes the folder. An empty folder name gives an empty place; so does a folder with 64 open
  // windows.
  explicit HeldPlace(const std::filesystem::path& folder);
  ~HeldPlace();
  HeldPlace(HeldPlace&&) = delete;

  const StatePlace& place() const { return place_; }
  // A sentence where nothing can be written there; else empty.
  const std::string& problem() const { return problem_; }

private:
  StatePlace place_;
  std::string problem_;
  int lock_ = -1;
};

struct SavedState {
  std::optional<Scene> scene;
  UiState ui;
  // Sentences about what could not be read, and where that is kept.
  std::vector<std::string> problems;
  // Scenes that other windows left, newer than this one's, the newest first.
  std::vector<std::filesystem::path> others;
};

// What is stored at `place`; where a window after the first has left nothing yet, the first one's
// state; defaults for the rest. A file that cannot be read costs nothing else, and is kept beside
// under another name, so that the next save does not overwrite it.
SavedState loadState(const StatePlace& place);

// Error Io where the folder cannot be written.
void saveState(const StatePlace& place, const Scene& scene, const UiState& ui);

} // namespace attention::gui
