#include "app/gui/results/view_stages.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "core/scene/input_data.h"

namespace attention::gui {
namespace {

// Without what the picture does not read, so that it is not made again for that.
ChoosingSpec readBy(const ChoosingSpec& spec) {
  ChoosingSpec read;
  read.picture = spec.picture;
  if (spec.picture == ChoosingPicture::Sorting || spec.picture == ChoosingPicture::Matrices) {
    read.round = spec.round;
    read.joined = spec.joined;
    read.colors = spec.colors;
  }
  return read;
}

// Whether the picture depends on the input: with given labels only in what they keep of attention.
bool readsInput(const Scene& scene) {
  return needsData(scene.pattern) || scene.choosing.picture == ChoosingPicture::Captured ||
         scene.choosing.picture == ChoosingPicture::Budget;
}

SortingShown makeSorting(const std::shared_ptr<const HashedTokens>& tokens, Index round,
                         double moment, const std::vector<std::string>& labels) {
  ChoosingSpec at;
  at.round = round;
  at.moment = moment;
  const std::size_t current = tokens->round(at);
  return {tokens, current, moment, sortingPlot(*tokens, at, labels),
          SortingPlaces(*tokens, current, moment)};
}

CapturedCurves makeCurves(const ChoosingQuestion& question, const ModelHead& input,
                          Index recallKeys, Index most,
                          const std::function<void(const CapturedCurves&)>& publish,
                          const Run& run) {
  ChoosingSpec spec;
  spec.recallKeys = recallKeys;
  spec.most = most;
  return capturedCurves(question, spec, input, publish, run);
}

// The tokens' groups, the curves of what is captured (which grow point by point), the circles, the
// sorting at the Scene's moment, choices and budgets; and the picture with its facts, made from
// those that it reads.
class ChoosingStages final : public PictureStages<ChoosingResults> {
public:
  explicit ChoosingStages(Results& all)
      : PictureStages(all, {&tokens_, &curves_, &circle_, &chosen_, &budget_, &sorting_, &shown_},
                      std::array<AnyStage*, 1>{&captured_}) {}

