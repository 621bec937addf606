// What one view computes while it is shown: stages in order, and their result.
#pragma once

#include "app/gui/results/stage.h"

#include <optional>
#include <vector>

namespace attention::gui {

class ViewStages {
public:
  virtual ~ViewStages() = default;

  // Brings the view's part of Results up to the Scene, which shows the view.
  virtual void update(const Asking& asking) = 0;
  // The user has changed the Scene: what the view changes in it by itself follows from that.
  virtual void edited() {}
  // Empty while it is being found, and where there is none; `amends` says which of the two.
  virtual EditOfScene amendment(const Asking&) { return {}; }
  virtual bool amends() const { return false; }
  // Another view is shown: forgets everything, unless making it again takes long.
  virtual void leave() { drop(); }
  // Files were read again, which keys do not notice.
  virtual void reload() { drop(); }
  // Results that differ from run to run are made again.
  virtual void repeat() {}
  virtual ShownState shown() const = 0;
  // What the view calls its picture; empty if it has none, or not yet.
  virtual std::string title() const { return {}; }
  // Of a view that gives the pattern to something else: how many tokens that has, once it is known.
  virtual std::optional<Index> length() const { return {}; }

  std::span<AnyStage* const> stages() const { return stages_; }
  // The stages that are reported where the user stops them.
  std::span<AnyStage* const> told() const { return std::span(stages_).first(told_); }

protected:
  // Members of the view's own class, in the order in which they are reported; then those that are
  // made instantly and are not reported.
  explicit ViewStages(std::vector<AnyStage*> stages, std::span<AnyStage* const> quick = {})
      : stages_(std::move(stages)), told_(stages_.size()) {
    stages_.insert(stages_.end(), quick.begin(), quick.end());
  }

  void drop() {
    for (AnyStage* stage : stages_)
      stage->drop();
  }
  void halt() {
    for (AnyStage* stage : stages_)
      stage->halt();
  }

private:
  std::vector<AnyStage*> stages_;
  std::size_t told_; // of these, the first
};

// For a view with a picture made of parts, each of them a stage. R, its part of Results, has the
// picture as `shown` and the problem of any of its parts as `problem`.
template <class R>
class PictureStages : public ViewStages {
public:
  void leave() override {
    drop();
    results_ = {};
  }
  ShownState shown() const override {
    ShownState state = stateOf(results_.shown);
    if (!state.problem)
      state.problem = results_.problem;
    return state;
  }
  std::string title() const override {
    return results_.shown ? results_.shown->title : std::string();
  }

protected:
  PictureStages(Results& all, std::vector<AnyStage*> stages, std::span<AnyStage* const> quick = {})
      : ViewStages(std::move(stages), quick), all_(all), results_(all.part<R>()) {}

  // True while the input or the lengths are missing: still loading, or refused (then `problem` says
  // why).
  bool waitsForInput(const Asking& asking) {
    if (asking.lengthsKnown && (all_.input || !all_.input.pending))
      return false;
    if (!asking.lengthsKnown)
      results_.problem = all_.masks.problem;
    halt();
    results_.shown.pending = !results_.problem;
    return true;
  }

  // What `make` makes of the Scene and the input. Nothing while the input or the lengths are
  // missing or where it throws; `problem` says why, and all stages halt.
  template <class Make>
  auto questionOfInput(const Asking& asking, const Make& make) {
    const Latest<Input>& input = all_.input;
    decltype(madeOrProblem(make).value) question;
    results_.problem.reset();
    if (asking.lengthsKnown && (input || !(input.pending || input.problem))) {
      auto made = madeOrProblem(make);
      question = std::move(made.value);
      results_.problem = std::move(made.problem);
    } else if (!input.pending) {
      results_.problem = asking.lengthsKnown ? input.problem : all_.masks.problem;
    }
    if (!question)
      halt();
    return question;
  }

  const Results& all_;
  R& results_;
};

} // namespace attention::gui
