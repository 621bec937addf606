#include "app/gui/views/text/text_view.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/views/text/text_results.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/plot/draw_marks.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kLinesPerNotch = 3;

// "key 12 “river”: 0.12 under the pattern, 0.08 without it".
std::string wordsOfToken(const TextShown& shown, Index token) {
  const auto at = static_cast<std::size_t>(token);
  const auto numberOf = [&](const std::vector<float>& of) {
    return shortNumber(static_cast<double>(of[at]), 3);
  };
  return std::string(shown.shades.byKey ? "query " : "key ") + groupDigits(token) + ": " +
         numberOf(shown.shades.kept) + " under the pattern, " + numberOf(shown.shades.dense) +
         " without it";
}

} // namespace

struct TextView::State {
  PlotPane pane;
  float rest = 0;  // of the wheel
  Index first = 0; // token of the first line
  // The text from there on, laid out when one of these changes.
  std::shared_ptr<const TextShown> of;
  std::shared_ptr<const Plot> plot;
  TextLines lines;
  Size size;
  double type = 0;

  const Plot& plotFrom(const std::shared_ptr<const TextShown>& shown, const Rect& room,
                       const Ui& ui);
  void point(const ViewContext& context, const CanvasInput& input, const Rect& box, Hover& hover);
};

const Plot& TextView::State::plotFrom(const std::shared_ptr<const TextShown>& shown,
                                      const Rect& room, const Ui& ui) {
  const Size now{static_cast<double>(widthOf(room)), static_cast<double>(heightOf(room))};
  first = std::clamp<Index>(first, 0, std::max<Index>(0, std::ssize(shown->mark.tokens) - 1));
  RunningTextMark mark = shown->mark;
  mark.first = first;
  const double typeNow = runningType(mark, now, plotType(ui.fonts), windowMeasure(ui.fonts));
  const bool moved = !plot || std::get<RunningTextMark>(plot->mark).first != first;
  if (of == shown && !moved && size == now && type == typeNow)
    return *plot;
  of = shown;
  size = now;
  type = typeNow;
  lines = textLines(mark, size, type, windowMeasure(ui.fonts));
  plot = std::make_shared<const Plot>(Plot{std::move(mark), std::nullopt, std::nullopt});
  return *plot;
}

// A token is pointed at until the pointer is on another one, so that gaps between words flicker
// nothing; a click pins it.
void TextView::State::point(const ViewContext& context, const CanvasInput& input, const Rect& box,
                            Hover& hover) {
  if (!input.hovered)
    return;
  const auto& mark = std::get<RunningTextMark>(plot->mark);
  if (input.scroll != 0)
    if (const float by = wholePart(rest, -input.scroll * kLinesPerNotch, 1); by != 0)
      first = scrolledTo(mark, static_cast<Index>(by), static_cast<double>(widthOf(box)), type,
                         windowMeasure(context.ui.fonts));
  const auto token = lines.tokenAt(
      {static_cast<double>(input.mouseX - box.x0), static_cast<double>(input.mouseY - box.y0)});
  if (!token) {
    hover = context.hover;
    return;
  }
  const bool byKey = context.scene.attention.text.byKey;
  const Index count = byKey ? context.results.lengths.keys : context.results.lengths.queries;
  if (*token >= count)
    return;
  (byKey ? hover.key : hover.query) = *token;
  tooltip(context.ui, wordsOfToken(*of, *token));
  if (!input.clicked)
    return;
  Pins pins = context.scene.pins;
  std::optional<Index>& pin = byKey ? pins.key : pins.query;
  pin = pin == *token ? std::nullopt : token;
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
    const Plot& plot = state_->plotFrom(text.shown.value, room, context.ui);
    ImGui::SetCursorScreenPos(ImVec2(room.x0, room.y0));
    const CanvasInput input =
        canvas(context.ui, "Running text", ImVec2(widthOf(room), heightOf(room)),
               countText(std::ssize(of.mark.tokens), "token"), Wheel::Zooms);
    const auto box = state_->pane.draw({plot, state_->plot, "running text"}, room, context);
    if (box && !context.blocked)
      state_->point(context, input, *box, hover);
  };
  drawSingle(context,
             {there,
              of.title,
              of.caption,
              text.problem,
              {"point at a word to see its attention · click pins it · scroll moves along the "
               "text · N P next head",
               "point at a word · click pins it · scroll moves", "point at a word"}},
             drawText);
}

} // namespace attention::gui
