#include "app/gui/results/view_stages.h"
#include "app/gui/views/heads/head_list_results.h"
#include "app/gui/views/heads/head_list_view.h"
#include "core/input/model_metadata.h"
#include "core/pattern/pattern_title.h"

#include <chrono>

namespace attention::gui {
namespace {

struct HeadListKey {
  HeadListQuestion question;
  std::shared_ptr<const Input> input;
  bool operator==(const HeadListKey&) const = default;
};

// Each part is drawn again as a whole: a few per second are enough to see it grow.
std::shared_ptr<const MeasuredHeads> measure(const HeadListKey& key, const Run& run,
                                             Parts<MeasuredHeads>& parts) {
  constexpr std::chrono::milliseconds kPause{200};
  auto last = std::chrono::steady_clock::now();
  MeasuredHeads soFar;
  const auto onHead = [&](const MeasuredHead& head) {
    soFar.push_back(head);
    const auto now = std::chrono::steady_clock::now();
    if (now - last < kPause)
      return;
    last = now;
    parts.publish(std::make_shared<const MeasuredHeads>(soFar));
  };
  return std::make_shared<const MeasuredHeads>(
      listedHeads(key.question, key.input.get(), onHead, run));
}

class HeadListStages final : public PictureStages<HeadListResults> {
public:
  explicit HeadListStages(Results& all) : PictureStages(all, {&heads_, &shown_}) {}

  void update(const Asking& asking) override {
    const auto question =
        questionOfInput(asking, [&] { return headListQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    const HeadListKey key{*question, all_.input.value};
    heads_.askInParts(
        asking, "what heads do", key,
        [key](const Run& run, Parts<MeasuredHeads>& parts) { return measure(key, run, parts); });
    noteProblem(results_.heads, results_.problem);
    if (results_.problem || !results_.heads || results_.heads.stale || results_.heads->empty())
      return shown_.halt();
    shown_.ask(asking, "the list",
               {results_.heads.value, asking.scene.attention.list, lookOf(asking)},
               [](const HeadListShownKey& shown, const Run&) { return makeHeadListShown(shown); });
  }

private:
  HeadListLook lookOf(const Asking& asking) const {
    HeadListLook look;
    look.pattern = mechanismTitle(asking.scene.pattern);
    if (const Input* input = all_.input.value.get()) {
      look.batchName = input->batchName;
      look.batchLabels = input->batchLabels;
      look.heads = headNumbers(*input);
    }
    return look;
  }

  StageOf<HeadListKey, MeasuredHeads> heads_{results_.heads};
  StageOf<HeadListShownKey, HeadListShown> shown_{results_.shown};
};

} // namespace

HeadListShown makeHeadListShown(const HeadListShownKey& key) {
  HeadListShown shown;
  shown.heads = *key.heads;
  shown.order = orderOf(key.spec, shown.heads);
  shown.spec = key.spec;
  shown.look = key.look;
  const Board board = headsBoard(key.spec, shown.heads, shown.order, key.look);
  shown.title = board.title;
  shown.caption = board.formula;
  shown.reading = readingOf(key.spec, shown.heads, shown.order, key.look);
  return shown;
}

std::unique_ptr<ViewStages> headListStages(Results& results) {
  return std::make_unique<HeadListStages>(results);
}

} // namespace attention::gui
