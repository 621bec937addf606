#include "app/gui/results/view_stages.h"
#include "app/gui/views/heads/head_list_view.h"
#include "core/input/model_metadata.h"
#include "core/pattern/pattern_title.h"

#include <functional>

namespace attention::gui {
namespace {

MeasuredHeads measure(const HeadListQuestion& question, const std::shared_ptr<const Input>& input,
                      const std::function<void(MeasuredHeads)>& publish, const Run& run) {
  Pace pace;
  MeasuredHeads soFar;
  const auto onHead = [&](const MeasuredHead& head) {
    soFar.push_back(head);
    if (pace.due())
      publish(soFar);
  };
  return listedHeads(question, input.get(), onHead, run);
}

HeadListShown makeHeadListShown(const MeasuredHeads& heads, const HeadListSpec& spec,
                                const HeadListLook& look) {
  HeadListShown shown;
  shown.heads = heads;
  shown.order = orderOf(spec, shown.heads);
  shown.spec = spec;
  shown.look = look;
  const Board board = headsBoard(spec, shown.heads, shown.order, look);
  shown.title = board.title;
  shown.caption = board.formula;
  shown.reading = readingOf(spec, shown.heads, shown.order, look);
  return shown;
}

class HeadListStages final : public PictureStages<HeadListResults> {
public:
  explicit HeadListStages(Results& all) : PictureStages(all, {&heads_, &shown_}) {}

  void update(const Asking& asking) override {
    const auto question =
        questionOfInput(asking, [&] { return headListQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    heads_.askInParts(asking, "what heads do", measure, *question, all_.input.value);
    if (results_.heads && results_.heads->empty())
      return shown_.halt();
    shown_.ask(asking, "the list", makeHeadListShown, results_.heads, asking.scene.attention.list,
               lookOf(asking));
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

  StageOf<MeasuredHeads, HeadListQuestion, std::shared_ptr<const Input>> heads_{results_.heads,
                                                                                results_.problem};
  StageOf<HeadListShown, Latest<MeasuredHeads>, HeadListSpec, HeadListLook> shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> headListStages(Results& results) {
  return std::make_unique<HeadListStages>(results);
}

} // namespace attention::gui
