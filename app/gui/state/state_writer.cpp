#include "app/gui/state/state_writer.h"

#include "app/gui/state/state_folder.h"
#include "core/support/error.h"

namespace attention::gui {

StateWriter::StateWriter(StatePlace place)
    : place_(std::move(place)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

void StateWriter::write(const Scene& scene, const UiState& ui) {
  if (place_.folder.empty())
    return;
  const std::scoped_lock lock(mutex_);
  waiting_ = State{scene, ui};
  changed_.notify_all();
}

void StateWriter::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !waiting_ && !writing_; });
}

void StateWriter::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return waiting_.has_value(); })) {
    const State state = std::move(*waiting_);
    waiting_.reset();
    writing_ = true;
    lock.unlock();
    try {
      saveState(place_, state.scene, state.ui);
    } catch (const Error&) {
      // Failing to remember something must not block the user.
    }
    lock.lock();
    writing_ = false;
    changed_.notify_all();
  }
}

} // namespace attention::gui
