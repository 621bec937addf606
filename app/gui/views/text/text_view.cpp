#include "app/gui/views/text/text_view.h"

#include "app/gui/pictures/running_text_pane.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/views/text/text_results.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {
struct TextView::State {
  RunningTextPane text;

  void point(const ViewContext& context, const TextShown& of,
             const RunningTextPane::Pointed& pointed, Hover& hover) const;
};

// A token is pointed at until the pointer is on another one, so that gaps between words flicker
// nothing; a click pins it.
void TextView::State::point(const ViewContext& context, const TextShown& of,
                            const RunningTextPane::Pointed& pointed, Hover& hover) const {
  if (!pointed.inside)
    return;
  if (!pointed.token) {
    hover = context.hover;
    return;
  }
  const Index token = *pointed.token;
  const bool byKey = context.scene.attention.text.byKey;
  const Index count = byKey ? context.results.lengths.keys : context.results.lengths.queries;
  if (token >= count)
    return;
  (byKey ? hover.key : hover.query) = token;
  tooltip(context.ui, visibleText(wordsOfToken(of.shades, of.labels, token)));
  if (!pointed.clicked)
    return;
  Pins pins = context.scene.pins;
  std::optional<Index>& pin = byKey ? pins.key : pins.query;
  pin = pin == token ? std::nullopt : std::optional(token);
  context.actions.push(SetPins{pins});
}

TextView::TextView() : state_(std::make_unique<State>()) {}
TextView::~TextView() = default;

void TextView::leave() {
  state_ = std::make_unique<State>();
}

void TextView::draw(const ViewContext& context) {
  const TextResults& text = context.results.part<TextResults>();
  const TextShown nothing;
  const bool there = isThere(context, text);
  const TextShown& of = there ? *text.shown : nothing;
  const auto drawText = [&](const Rect& room, Hover& hover) {
    state_->point(context, of,
                  state_->text.draw(context, text.shown.value, of.mark, room, "Running text"),
                  hover);
  };
  drawSingle(context,
             {there,
              of.title,
              of.caption,
              text.problem,
              {"point at a word to see its attention · click pins it · scroll moves along the "
               "text · N / P: next / previous head",
               "point at a word · click pins it · scroll moves", "point at a word"}},
             drawText);
}

} // namespace attention::gui
