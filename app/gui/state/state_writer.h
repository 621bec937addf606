// Writes the window's state off the drawing thread, since disks can be slow. Of several waiting
// states, the newest is written.
#pragma once

#include "app/gui/state/state_folder.h"
#include "app/gui/state/ui_state.h"
#include "core/scene/scene.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace attention::gui {

class StateWriter {
public:
  // A place without a folder: nothing is ever written.
  explicit StateWriter(StatePlace place);
  // What is waiting is written first.
  ~StateWriter() { wait(); }
  StateWriter(StateWriter&&) = delete;

  bool writes() const { return !place_.folder.empty(); }
  void write(const Scene& scene, const UiState& ui);
  // Sleeps until nothing is waiting or being written.
  void wait();

private:
  struct State {
    Scene scene;
    UiState ui;
  };
  void work(const std::stop_token& stop);

  StatePlace place_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<State> waiting_;
  bool writing_ = false;
  std::jthread thread_; // last: its destructor joins
};

} // namespace attention::gui
