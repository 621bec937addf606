// A stage of what a view shows: a slot, and the place in Results where what it holds is shown.
// Every stage can be stopped, dropped, made again and asked whether it is working, whatever it
// makes.
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/results.h"
#include "app/gui/jobs/frame_gate.h"
#include "app/gui/jobs/slot.h"

#include <span>

namespace attention::gui {

// What stages work with in a frame.
struct Asking {
  JobPool& pool;
  const Scene& scene;
  const Hover& hover;
  bool lengthsKnown = true; // else the input that gives them is still loading, or they are refused
  Deadline patience;
  // Keeps timing samples apart from frames of the window; null: nothing does.
  std::shared_ptr<FrameGate> gate = {};
};

class AnyStage {
public:
  AnyStage() = default;
  AnyStage(const AnyStage&) = delete;
  AnyStage& operator=(const AnyStage&) = delete;
  virtual ~AnyStage() = default;

  virtual void halt() = 0;  // ends its job: its value is older than what is requested
  virtual void drop() = 0;  // forgets everything
  virtual void renew() = 0; // makes what is requested again
  virtual void retry() = 0; // makes what was stopped again
  virtual bool works() const = 0;

  struct State {
    bool there = false;
    bool stale = false;
    bool pending = false;
    bool stopped = false;
  };
  virtual State state() const = 0;
};

// The first stage of what is shown that was stopped; none if one of them is being made again, or
// where an error stands in the picture's place.
inline std::optional<StoppedPart> stoppedPart(const ShownState& shown,
                                              std::span<AnyStage* const> stages) {
  if (isError(shown.problem))
    return std::nullopt;
  std::optional<StoppedPart> first;
  for (const AnyStage* stage : stages) {
    const AnyStage::State state = stage->state();
    if (state.pending)
      return std::nullopt;
    if (state.stopped && !first)
      first = StoppedPart{state.there, state.stale};
  }
  return first;
}

// A T made from a Key; keys are equal where their results are.
template <class Key, class T>
class StageOf final : public AnyStage {
public:
  explicit StageOf(Latest<T>& shown) : shown_(shown) {}

  // `make` returns a T for the key; it and `makeInParts`, which publishes parts along the way, own
  // copies of what they read.
  void ask(const Asking& asking, const std::string& label, const Key& key,
           const std::function<T(const Key&, const Run&)>& make) {
    shown_ = slot_.ask(
        asking.pool, label, key,
        [make, key](const Run& run) { return std::make_shared<const T>(make(key, run)); },
        asking.patience);
  }
  void askShared(const Asking& asking, const std::string& label, const Key& key,
                 const typename Slot<Key, T>::Make& make) {
    shown_ = slot_.ask(asking.pool, label, key, make, asking.patience);
  }
  void askInParts(const Asking& asking, const std::string& label, const Key& key,
                  const typename Slot<Key, T>::MakeInParts& makeInParts) {
    shown_ = slot_.askInParts(asking.pool, label, key, makeInParts, asking.patience);
  }
  // Takes what a job has left while nothing is requested.
  void takeEnded() {
    slot_.takeEnded();
    shown_.pending = slot_.pending();
  }
  // Ends the job; the value stays unchanged.
  void stop() { slot_.stop(); }
  Slot<Key, T>& slot() { return slot_; }

  void halt() override {
    slot_.stop();
    outdate(shown_);
  }
  void drop() override {
    slot_.drop();
    shown_ = {};
  }
  void renew() override { slot_.renew(); }
  void retry() override { slot_.retry(); }
  bool works() const override { return slot_.pending(); }
  State state() const override {
    return {shown_.value != nullptr, shown_.stale, shown_.pending, isStopped(shown_.problem)};
  }

private:
  Latest<T>& shown_;
  Slot<Key, T> slot_;
};

} // namespace attention::gui
