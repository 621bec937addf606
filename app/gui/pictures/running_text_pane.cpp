#include "app/gui/pictures/running_text_pane.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "core/plot/draw_marks.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kLinesPerNotch = 3;

} // namespace

// Whether the text begins with another line from now on, so that a token that was out of sight is
// in it, below that share of what is shown.
bool RunningTextPane::turnTo(const RunningTextMark& mark, Index token, double above, const Ui& ui) {
  if (sideOf(token) == 0)
    return false;
  RunningTextMark from = mark;
  from.first = token;
  const auto lines = static_cast<Index>(above * size_.height / lines_.lineHeight);
  first_ = scrolledTo(from, -lines, size_.width, type_, windowMeasure(ui.fonts));
  return first_ != shownFirst_;
}

// The same for a pinned token, of which most is above: it attends to what stands before it. The
// pointer only marks what is in sight.
bool RunningTextPane::reveal(const RunningTextMark& mark, const ViewContext& context) {
  constexpr double kAbove = 0.7;
  constexpr double kAboveAsked = 0.3;
  if (const auto asked = std::exchange(asked_, std::nullopt))
    return turnTo(mark, *asked, kAboveAsked, context.ui);
  const Pins& pins = context.scene.pins;
  const bool none = !pins.query && !pins.key;
  if (!mark.marked || revealed_ == pins ||
      !(none || mark.marked == pins.query || mark.marked == pins.key))
    return false;
  revealed_ = pins;
  return turnTo(mark, *mark.marked, kAbove, context.ui);
}

void RunningTextPane::layOut(const std::shared_ptr<const void>& of, const RunningTextMark& mark,
                             const Rect& room, const ViewContext& context) {
  const Ui& ui = context.ui;
  const Size now{static_cast<double>(widthOf(room)), static_cast<double>(heightOf(room))};
  const double base = plotType(ui.fonts);
  if (of_ == of && shownFirst_ == first_ && size_ == now && base_ == base && plot_)
    return;
  // In another window it may be out of sight. What is pointed at changes only the height, by the
  // words below the text: these must not take it from where it was scrolled to.
  if (size_.width != now.width || base_ != base)
    revealed_.reset();
  const TextMeasure measure = windowMeasure(ui.fonts);
  const auto count = std::ssize(mark.tokens);
  first_ = std::clamp<Index>(first_, 0, std::max<Index>(0, count - 1));
  RunningTextMark shown = mark;
  shown.first = first_;
  type_ = runningType(shown, now, base, measure);
  lines_ = textLines(shown, now, type_, measure);
  if (first_ > 0 && lines_.end == count) {
    shown.first = first_ = pageFrom(shown, now, type_, measure);
    lines_ = textLines(shown, now, type_, measure);
  }
  of_ = of;
  size_ = now;
  base_ = base;
  shownFirst_ = first_;
  plot_ = std::make_shared<const Plot>(Plot{std::move(shown), std::nullopt, std::nullopt});
}

void RunningTextPane::scroll(float notches, const Rect& box, const Ui& ui) {
  if (notches == 0)
    return;
  const auto& mark = std::get<RunningTextMark>(plot_->mark);
  if (const float by = wholePart(rest_, -notches * kLinesPerNotch, 1); by != 0)
    first_ = scrolledTo(mark, static_cast<Index>(by), static_cast<double>(widthOf(box)), type_,
                        windowMeasure(ui.fonts));
}

RunningTextPane::Pointed RunningTextPane::draw(const ViewContext& context,
                                               const std::shared_ptr<const void>& of,
                                               const RunningTextMark& mark, const Rect& room,
                                               const char* slot) {
  layOut(of, mark, room, context);
  if (reveal(mark, context))
    layOut(of, mark, room, context);
  ImGui::SetCursorScreenPos(ImVec2(room.x0, room.y0));
  const CanvasInput input = canvas(context.ui, slot, ImVec2(widthOf(room), heightOf(room)),
                                   countText(std::ssize(mark.tokens), "token"), Wheel::Zooms);
  const auto box = pane_.draw({*plot_, plot_, slot}, room, context);
  if (!box || context.blocked || !input.hovered)
    return {};
  scroll(input.scroll, *box, context.ui);
  return {true,
          lines_.tokenAt({static_cast<double>(input.mouseX - box->x0),
                          static_cast<double>(input.mouseY - box->y0)}),
          input.clicked};
}

} // namespace attention::gui
