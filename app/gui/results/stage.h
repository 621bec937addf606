// A stage of what a view shows: a slot, and the place in Results where what it holds is shown.
// Every stage can be stopped, dropped, made again and asked whether it is working, whatever it
// makes.
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/results.h"
#include "app/gui/jobs/frame_gate.h"
#include "app/gui/jobs/slot.h"

#include <span>
#include <tuple>

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
  // Drops what is not read; returns whether it is.
  bool keepIf(bool read) {
    if (!read)
      drop();
    return read;
  }

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

// How a stage holds what it reads, and hands it to its job: by value; a result by identity.
template <class Read>
struct ReadAs {
  using Held = Read;
  static const Read& handed(const Held& held) { return held; }
};
template <class U>
struct ReadAs<Latest<U>> {
  using Held = std::shared_ptr<const U>;
  static const U& handed(const Held& held) { return *held; }
};

// A T made from what it reads, which is its key: it is made again where one of these is no longer
// equal. A result that is read as a shared pointer is handed on as one.
template <class T, class... Reads>
class StageOf final : public AnyStage {
public:
  using Key = std::tuple<typename ReadAs<Reads>::Held...>;

  explicit StageOf(Latest<T>& shown) : shown_(shown) {}
  // A part of a picture, which has a problem where one of its parts has.
  StageOf(Latest<T>& shown, std::optional<Problem>& ofPicture)
      : shown_(shown), ofPicture_(&ofPicture) {}

  // `make(reads…, run)`, or `make(reads…)` where that is instant, returns a T, or shares one. It
  // gets copies. A Latest among the reads has to be there and the Scene's own, an Outcome a value;
  // else this stage halts, with the Outcome's problem.
  template <class Make, class... Given>
  void ask(const Asking& asking, const std::string& label, const Make& make,
           const Given&... reads) {
    request(
        asking, label,
        [make](Parts<T>&, const Run& run, const auto&... handed) {
          if constexpr (std::is_invocable_v<const Make&, decltype(handed)..., const Run&>)
            return make(handed..., run);
          else
            return make(handed...);
        },
        reads...);
  }
  // `make(reads…, publish, run)` calls `publish(part)` along the way.
  template <class Make, class... Given>
  void askInParts(const Asking& asking, const std::string& label, const Make& make,
                  const Given&... reads) {
    request(
        asking, label,
        [make](Parts<T>& parts, const Run& run, const auto&... handed) {
          return make(
              handed...,
              [&parts](T part) { parts.publish(std::make_shared<const T>(std::move(part))); }, run);
        },
        reads...);
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
  template <class U>
  static bool isThere(const U&) {
    return true;
  }
  template <class U>
  static bool isThere(const Latest<U>& latest) {
    return isFresh(latest) && !isError(latest.problem);
  }
  template <class U>
  static bool isThere(const Outcome<U>& outcome) {
    return outcome.value != nullptr;
  }
  template <class U>
  static const U& held(const U& read) {
    return read;
  }
  template <class U>
  static const std::shared_ptr<const U>& held(const Latest<U>& latest) {
    return latest.value;
  }
  template <class U>
  static const U& held(const Outcome<U>& outcome) {
    return *outcome.value;
  }
  template <class U>
  void noteWhy(const U&) {}
  template <class U>
  void noteWhy(const Outcome<U>& outcome) {
    if (!outcome.value)
      shown_.problem = outcome.problem;
  }
  static std::shared_ptr<const T> shared(T made) {
    return std::make_shared<const T>(std::move(made));
  }
  static std::shared_ptr<const T> shared(std::shared_ptr<const T> made) { return made; }

  template <class Make, class... Given>
  void request(const Asking& asking, const std::string& label, const Make& make,
               const Given&... reads) {
    if ((isThere(reads) && ...)) {
      const Key key(held(reads)...);
      const auto work = [make, key](const Run& run, Parts<T>& parts) {
        return std::apply(
            [&](const auto&... all) {
              return shared(make(parts, run, ReadAs<Reads>::handed(all)...));
            },
            key);
      };
      shown_ = slot_.askInParts(asking.pool, label, key, work, asking.patience);
    } else {
      halt();
      (noteWhy(reads), ...);
    }
    if (ofPicture_)
      noteProblem(shown_, *ofPicture_);
  }

  Latest<T>& shown_;
  std::optional<Problem>* ofPicture_ = nullptr;
  Slot<Key, T> slot_;
};

} // namespace attention::gui
