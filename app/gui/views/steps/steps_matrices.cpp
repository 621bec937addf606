#include "app/gui/views/steps/steps_matrices.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"

#include <algorithm>
#include <span>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kBetween = 18; // of matrices, at scale 1, as all that follow
constexpr float kMostBetween = 60;
constexpr float kPanelTitle = 22;
constexpr float kLargeShare = 0.8F;  // of the width at most, for the matrix of the step
constexpr double kTypeOfCells = 1.5; // size of the numbers at most, in units of a matrix
constexpr double kLargestType = 1.6; // times the type of plots
constexpr double kLeastPresented = 0.6;

// A matrix in its units, and the points that its title takes where that may be wider: an output of
// few numbers. Other titles are cut.
struct MatrixShape {
  Size units;
  float title = 0;
};
using MatrixRow = std::span<const MatrixShape>;

// Matrices whose cells have one size, in rows of so many.
struct MatrixRows {
  std::vector<MatrixRow> rows;
  float unit = 0; // points of a unit at most
};

float widthOf(MatrixRow row) {
  float width = 0;
  for (const MatrixShape& of : row)
    width += static_cast<float>(of.units.width);
  return width;
}

float heightOf(MatrixRow row) {
  return static_cast<float>(row.front().units.height);
}

// Without gaps.
float widthOf(MatrixRow row, float unit) {
  const MatrixRow rest = row.first(row.size() - 1);
  return unit * widthOf(rest) + std::max(unit * widthOf(row.last(1)), row.back().title);
}

float unitIn(const Ui& ui, const Rect& area, const std::vector<MatrixRow>& rows) {
  const auto count = static_cast<float>(rows.size());
  const float high = heightOf(area) - (count - 1) * ui.px(kBetween) - count * ui.px(kPanelTitle);
  float unit = high / (count * heightOf(rows.front()));
  for (const MatrixRow row : rows) {
    const float wide = widthOf(area) - static_cast<float>(row.size() - 1) * ui.px(kBetween);
    unit = std::min(unit, wide / widthOf(row));
    if (row.size() > 1)
      unit = std::min(unit, (wide - row.back().title) / widthOf(row.first(row.size() - 1)));
  }
  return std::max(0.0F, unit);
}

// In as many rows, of as many each, as make them largest: a bit of `breaks` for every matrix that
// is the last of its row.
MatrixRows largestRows(const Ui& ui, const Rect& area, MatrixRow units) {
  MatrixRows best;
  const std::size_t ways = std::size_t{1} << (units.size() - 1);
  for (std::size_t breaks = 0; breaks < ways; ++breaks) {
    MatrixRows now;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < units.size(); ++k)
      if (k + 1 == units.size() || (breaks >> k & 1U) != 0) {
        now.rows.push_back(units.subspan(begin, k + 1 - begin));
        begin = k + 1;
      }
    now.unit = unitIn(ui, area, now.rows);
    if (now.unit > best.unit || best.rows.empty())
      best = std::move(now);
  }
  return best;
}

// From the left and the top, with gaps that take some of the rest of the room.
Rects packed(const Ui& ui, const Rect& area, MatrixRow units) {
  const MatrixRows all = largestRows(ui, area, units);
  const auto gap = [&](float rest, std::size_t count) {
    return std::clamp(rest / static_cast<float>(std::max<std::size_t>(count, 2) - 1),
                      ui.px(kBetween), ui.px(kMostBetween));
  };
  float across = ui.px(kMostBetween);
  for (const MatrixRow row : all.rows)
    across = std::min(across, gap(widthOf(area) - widthOf(row, all.unit), row.size()));
  const float high = all.unit * heightOf(units) + ui.px(kPanelTitle);
  const float down =
      gap(heightOf(area) - high * static_cast<float>(all.rows.size()), all.rows.size());
  Rects rects;
  float y = area.y0;
  for (const MatrixRow row : all.rows) {
    float x = area.x0;
    for (const MatrixShape& of : row) {
      const float right = x + all.unit * static_cast<float>(of.units.width);
      rects.push_back({x, y, right, y + high});
      x = right + across;
    }
    y += high + down;
  }
  return rects;
}

