#include "app/gui/results/view_stages.h"
#include "app/gui/views/text/text_results.h"
#include "app/gui/views/text/text_view.h"

namespace attention::gui {
namespace {

struct TextKey {
  TextQuestion question;
  ModelHead of;
  bool operator==(const TextKey&) const = default;
};

// The weights, which take long; and the shades of one token, which follow the pointer.
class TextStages final : public PictureStages<TextResults> {
public:
  explicit TextStages(Results& all) : PictureStages(all, {&weights_, &shown_}) {}

  void update(const Asking& asking) override {
    const auto question =
        questionOfInput(asking, [&] { return textQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    weights_.ask(
        asking, "weights of the text", {*question, modelHead(asking.scene, all_.input.value)},
        [](const TextKey& key, const Run& run) { return textWeights(key.question, key.of, run); });
    noteProblem(results_.weights, results_.problem);
    if (results_.problem || !results_.weights || results_.weights.stale)
      return shown_.halt();
    const TextSpec& spec = asking.scene.attention.text;
    shown_.ask(asking, "the text",
               {results_.weights.value, all_.input.value,
                keptTokenLabels(asking.scene, all_.input.value.get(), all_.lengths.keys),
                spec.byKey, tokenOf(asking), spec.lost},
               [](const TextShownKey& key, const Run&) { return makeTextShown(key); });
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

  StageOf<TextKey, TextWeights> weights_{results_.weights};
  StageOf<TextShownKey, TextShown> shown_{results_.shown};
};

} // namespace

TextShown makeTextShown(const TextShownKey& key) {
  TextShown shown;
  shown.shades = textShades(*key.weights, key.byKey, key.token);
  const TextLook look{key.labels, key.input ? key.input->pieces : std::vector<std::string>(),
                      key.lost, 0};
  shown.mark = textMark(shown.shades, look);
  shown.title = textTitle(*key.weights, shown.shades, look);
  shown.caption = textCaption(shown.shades, look);
  shown.labels = key.labels;
  shown.hidden = key.lost ? mostHidden(shown.shades) : std::nullopt;
  if (shown.hidden)
    shown.hiddenName = hiddenWords(shown.shades, look, *shown.hidden);
  shown.reading = readingOf(*key.weights, shown.shades, key.labels);
  return shown;
}

std::unique_ptr<ViewStages> textStages(Results& results) {
  return std::make_unique<TextStages>(results);
}

} // namespace attention::gui
