#include "app/gui/views/text/text_view.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/running_text_pane.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/support/direction.h"

namespace attention::gui {
namespace {

constexpr float kHiddenLine = 26;  // at scale 1, for the way to a hidden word out of sight
constexpr float kLinkBaseline = 3; // small words beside a link stand lower by these

const char* sideName(int side) {
  return side < 0 ? "above" : "below";
}

class TextPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;

private:
  RunningTextPane text_;

  Rect drawHidden(const ViewContext& context, const TextShown& of, Rect room);

  void point(const ViewContext& context, const TextShown& of,
             const RunningTextPane::Pointed& pointed, Hover& hover) const;
};

// A token is pointed at until the pointer is on another one, so that gaps between words flicker
// nothing; a click pins it.
void TextPane::point(const ViewContext& context, const TextShown& of,
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

// Where the hidden word is that the caption names, if it is out of sight, and a link to it. Returns
// the room above.
Rect TextPane::drawHidden(const ViewContext& context, const TextShown& of, Rect room) {
  if (!of.hidden || context.presented || !text_.scrolls(of.mark))
    return room;
  const Ui& ui = context.ui;
  room.y1 -= ui.px(kHiddenLine);
  const int side = text_.sideOf(*of.hidden);
  if (side == 0)
    return room;
  const std::string words = fromLeft(of.hiddenName + " is further " + sideName(side) + " · ");
  const float width = textSize(ui.fonts.small, words).x;
  drawLineIn(ui, {room.x0, room.y1 + ui.px(kLinkBaseline), room.x1, room.y1 + ui.px(kHiddenLine)},
             words);
  const Lines lines({room.x0 + width, room.y1, room.x1, room.y1 + ui.px(kHiddenLine)});
  if (link(ui, "show it", {"Scroll to the hidden word with the most weight"}))
    text_.show(*of.hidden);
  return room;
}

void TextPane::draw(const ViewContext& context) {
  const TextResults& text = context.results.part<TextResults>();
  const TextShown nothing;
  const bool there = isThere(context, text);
  const TextShown& of = there ? *text.shown : nothing;
  const int side = of.hidden && context.presented ? text_.sideOf(*of.hidden) : 0;
  const std::string caption =
      of.caption + (side == 0 ? "" : " It is further " + std::string(sideName(side)) + ".");
  const auto drawText = [&](const Rect& all, Hover& hover) {
    const Rect room = drawHidden(context, of, all);
    point(context, of, text_.draw(context, text.shown.value, of.mark, room, "Running text"), hover);
  };
  drawSingle(context,
             {there,
              of.title,
              caption,
              text.problem,
              {"point at a word to see its attention · click pins it · scroll moves along the "
               "text · N / P: next / previous head",
               "point at a word · click pins it · scroll moves", "point at a word"}},
             drawText);
}

} // namespace

std::unique_ptr<ViewPane> textPane() {
  return std::make_unique<TextPane>();
}

} // namespace attention::gui