// The last one is large, and those before it stand beside it.
Rects oneLarge(const Ui& ui, const Rect& area, MatrixRow units) {
  if (units.size() == 1)
    return packed(ui, area, units);
  Rect room = area;
  room.x0 = room.x1 - kLargeShare * widthOf(area);
  const auto last = units.last(1);
  const float width = widthOf(last, unitIn(ui, room, {last}));
  Rects all = packed(ui, {area.x0, area.y0, area.x1 - width - ui.px(kBetween), area.y1},
                     units.first(units.size() - 1));
  float end = area.x0; // of those beside it
  for (const Rect& each : all)
    end = std::max(end, each.x1);
  const float left = std::min(end + ui.px(kMostBetween), area.x1 - width);
  all.push_back(packed(ui, {left, area.y0, left + width, area.y1}, last).front());
  return all;
}

float titleWidth(const Ui& ui, const std::string& title) {
  return textSize(ui.fonts.small, title).x + 1;
}

Rects matrixRects(const Ui& ui, const Rect& area, const StepsShown& shown, Index step) {
  const auto& steps = std::get<MatrixSteps>(*shown.steps);
  std::vector<MatrixShape> units;
  for (Index k = 1; k <= matricesAt(steps, step); ++k)
    units.push_back(
        {matrixSize(steps, k), k < kMatrixSteps ? 0 : titleWidth(ui, matrixTitle(steps, k))});
  return step == 0 ? packed(ui, area, units) : oneLarge(ui, area, units);
}

Rect between(const Rect& from, const Rect& to, float share) {
  const auto on = [&](float a, float b) { return a + share * (b - a); };
  return {on(from.x0, to.x0), on(from.y0, to.y0), on(from.x1, to.x1), on(from.y1, to.y1)};
}

Rect belowTitle(const Ui& ui, Rect rect) {
  rect.y0 += ui.px(kPanelTitle);
  return rect;
}

// Of the k-th matrix.
void drawMatrixTitle(const Ui& ui, const Rect& rect, const std::optional<Rect>& matrix,
                     const std::string& title, std::size_t k) {
  const float height = ui.px(kPanelTitle);
  const float y = matrix ? std::max(rect.y0, matrix->y0 - height) : rect.y0;
  const float left = matrix ? matrix->x0 : rect.x0;
  const float wanted = static_cast<Index>(k) + 1 < kMatrixSteps ? 0 : titleWidth(ui, title);
  drawLineIn(ui, {left, y, std::max(rect.x1, left + wanted), y + height}, title);
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

bool contains(const Box& box, const Point& at) {
  return at.x >= box.x && at.x < box.right() && at.y >= box.y && at.y < box.bottom();
}

// What the cell under the pointer holds.
void tellCell(const ViewContext& context, const Plot& plot, const CanvasInput& input,
              const Rect& box) {
  const Point at = inDiagram(plot, box, input.mouseX, input.mouseY);
  for (const PlaceWords& place : plot.told())
    if (contains(place.box, at))
      return tooltip(context.ui, visibleText(place.words));
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
  drawMatrixTitle(ui, rect, box, panel.title, k);
  if (!box || context.blocked)
    return;
  if (input.hovered)
    tellCell(context, plot, input, *box);
  if (input.clicked)
    pinRow(context, panel, input, *box);
}

void StepsMatrices::drawComing(const ViewContext& context, const StepsShown& shown, std::size_t k,
                               const Rect& rect, float share) {
  const StepsLook& of = shown.look;
  const auto plot = std::make_shared<const Plot>(matrixComing(
      std::get<MatrixSteps>(*shown.steps),
      {of.tokens, of.square, of.query, static_cast<Index>(k) + 1}, static_cast<double>(share)));
  const Rect room = belowTitle(context.ui, rect);
  const auto box = panes_[k].draw({.plot = *plot,
                                   .version = plot,
                                   .slot = matrixName(k),
                                   .grown = grownIn(context, *plot, room)},
                                  room, context);
  if (k < shown.panels.size())
    drawMatrixTitle(context.ui, rect, box, shown.panels[k].title, k);
}

} // namespace attention::gui
