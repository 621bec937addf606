#include "app/gui/results/view_stages.h"
#include "app/gui/views/hashing/hashing_view.h"
#include "core/scene/input_data.h"

namespace attention::gui {
namespace {

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

SortingShown makeSorting(const std::shared_ptr<const HashedTokens>& tokens, Index round,
                         double moment, const std::vector<std::string>& labels) {
  HashingSpec at;
  at.round = round;
  at.moment = moment;
  const std::size_t current = tokens->round(at);
  return {tokens, current, moment, sortingPlot(*tokens, at, labels),
          SortingPlaces(*tokens, current, moment)};
}

CapturedCurves makeCurves(const HashingQuestion& question, const ModelHead& input, Index recallKeys,
                          Index most, const std::function<void(const CapturedCurves&)>& publish,
                          const Run& run) {
  HashingSpec spec;
  spec.recallKeys = recallKeys;
  spec.most = most;
  return capturedCurves(question, spec, input, publish, run);
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
      circle_.ask(asking, "points on a circle", circleAnswer, scene.hashing.circle);
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
  // Nothing if the Scene's question has no answer, which then becomes the picture's problem.
  void askGroups(const Asking& asking) {
    const HashingSpec& spec = asking.scene.hashing;
    const HashingPicture picture = spec.picture;
    const auto question = madeOrProblem([&] {
      return isChoice(picture) ? choosingQuestion(asking.scene, all_.lengths)
                               : hashingQuestion(asking.scene, all_.lengths);
    });
    results_.problem = question.problem;
    if (!question.value)
      return;
    const ModelHead input = all_.input ? modelHead(asking.scene, all_.input.value) : ModelHead();
    if (picture == HashingPicture::Budget)
      return budget_.askInParts(asking, "what a budget keeps", budgetCurves, question, input);
    if (isChoice(picture))
      return chosen_.ask(asking, "choosing", chosenKeys, question, input);
    if (picture != HashingPicture::Captured)
      tokens_.ask(asking, "sorting tokens", hashedTokens, question, input);
    if (picture == HashingPicture::Sorting && !results_.problem)
      sorting_.ask(asking, "the sorting", makeSorting, results_.tokens, spec.round, spec.moment,
                   labelsOf(asking.scene));
    if (picture != HashingPicture::Matrices && !results_.problem)
      askCurves(asking, *question.value, input);
  }

  // Beside the sorting nothing hinders their picture.
  void askCurves(const Asking& asking, const HashingQuestion& question, const ModelHead& input) {
    const HashingSpec& spec = asking.scene.hashing;
    curves_.askInParts(asking, "what groups capture", makeCurves, question, input, spec.recallKeys,
                       spec.most);
    if (spec.picture == HashingPicture::Captured)
      noteProblem(results_.curves, results_.problem);
    else if (results_.curves)
      captured_.ask(asking, "curves", capturedPlot, results_.curves.value);
  }

  void show(const Asking& asking) {
    const HashingSpec spec = readBy(asking.scene.hashing);
    HashingAnswer answer;
    if (isFresh(results_.tokens)) { // labels are as many as they
      answer.tokens = results_.tokens.value;
      answer.labels = labelsOf(asking.scene);
    }
    // Beside the sorting they are drawn separately, since they grow.
    if (spec.picture == HashingPicture::Captured)
      answer.curves = freshOf(results_.curves);
    answer.circle = freshOf(results_.circle);
    if (isChoice(spec.picture))
      readChoice(asking, answer);
    if (results_.problem || !complete(spec, answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", makeHashingShown, spec, answer);
  }

  void readChoice(const Asking& asking, HashingAnswer& answer) {
    answer.budget = freshOf(results_.budget);
    if (!isFresh(results_.chosen))
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
    const bool sorting = picture == HashingPicture::Sorting;
    tokens_.keepIf(sorting || picture == HashingPicture::Matrices);
    curves_.keepIf(sorting || picture == HashingPicture::Captured);
    captured_.keepIf(sorting);
    sorting_.keepIf(sorting);
    circle_.keepIf(picture == HashingPicture::Circle);
    chosen_.keepIf(picture == HashingPicture::Scores || picture == HashingPicture::Cache);
    budget_.keepIf(picture == HashingPicture::Budget);
  }

  // Made from the question and, where the pattern reads it, the input.
  template <class T, class... Further>
  using Asked = StageOf<T, HashingQuestion, ModelHead, Further...>;
  Asked<HashedTokens> tokens_{results_.tokens, results_.problem};
  Asked<CapturedCurves, Index, Index> curves_{results_.curves};
  Asked<ChosenKeys> chosen_{results_.chosen, results_.problem};
  Asked<BudgetCurves> budget_{results_.budget, results_.problem};
  StageOf<Plot, Latest<CapturedCurves>> captured_{results_.captured};
  StageOf<CircleAnswer, CircleSpec> circle_{results_.circle, results_.problem};
  StageOf<SortingShown, std::shared_ptr<const HashedTokens>, Index, double,
          std::vector<std::string>>
      sorting_{results_.sorting, results_.problem};
  StageOf<HashingShown, HashingSpec, HashingAnswer> shown_{results_.shown};
  std::optional<HashingAnswer> took_; // the choice with the query that was read last
};

} // namespace

std::unique_ptr<ViewStages> hashingStages(Results& results) {
  return std::make_unique<HashingStages>(results);
}

} // namespace attention::gui
