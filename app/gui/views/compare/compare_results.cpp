#include "app/gui/results/make_results.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/compare/compare_view.h"
#include "app/gui/views/compare/matching.h"

namespace attention::gui {
namespace {

// Of two of the masks.
Difference makeDifference(const Masks& masks, Index first, Index second, const Run& run) {
  const auto preparedAt = [&](Index place) {
    return masks.tiles.at(static_cast<std::size_t>(place)).prepared;
  };
  return difference(preparedAt(first), preparedAt(second), run.threads, run);
}

ScoresShown scoresShown(const ScoresQuestion& question, const ModelHead& input,
                        const std::vector<ScoreLine>& lines) {
  return {lines, massPlot(lines), errorPlot(lines), readingOf(question, input, lines)};
}

ScoresShown makeScores(const ScoresQuestion& question, const ModelHead& input,
                       const std::function<void(ScoresShown)>& publish, const Run& run) {
  const auto onLine = [&](const std::vector<ScoreLine>& lines) {
    publish(scoresShown(question, input, lines));
  };
  return scoresShown(question, input, scoresOf(question, input, onLine, run));
}

// Of the whole board.
ScoresShown makeChoices(const ScoresShown& scores, const ScoresQuestion& question,
                        const ModelHead& input, const Run& run) {
  return scoresShown(question, input, withChoices(scores.lines, question, input, run));
}

// Besides the masks: how the chosen two differ, and the score board, line by line.
class CompareStages final : public ViewStages {
public:
  explicit CompareStages(Results& all)
      : ViewStages({&difference_, &scores_, &choices_}), all_(all),
        shown_(all.part<CompareResults>()) {}

  void edited() override { matching_.want(); }
  EditOfScene amendment(const Asking& asking) override {
    return matching_.found(asking, all_.input.value);
  }
  bool amends() const override { return matching_.pending(); }

  void update(const Asking& asking) override {
    const Latest<Masks>& masks = all_.masks;
    shown_.cells.clear();
    if (!asking.lengthsKnown || !masks || masks.stale)
      return halt();
    // Scores of an input that is gone; only once, or the refusal would be repeated every frame.
    if (!all_.input && !all_.input.pending && scores_.slot().latest().value)
      dropScores();
    const CompareSpec& spec = asking.scene.compare;
    difference_.ask(asking, "comparing", makeDifference, masks, spec.first, spec.second);
    findCells(asking, *masks);
    if (!all_.input && all_.input.pending) {
      choices_.halt();
      return scores_.halt();
    }
    askScores(asking);
  }
  // Scores take seconds to make: they stay while their input does.
  void leave() override {
    matching_.forget();
    shown_.cells.clear();
    difference_.drop();
    scores_.slot().keepIf(
        [&](const auto& key) { return std::get<ModelHead>(key).input == all_.input.value; });
    if (!scores_.slot().latest().value)
      shown_.scores = shown_.choices = {};
    scores_.halt();
    choices_.halt();
  }
  void reload() override { scores_.renew(); }
  ShownState shown() const override { return stateOf(all_.masks); }
  std::string title() const override { return "Patterns compared"; }

private:
  void findCells(const Asking& asking, const Masks& masks) {
    const Pins pins = comparedPins(asking.scene, all_.lengths, shown_.difference.value.get());
    for (std::size_t mask = 0; mask + 1 < masks.tiles.size(); ++mask) // the last is the difference
      if (const auto cell =
              pointedCell(masks, mask, pins, asking.hover, all_.input.value.get(), nullptr))
        shown_.cells.push_back(*cell);
  }

  // They need an input that covers all tokens; without one the view says so.
  void askScores(const Asking& asking) {
    const auto question = madeOrProblem([&] { return scoresQuestion(asking.scene, all_.lengths); });
    if (!question.value) {
      dropScores();
      shown_.scores.problem = question.problem;
      return;
    }
    const ModelHead input = modelHead(asking.scene, all_.input.value);
    scores_.askInParts(asking, "the score board", makeScores, question, input);
    const Latest<ScoresShown>& scores = shown_.scores;
    if (isFresh(scores) && !scores.pending && tellsChoices(asking.scene.compare, scores->lines))
      choices_.ask(asking, "the best choices", makeChoices, scores, question, input);
    else
      choices_.halt();
  }

  void dropScores() {
    scores_.drop();
    choices_.drop();
  }

  const Results& all_;
  CompareResults& shown_;
  PairMatching matching_;
  StageOf<Difference, Latest<Masks>, Index, Index> difference_{shown_.difference};
  StageOf<ScoresShown, ScoresQuestion, ModelHead> scores_{shown_.scores};
  StageOf<ScoresShown, Latest<ScoresShown>, ScoresQuestion, ModelHead> choices_{shown_.choices};
};

} // namespace

std::unique_ptr<ViewStages> compareStages(Results& results) {
  return std::make_unique<CompareStages>(results);
}

} // namespace attention::gui
