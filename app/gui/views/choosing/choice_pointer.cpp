#include "app/gui/views/choosing/choosing_pointer.h"

#include "app/gui/interface/latest.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/views/choosing/choosing_layout.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

const ChoosingShown& shownOf(const ViewContext& context) {
  return *context.results.part<ChoosingResults>().shown;
}

void pin(const ViewContext& context, Index query) {
  context.actions.push(SetPins{{query, context.scene.pins.key}});
}

// A cell of the scores, of the mask or of the time line, which has keys as rows.
void tellCell(const ViewContext& context, const ChosenKeys& of, const Hover& cell,
              const CanvasInput& input) {
  const Index i = *cell.query;
  const Index j = *cell.key;
  if (of.isCache()) {
    tooltip(context.ui, "key " + groupDigits(j) + " at step " + groupDigits(i) + ": " +
                            stateOf(of, i, j) + "\nkey " + groupDigits(j) + " " + fateOf(of, j));
  } else {
    const Explanation why = of.prepared->why(i, j);
    tooltip(context.ui, "query " + groupDigits(i) + " → key " + groupDigits(j) + "\n" +
                            (why.attends ? "✓ " : "✗ ") + why.text);
  }
  if (input.clicked)
    pin(context, i);
}

// A bar: of a block of keys, or of a key of the step.
void tellBar(const ViewContext& context, const ChosenKeys& of, Index at,
             std::optional<Hover>& hover) {
  const ChoosingAnswer& answer = shownOf(context).answer;
  tooltip(context.ui,
          of.isCache() ? stepWords(of, *answer.step, at) : rankWords(of, *answer.row, at));
  hover = Hover{answer.query, of.isCache() ? at : std::min(at * of.choice().keyBlock, of.n() - 1)};
}

} // namespace

void pointAtChoice(const ViewContext& context, const Plot& plot, const Rect& box,
                   const CanvasInput& input, std::optional<Hover>& hover) {
  const ChosenKeys& of = *shownOf(context).answer.chosen;
  const ImVec2 pointer(input.mouseX, input.mouseY);
  if (const auto* curves = std::get_if<CurvesMark>(&plot.mark)) {
    if (!input.hovered || pointer.x < box.x0 || pointer.x >= box.x1)
      return;
    const double x = valueAt(curves->x, static_cast<double>((pointer.x - box.x0) / widthOf(box)));
    const auto last = static_cast<Index>(std::floor(curves->x.end));
    return tellBar(context, of, std::clamp<Index>(std::llround(x), 0, last), hover);
  }
  ValuesMark whole;
  whole.cells = of.prepared->bounds();
  const auto turned = [&](const Hover& cell) { // of a time line, rows are keys
    return of.isCache() ? Hover{cell.key, cell.query} : cell;
  };
  if (const auto cell = input.hovered ? cellUnder(whole, box, pointer) : std::nullopt) {
    hover = turned(*cell);
    tellCell(context, of, *hover, input);
  }
  frameCell(context.ui, whole, box, turned(hover.value_or(context.hover)));
}

void drawQueryWalk(const ViewContext& context, const Rect& area) {
  const Ui& ui = context.ui;
  const ChosenKeys& of = *shownOf(context).answer.chosen;
  const std::string what = of.isCache() ? "step" : "query";
  const Index last = of.n() - 1;
  Index query = choosingQuery(context.scene, of.n());
  drawWalk(context, {area.x0, area.y0 + ui.px(14), area.x1, area.y1},
           {{"choosing.play", "Walk from " + what + " to " + what + " (Space)"},
            {"choosing.query.back", "Previous " + what + " (↑)", query > 0},
            {"choosing.query.forward", "Next " + what + " (↓)", query < last}},
           controlsInTwoRows(ui, widthOf(area)));
  SliderSpec spec;
  spec.tooltip = "The " + what + " that is shown in detail; a click in a picture chooses it too";
  const Edit edit = sliderInt(ui, of.isCache() ? "at step" : "query", query, 0, last, spec);
  if (edit.changed)
    context.actions.push(SetPins{{query, context.scene.pins.key}});
  if (edit.finished)
    context.actions.push(EndGesture{});
}

} // namespace attention::gui
