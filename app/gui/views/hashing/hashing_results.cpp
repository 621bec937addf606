#include "app/gui/results/view_stages.h"
#include "app/gui/views/hashing/hashing_shown.h"
#include "app/gui/views/hashing/hashing_view.h"
#include "core/scene/input_data.h"

namespace attention::gui {
namespace {

struct HashingKey {
  HashingQuestion question;
  ModelHead input; // where the pattern reads it
  bool operator==(const HashingKey&) const = default;
};

struct CapturedKey {
  HashingKey of;
  Index recallKeys = 0;
  Index most = 0;
  bool operator==(const CapturedKey&) const = default;
};

struct SortingKey {
  std::shared_ptr<const HashedTokens> tokens;
  Index round = 0;
  double moment = 1;
  std::vector<std::string> labels;
  bool operator==(const SortingKey&) const = default;
};

// Without what the picture does not read, so that it is not made again for that.
HashingSpec readBy(const HashingSpec& spec) {
  HashingSpec read;
  read.picture = spec.picture;
  if (spec.picture == HashingPicture::Sorting || spec.picture == HashingPicture::Matrices) {
    read.round = spec.round;
    read.joined = spec.joined;
    read.colors = spec.colors;
  }
  return read;
}

// Whether the picture depends on the input: with given labels only in what they keep of attention.
bool readsInput(const Scene& scene) {
  return needsData(scene.pattern) || scene.hashing.picture == HashingPicture::Captured ||
         scene.hashing.picture == HashingPicture::Budget;
}

SortingShown makeSorting(const SortingKey& key, const Run&) {
  HashingSpec at;
  at.round = key.round;
  at.moment = key.moment;
  const std::size_t round = key.tokens->round(at);
  return {key.tokens, round, key.moment, sortingPlot(*key.tokens, at, key.labels),
          SortingPlaces(*key.tokens, round, key.moment)};
}

// The tokens' groups, the curves of what is captured (which grow point by point), the circles, the
// sorting at the Scene's moment, choices and budgets; and the picture with its facts, made from
// those that it reads.
class HashingStages final : public PictureStages<HashingResults> {
public:
  explicit HashingStages(Results& all)
      : PictureStages(all, {&tokens_, &curves_, &circle_, &chosen_, &budget_, &sorting_, &shown_},
                      std::array<AnyStage*, 1>{&captured_}) {}

  void update(const Asking& asking) override {
    const Scene& scene = asking.scene;
    const Latest<Input>& input = all_.input;
    const bool circle = scene.hashing.picture == HashingPicture::Circle;
    results_.problem.reset();
    results_.groups = groupsTokens(scene.pattern);
    results_.needsInput = needsData(scene.pattern) && (!input || !input->hasQkv());
    results_.offers = asking.lengthsKnown && !hasGroups(scene) && all_.lengths.square() && input &&
                      input->hasQkv();
    dropUnread(scene.hashing.picture);
    if (circle) {
      askCircle(asking);
      return show(asking);
    }
    if (waitsForInput(asking))
      return;
    if (readsInput(scene) && !input)
      results_.problem = input.problem;
    if (!results_.problem)
      askGroups(asking);
    if (results_.problem)
      return halt();
    show(asking);
  }
  ShownState shown() const override {
    if (results_.offers) // these are drawn, and have no numbers
      return {true, false, {}, false};
    return PictureStages::shown();
  }

private:
  void askCircle(const Asking& asking) {
    circle_.ask(asking, "points on a circle", asking.scene.hashing.circle, circleAnswer);
    noteProblem(results_.circle, results_.problem);
  }

  // Nothing if the Scene's question has no answer, which then becomes the picture's problem.
  void askGroups(const Asking& asking) {
    const auto key = madeOrProblem([&] {
      const bool choice = isChoice(asking.scene.hashing.picture);
      HashingKey made{choice ? choosingQuestion(asking.scene, all_.lengths)
                             : hashingQuestion(asking.scene, all_.lengths),
                      {}};
      if (all_.input)
        made.input = modelHead(asking.scene, all_.input.value);
      return made;
    });
    results_.problem = key.problem;
    if (!key.value)
      return;
    const HashingPicture picture = asking.scene.hashing.picture;
    if (isChoice(picture))
      return askChoice(asking, *key.value);
    if (picture != HashingPicture::Captured)
      askTokens(asking, *key.value);
    if (picture == HashingPicture::Sorting)
      askSorting(asking);
    if (picture != HashingPicture::Matrices && !results_.problem)
      askCurves(asking, *key.value);
  }

  void askChoice(const Asking& asking, const HashingKey& key) {
    if (asking.scene.hashing.picture != HashingPicture::Budget) {
      chosen_.ask(asking, "choosing", key, [](const HashingKey& of, const Run& run) {
        return chosenKeys(of.question, of.input, run);
      });
      return noteProblem(results_.chosen, results_.problem);
    }
    const auto make = [key](const Run& run, Parts<BudgetCurves>& parts) {
      const auto onPart = [&](const BudgetCurves& part) {
        parts.publish(std::make_shared<const BudgetCurves>(part));
      };
      return std::make_shared<const BudgetCurves>(
          budgetCurves(key.question, key.input, onPart, run));
    };
    budget_.askInParts(asking, "what a budget keeps", key, make);
    noteProblem(results_.budget, results_.problem);
  }

