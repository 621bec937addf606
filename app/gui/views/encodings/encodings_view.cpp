#include "app/gui/views/encodings/encodings_view.h"
#include "app/gui/interface/latest.h"
#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/views/encodings/encodings_trace.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"

#include <array>

namespace attention::gui {
namespace {

constexpr float kHeadingHeight = 24;
constexpr float kBetween = 14;
constexpr float kFootHeight = 54;
constexpr float kLeftShare = 0.42F; // of the width, for the tables and the grid
constexpr float kLeastHeight = 110; // of a plot; with less, the grid is left out, then the tables

// In the order of EncodingPlot.
constexpr std::array kNames{"E1", "E2", "Positions", "E"};

struct Areas {
  Rect title;
  std::array<Rect, kNames.size()> plots{}; // without a width: left out
  Rect foot;
};

Areas areasOf(const ViewContext& context, const std::string& title) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  Areas areas;
  const float left = all.x0 + ui.px(kViewMargin);
  const float right = all.x1 - ui.px(kViewMargin);
  const float top = all.y0 + ui.px(12);
  areas.title = {left, top, right, top + headingHeight(ui, title, right - left)};
  areas.foot = {left, all.y1 - ui.px(kFootHeight), right, all.y1 - ui.px(6)};
  const float from = areas.title.y1;
  const float to = areas.foot.y0 - ui.px(kBetween);
  std::size_t beside = 3; // plots to the left of E
  while (beside > 0 && (to - from) / static_cast<float>(beside) < ui.px(kLeastHeight))
    beside = beside == 3 ? 2 : 0;
  const float middle = beside > 0 ? left + (right - left) * kLeftShare : left - ui.px(kBetween);
  const float each = beside > 0 ? (to - from) / static_cast<float>(beside) : 0;
  for (std::size_t k = 0; k < beside; ++k) {
    const float y = from + each * static_cast<float>(k);
    areas.plots[k] = {left, y + ui.px(kHeadingHeight), middle, y + each - ui.px(kBetween / 2)};
  }
  areas.plots[3] = {middle + ui.px(kBetween), from + ui.px(kHeadingHeight), right, to};
  return areas;
}

std::string headingOf(const AxialShape& shape, std::size_t plot) {
  const auto sized = [](Index rows, Index cols) {
    return groupDigits(rows) + " × " + groupDigits(cols);
  };
  switch (static_cast<EncodingPlot>(plot)) {
  case EncodingPlot::E1:
    return "E1, " + sized(shape.l1, shape.d1);
  case EncodingPlot::E2:
    return "E2, " + sized(shape.l2, shape.d2);
  case EncodingPlot::Positions:
    return "position of each pair of rows";
  case EncodingPlot::E:
    break;
  }
  return "E = [E1 | E2], " + sized(shape.length(), shape.width());
}

// The Scene's position in the picture, which may belong to an older Scene.
Index positionIn(const AxialShape& shape, EncodingsSpec chosen) {
  chosen.n = shape.n;
  chosen.l1 = shape.l1;
  chosen.l2 = shape.l2;
  return positionOf(chosen);
}

class EncodingsPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;

private:
  std::array<PlotPane, kNames.size()> panes_;

  // What is under the pointer, the plots being drawn.
  std::array<std::optional<Rect>, kNames.size()>
  drawPlots(const ViewContext& context, const Areas& areas, std::optional<EncodingTrace>& pointed);
};

std::array<std::optional<Rect>, kNames.size()>
EncodingsPane::drawPlots(const ViewContext& context, const Areas& areas,
                         std::optional<EncodingTrace>& pointed) {
  const Ui& ui = context.ui;
  const auto& encodings = context.results.part<EncodingsResults>().shown;
  const AxialShape& shape = encodings->answer.shape;
  const std::array<const Plot*, kNames.size()> plots{
      &encodings->plots.e1, &encodings->plots.e2, &encodings->plots.positions, &encodings->plots.e};
  std::array<std::optional<Rect>, kNames.size()> boxes;
  for (std::size_t k = 0; k < plots.size(); ++k) {
    const Rect& area = areas.plots[k];
    if (widthOf(area) <= 0)
      continue;
    drawLine(ui, ImVec2(area.x0, area.y0 - ui.px(kHeadingHeight)), {area.x0, area.x1},
             ui.colors().dim, headingOf(shape, k));
    ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
    const CanvasInput input = canvas(ui, kNames[k], ImVec2(widthOf(area), heightOf(area)),
                                     traceText(shape, positionIn(shape, context.scene.encodings)));
    boxes[k] = panes_[k].draw({*plots[k], encodings.value, kNames[k]}, area, context);
    if (!boxes[k] || !input.hovered || context.blocked)
      continue;
    pointed = traceUnder(std::get<CurvesMark>(plots[k]->mark), static_cast<EncodingPlot>(k), shape,
                         *boxes[k], ImVec2(input.mouseX, input.mouseY));
    if (pointed && pointed->position && input.clicked)
      context.actions.edit("position", [position = *pointed->position](Scene& s) {
        s.encodings.position = position;
      });
  }
  return boxes;
}

void EncodingsPane::draw(const ViewContext& context) {
  const Ui& ui = context.ui;
  const auto& encodings = context.results.part<EncodingsResults>().shown;
  if (!encodings)
    return drawUnmade(context, encodings.problem, "computing …");
  const AxialShape& shape = encodings->answer.shape;
  const ShownTitle title = shownTitle(context, context.results.title, encodings.problem);
  const Areas areas = areasOf(context, title.words);
  drawShownTitle(ui, areas.title, title);
  std::optional<EncodingTrace> pointed;
  const auto boxes = drawPlots(context, areas, pointed);
  const Index position = positionIn(shape, context.scene.encodings);
  drawTrace(ui, encodings->plots, boxes, shape, traceOf(shape, position), ui.colors().text);
  if (pointed)
    drawTrace(ui, encodings->plots, boxes, shape, *pointed, ui.colors().accent);
  const Rect& foot = areas.foot;
  drawLine(ui, ImVec2(foot.x0, foot.y0), {foot.x0, foot.x1}, ui.colors().text,
           pointed ? wordsOf(shape, *pointed) : traceText(shape, position));
  constexpr const char* kColors = "blue below zero, orange above";
  drawLine(ui, ImVec2(foot.x0, foot.y0 + ui.px(24)), {foot.x0, foot.x1}, ui.colors().dim,
           context.presented
               ? kColors
               : firstFitting(ui, widthOf(foot),
                              {"blue below zero, orange above · point at a row to trace it, click "
                               "to keep a position",
                               "blue below zero, orange above · point at a row, click to keep it",
                               kColors}));
  dimLastGood(context, areas.title, title);
}

} // namespace

std::unique_ptr<ViewPane> encodingsPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<EncodingsPane>();
}

} // namespace attention::gui
