#include "app/gui/results/view_stages.h"
#include "app/gui/views/text/text_view.h"

namespace attention::gui {
namespace {

TextShown makeTextShown(const TextWeights& weights, const std::shared_ptr<const Input>& input,
                        const std::vector<std::string>& labels, const TextSpec& spec, Index token) {
  TextShown shown;
  shown.shades = textShades(weights, spec.byKey, token);
  const TextLook look{labels, input ? input->pieces : std::vector<std::string>(), spec.lost, 0};
  shown.mark = textMark(shown.shades, look);
  shown.title = textTitle(weights, shown.shades, look);
  shown.caption = textCaption(shown.shades, look);
  shown.labels = labels;
  shown.hidden = spec.lost ? mostHidden(shown.shades) : std::nullopt;
  if (shown.hidden)
    shown.hiddenName = hiddenWords(shown.shades, look, *shown.hidden);
  shown.reading = readingOf(weights, shown.shades, labels);
  return shown;
}

// The weights, which take long; and the shades of one token, which follow the pointer.
class TextStages final : public PictureStages<TextResults> {
public:
  explicit TextStages(Results& all) : PictureStages(all, {&weights_, &shown_}) {}

  void update(const Asking& asking) override {
    const auto question =
        questionOfInput(asking, [&] { return textQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    const auto& input = all_.input.value;
    weights_.ask(asking, "weights of the text", textWeights, *question,
                 modelHead(asking.scene, input));
    shown_.ask(asking, "the text", makeTextShown, results_.weights, input,
               keptTokenLabels(asking.scene, input.get(), all_.lengths.keys),
               asking.scene.attention.text, tokenOf(asking));
  }

private:
  // The token that is pointed at, else the pinned one.
  Index tokenOf(const Asking& asking) const {
    const bool byKey = asking.scene.attention.text.byKey;
    const auto& pointed = byKey ? asking.hover.key : asking.hover.query;
    const Index count = byKey ? all_.lengths.keys : all_.lengths.queries;
    return pointed && *pointed >= 0 && *pointed < count ? *pointed
                                                        : textToken(asking.scene, all_.lengths);
  }

  StageOf<TextWeights, TextQuestion, ModelHead> weights_{results_.weights, results_.problem};
  StageOf<TextShown, Latest<TextWeights>, std::shared_ptr<const Input>, std::vector<std::string>,
          TextSpec, Index>
      shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> textStages(Results& results) {
  return std::make_unique<TextStages>(results);
}

} // namespace attention::gui
