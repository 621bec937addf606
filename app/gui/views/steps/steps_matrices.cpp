#include "app/gui/views/steps/steps_matrices.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/ui.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kBetween = 18; // of matrices, at scale 1, as all that follow
constexpr float kPanelTitle = 22;
constexpr float kBesideShare = 0.2F; // of the width, for the matrices of the steps before
constexpr double kTypeOfCells = 1.5; // size of the numbers at most, in units of a matrix
constexpr double kLargestType = 1.6; // times the type of plots
constexpr double kLeastPresented = 0.6;

// As many in a row as makes them largest. `shape`: height over width.
Rects gridOf(const Ui& ui, const Rect& area, std::size_t count, float shape) {
  const float gap = ui.px(kBetween);
  Rects best = columnOf(area, count, gap);
  float width = 0; // of a matrix
  for (std::size_t columns = 1; columns <= count; ++columns) {
    Rects all;
    for (const Rect& row : columnOf(area, (count + columns - 1) / columns, gap))
      for (const Rect& each : rowOf(row, columns, gap))
        all.push_back(each);
    const float now =
        std::min(widthOf(all.front()), (heightOf(all.front()) - ui.px(kPanelTitle)) / shape);
    if (now > width) {
      width = now;
      best = std::move(all);
    }
  }
  best.resize(count);
  return best;
}

// The last one is large, and those before it stand in a column beside it.
Rects columnAndLast(const Ui& ui, Rect area, std::size_t count) {
  if (count == 1)
    return {area};
  const float gap = ui.px(kBetween);
  const float beside = area.x0 + kBesideShare * widthOf(area);
  Rects all = columnOf({area.x0, area.y0, beside, area.y1}, count - 1, gap);
  area.x0 = beside + gap;
  all.push_back(area);
  return all;
}

Rects matrixRects(const Ui& ui, const Rect& area, const StepsShown& shown, Index step) {
  const auto& steps = std::get<MatrixSteps>(*shown.of.steps);
  const auto count = static_cast<std::size_t>(matricesAt(steps, step));
  const auto shape = static_cast<float>(aspect(shown.panels.front().plots.front()));
  return step == 0 ? gridOf(ui, area, count, shape) : columnAndLast(ui, area, count);
}

Rect between(const Rect& from, const Rect& to, float share) {
  const auto on = [&](float a, float b) { return a + share * (b - a); };
  return {on(from.x0, to.x0), on(from.y0, to.y0), on(from.x1, to.x1), on(from.y1, to.y1)};
}

Rect belowTitle(const Ui& ui, Rect rect) {
  rect.y0 += ui.px(kPanelTitle);
  return rect;
}

void drawMatrixTitle(const Ui& ui, const Rect& rect, const std::optional<Rect>& matrix,
                     const std::string& title) {
  const float height = ui.px(kPanelTitle);
  const float y = matrix ? std::max(rect.y0, matrix->y0 - height) : rect.y0;
  drawLineIn(ui, {matrix ? matrix->x0 : rect.x0, y, rect.x1, y + height}, title);
}

std::string matrixName(std::size_t k) {
  return "Matrix " + std::to_string(k + 1);
}

// Large cells have large numbers, times the type of plots.
double grownIn(const ViewContext& context, const Plot& plot, const Rect& room) {
  const auto& mark = std::get<DiagramMark>(plot.mark);
  const double unit = std::min(static_cast<double>(widthOf(room)) / mark.width,
                               static_cast<double>(heightOf(room)) / mark.height);
  return std::clamp(kTypeOfCells * unit / plotType(context.ui.fonts),
                    context.presented ? kLeastPresented : 1, kLargestType);
}

void pinRow(const ViewContext& context, const FigurePanel& panel, const CanvasInput& input,
            const Rect& box) {
  const auto row = matrixRowAt(inDiagram(panel.plots.front(), box, input.mouseX, input.mouseY),
                               context.results.lengths.queries);
  if (row)
    context.actions.push(
        SetPins{{context.scene.pins.query == row ? std::nullopt : row, context.scene.pins.key}});
}

} // namespace

void StepsMatrices::draw(const ViewContext& context, const Latest<StepsShown>& shown,
                         const StepsMotion& motion, const Rect& area) {
  const float share = motion.before() ? motion.share() : 1;
  const Rects now = matrixRects(context.ui, area, *shown, shown->step);
  const Rects before = matrixRects(context.ui, area, *shown, motion.before().value_or(shown->step));
  for (std::size_t k = 0; k < std::min(before.size(), now.size()); ++k)
    drawMatrix(context, shown, k, between(before[k], now[k], share));
  // A new matrix comes out of the newest before it, and goes back into it.
  for (std::size_t k = before.size(); k < now.size(); ++k)
    drawComing(context, *shown, k, between(before.back(), now[k], share), share);
  for (std::size_t k = now.size(); k < before.size(); ++k)
    drawComing(context, *shown, k, between(before[k], now.back(), share), 1 - share);
}

void StepsMatrices::drawMatrix(const ViewContext& context, const Latest<StepsShown>& shown,
                               std::size_t k, const Rect& rect) {
  const Ui& ui = context.ui;
  const FigurePanel& panel = shown->panels[k];
  const Plot& plot = panel.plots.front();
  const Rect room = belowTitle(ui, rect);
  ImGui::SetCursorScreenPos(ImVec2(room.x0, room.y0));
  const CanvasInput input =
      canvas(ui, matrixName(k), ImVec2(widthOf(room), heightOf(room)), panel.title);
  const auto box = panes_[k].draw({.plot = plot,
                                   .version = shown.value,
                                   .slot = matrixName(k),
                                   .grown = grownIn(context, plot, room)},
                                  room, context);
  drawMatrixTitle(ui, rect, box, panel.title);
  if (box && input.clicked && !context.blocked)
    pinRow(context, panel, input, *box);
}

void StepsMatrices::drawComing(const ViewContext& context, const StepsShown& shown, std::size_t k,
                               const Rect& rect, float share) {
  const StepsShownKey& of = shown.of;
  const auto plot = std::make_shared<const Plot>(matrixComing(
      std::get<MatrixSteps>(*of.steps), {of.tokens, of.square, of.query, static_cast<Index>(k) + 1},
      static_cast<double>(share)));
  const Rect room = belowTitle(context.ui, rect);
  const auto box = panes_[k].draw({.plot = *plot,
                                   .version = plot,
                                   .slot = matrixName(k),
                                   .grown = grownIn(context, *plot, room)},
                                  room, context);
  if (k < shown.panels.size())
    drawMatrixTitle(context.ui, rect, box, shown.panels[k].title);
}

} // namespace attention::gui
