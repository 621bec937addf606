#include "app/gui/results/result_keys.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/compare/compare_view.h"
#include "app/gui/views/compare/matching.h"

namespace attention::gui {
namespace {

struct DifferenceKey {
  std::shared_ptr<const Masks> masks;
  Index first = 0; // of its tiles
  Index second = 1;
  bool operator==(const DifferenceKey&) const = default;
};

Difference makeDifference(const DifferenceKey& key, const Run& run) {
  const auto& tiles = key.masks->tiles;
  return difference(tiles.at(static_cast<std::size_t>(key.first)).prepared,
                    tiles.at(static_cast<std::size_t>(key.second)).prepared, run.threads, run);
}

struct ScoresKey {
  ScoresQuestion question;
  ModelHead input;
  bool operator==(const ScoresKey&) const = default;
};

struct ChoicesKey {
  std::shared_ptr<const ScoresShown> scores; // the whole board
  ScoresKey key;
  bool operator==(const ChoicesKey&) const = default;
};

std::shared_ptr<const ScoresShown> scoresShown(const ScoresKey& key,
                                               const std::vector<ScoreLine>& lines) {
  return std::make_shared<const ScoresShown>(ScoresShown{
      lines, massPlot(lines), errorPlot(lines), readingOf(key.question, key.input, lines)});
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
    difference_.ask(asking, "comparing", {masks.value, spec.first, spec.second}, makeDifference);
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
        [&](const ScoresKey& key) { return key.input.input == all_.input.value; });
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
    const auto key = madeOrProblem([&] {
      return ScoresKey{scoresQuestion(asking.scene, all_.lengths),
                       modelHead(asking.scene, all_.input.value)};
    });
    if (!key.value) {
      dropScores();
      shown_.scores.problem = key.problem;
      return;
    }
    scores_.askInParts(asking, "the score board", *key.value,
                       [key = *key.value](const Run& run, Parts<ScoresShown>& parts) {
                         const auto onLine = [&](const std::vector<ScoreLine>& lines) {
                           parts.publish(scoresShown(key, lines));
                         };
                         return scoresShown(key, scoresOf(key.question, key.input, onLine, run));
                       });
    const Latest<ScoresShown>& scores = shown_.scores;
    if (scores && !scores.stale && !scores.pending &&
        tellsChoices(asking.scene.compare, scores->lines))
      choices_.askShared(asking, "the best choices", {scores.value, *key.value},
                         [lines = scores->lines, key = *key.value](const Run& run) {
                           return scoresShown(key,
                                              withChoices(lines, key.question, key.input, run));
                         });
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
  StageOf<DifferenceKey, Difference> difference_{shown_.difference};
  StageOf<ScoresKey, ScoresShown> scores_{shown_.scores};
  StageOf<ChoicesKey, ScoresShown> choices_{shown_.choices};
};

} // namespace

std::unique_ptr<ViewStages> compareStages(Results& results) {
  return std::make_unique<CompareStages>(results);
}

} // namespace attention::gui