  void update(const Asking& asking) override {
    const Scene& scene = asking.scene;
    const Latest<Input>& input = all_.input;
    const bool circle = scene.choosing.picture == ChoosingPicture::Circle;
    results_.problem.reset();
    results_.groups = groupsTokens(scene.pattern);
    results_.needsInput = needsData(scene.pattern) && (!input || !input->hasQkv());
    results_.offers = asking.lengthsKnown && !hasGroups(scene) && all_.lengths.square() && input &&
                      input->hasQkv();
    dropUnread(scene.choosing.picture);
    if (circle) {
      circle_.ask(asking, "points on a circle", circleAnswer, scene.choosing.circle);
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
    const ChoosingSpec& spec = asking.scene.choosing;
    const ChoosingPicture picture = spec.picture;
    const auto question = madeOrProblem([&] {
      return isChoice(picture) ? choosingQuestion(asking.scene, all_.lengths)
                               : groupsQuestion(asking.scene, all_.lengths);
    });
    results_.problem = question.problem;
    if (!question.value)
      return;
    const ModelHead input = all_.input ? modelHead(asking.scene, all_.input.value) : ModelHead();
    if (picture == ChoosingPicture::Budget)
      return budget_.askInParts(asking, "what a budget keeps", budgetCurves, question, input);
    if (isChoice(picture))
      return chosen_.ask(asking, "choosing", chosenKeys, question, input);
    if (picture != ChoosingPicture::Captured)
      tokens_.ask(asking, "sorting tokens", hashedTokens, question, input);
    if (picture == ChoosingPicture::Sorting && !results_.problem)
      sorting_.ask(asking, "the sorting", makeSorting, results_.tokens, spec.round, spec.moment,
                   labelsOf(asking.scene));
    if (picture != ChoosingPicture::Matrices && !results_.problem)
      askCurves(asking, *question.value, input);
  }

  // Beside the sorting nothing hinders their picture.
  void askCurves(const Asking& asking, const ChoosingQuestion& question, const ModelHead& input) {
    const ChoosingSpec& spec = asking.scene.choosing;
    curves_.askInParts(asking, "what groups capture", makeCurves, question, input, spec.recallKeys,
                       spec.most);
    if (spec.picture == ChoosingPicture::Captured)
      noteProblem(results_.curves, results_.problem);
    else if (results_.curves)
      captured_.ask(asking, "curves", capturedPlot, results_.curves.value);
  }

  void show(const Asking& asking) {
    const ChoosingSpec spec = readBy(asking.scene.choosing);
    ChoosingAnswer answer;
    if (isFresh(results_.tokens)) { // labels are as many as they
      answer.tokens = results_.tokens.value;
      answer.labels = labelsOf(asking.scene);
    }
    // Beside the sorting they are drawn separately, since they grow.
    if (spec.picture == ChoosingPicture::Captured)
      answer.curves = freshOf(results_.curves);
    answer.circle = freshOf(results_.circle);
    if (isChoice(spec.picture))
      readChoice(asking, answer);
    if (results_.problem || !complete(spec, answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", makeChoosingShown, spec, answer);
  }

  void readChoice(const Asking& asking, ChoosingAnswer& answer) {
    answer.budget = freshOf(results_.budget);
    if (!isFresh(results_.chosen))
      return;
    answer.labels = labelsOf(asking.scene);
    const Index query = choosingQuery(asking.scene, results_.chosen->n());
    if (!took_ || took_->chosen != results_.chosen.value || took_->query != query)
      (took_ = ChoosingAnswer())->take(results_.chosen.value, query);
    answer.chosen = took_->chosen;
    answer.query = query;
    answer.row = took_->row;
    answer.step = took_->step;
  }

  std::vector<std::string> labelsOf(const Scene& scene) const {
    return keptTokenLabels(scene, all_.input.value.get(), all_.lengths.keys);
  }

  // What the picture does not read is dropped, and its jobs end.
  void dropUnread(ChoosingPicture picture) {
    const bool sorting = picture == ChoosingPicture::Sorting;
    tokens_.keepIf(sorting || picture == ChoosingPicture::Matrices);
    curves_.keepIf(sorting || picture == ChoosingPicture::Captured);
    captured_.keepIf(sorting);
    sorting_.keepIf(sorting);
    circle_.keepIf(picture == ChoosingPicture::Circle);
    chosen_.keepIf(picture == ChoosingPicture::Scores || picture == ChoosingPicture::Cache);
    budget_.keepIf(picture == ChoosingPicture::Budget);
  }

  // Made from the question and, where the pattern reads it, the input.
  template <class T, class... Further>
  using Asked = StageOf<T, ChoosingQuestion, ModelHead, Further...>;
  Asked<HashedTokens> tokens_{results_.tokens, results_.problem};
  Asked<CapturedCurves, Index, Index> curves_{results_.curves};
  Asked<ChosenKeys> chosen_{results_.chosen, results_.problem};
  Asked<BudgetCurves> budget_{results_.budget, results_.problem};
  StageOf<Plot, Latest<CapturedCurves>> captured_{results_.captured};
  StageOf<CircleAnswer, CircleSpec> circle_{results_.circle, results_.problem};
  StageOf<SortingShown, std::shared_ptr<const HashedTokens>, Index, double,
          std::vector<std::string>>
      sorting_{results_.sorting, results_.problem};
  StageOf<ChoosingShown, ChoosingSpec, ChoosingAnswer> shown_{results_.shown};
  std::optional<ChoosingAnswer> took_; // the choice with the query that was read last
};

} // namespace

std::unique_ptr<ViewStages> choosingStages(Results& results) {
  return std::make_unique<ChoosingStages>(results);
}

} // namespace attention::gui