  void askTokens(const Asking& asking, const HashingKey& key) {
    tokens_.ask(asking, "sorting tokens", key, [](const HashingKey& of, const Run& run) {
      return hashedTokens(of.question, of.input, run);
    });
    noteProblem(results_.tokens, results_.problem);
  }

  void askCurves(const Asking& asking, const HashingKey& key) {
    const HashingSpec& spec = asking.scene.hashing;
    const CapturedKey whole{key, spec.recallKeys, spec.most};
    const auto make = [whole, spec](const Run& run, Parts<CapturedCurves>& parts) {
      const auto onPart = [&](const CapturedCurves& part) {
        parts.publish(std::make_shared<const CapturedCurves>(part));
      };
      return std::make_shared<const CapturedCurves>(
          capturedCurves(whole.of.question, spec, whole.of.input, onPart, run));
    };
    curves_.askInParts(asking, "what groups capture", whole, make);
    if (spec.picture == HashingPicture::Captured)
      noteProblem(results_.curves, results_.problem);
    if (spec.picture == HashingPicture::Sorting && results_.curves)
      captured_.ask(asking, "curves", results_.curves.value,
                    [](const std::shared_ptr<const CapturedCurves>& curves, const Run&) {
                      return capturedPlot(*curves);
                    });
  }

  void askSorting(const Asking& asking) {
    if (!results_.tokens || results_.tokens.stale || results_.problem)
      return sorting_.halt();
    const HashingSpec& spec = asking.scene.hashing;
    sorting_.ask(asking, "the sorting",
                 {results_.tokens.value, spec.round, spec.moment, labelsOf(asking.scene)},
                 makeSorting);
    noteProblem(results_.sorting, results_.problem);
  }

  void show(const Asking& asking) {
    HashingShownKey key{readBy(asking.scene.hashing), {}};
    if (!results_.tokens.stale && results_.tokens) { // labels are as many as they
      key.answer.tokens = results_.tokens.value;
      key.answer.labels = labelsOf(asking.scene);
    }
    // Beside the sorting they are drawn separately, since they grow.
    if (!results_.curves.stale && key.spec.picture == HashingPicture::Captured)
      key.answer.curves = results_.curves.value;
    if (!results_.circle.stale)
      key.answer.circle = results_.circle.value;
    if (isChoice(key.spec.picture))
      readChoice(asking, key.answer);
    if (results_.problem || !complete(key.spec, key.answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", key, makeHashingShown);
  }

  void readChoice(const Asking& asking, HashingAnswer& answer) {
    if (!results_.budget.stale)
      answer.budget = results_.budget.value;
    if (results_.chosen.stale || !results_.chosen)
      return;
    answer.labels = labelsOf(asking.scene);
    const Index query = choosingQuery(asking.scene, results_.chosen->n());
    if (!took_ || took_->chosen != results_.chosen.value || took_->query != query)
      (took_ = HashingAnswer())->take(results_.chosen.value, query);
    answer.chosen = took_->chosen;
    answer.query = query;
    answer.row = took_->row;
    answer.step = took_->step;
  }

  std::vector<std::string> labelsOf(const Scene& scene) const {
    return keptTokenLabels(scene, all_.input.value.get(), all_.lengths.keys);
  }

  // What the picture does not read is dropped, and its jobs end.
  void dropUnread(HashingPicture picture) {
    const auto unless = [](bool read, AnyStage& stage) {
      if (!read)
        stage.drop();
    };
    const bool sorting = picture == HashingPicture::Sorting;
    unless(sorting || picture == HashingPicture::Matrices, tokens_);
    unless(sorting || picture == HashingPicture::Captured, curves_);
    unless(sorting, captured_);
    unless(sorting, sorting_);
    unless(picture == HashingPicture::Circle, circle_);
    unless(picture == HashingPicture::Scores || picture == HashingPicture::Cache, chosen_);
    unless(picture == HashingPicture::Budget, budget_);
  }

  StageOf<HashingKey, HashedTokens> tokens_{results_.tokens};
  StageOf<CapturedKey, CapturedCurves> curves_{results_.curves};
  StageOf<std::shared_ptr<const CapturedCurves>, Plot> captured_{results_.captured};
  StageOf<CircleSpec, CircleAnswer> circle_{results_.circle};
  StageOf<HashingKey, ChosenKeys> chosen_{results_.chosen};
  StageOf<HashingKey, BudgetCurves> budget_{results_.budget};
  StageOf<SortingKey, SortingShown> sorting_{results_.sorting};
  StageOf<HashingShownKey, HashingShown> shown_{results_.shown};
  std::optional<HashingAnswer> took_; // the choice with the query that was read last
};

} // namespace

std::unique_ptr<ViewStages> hashingStages(Results& results) {
  return std::make_unique<HashingStages>(results);
}

} // namespace attention::gui
