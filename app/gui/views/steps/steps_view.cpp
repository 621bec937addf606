#include "app/gui/views/steps/steps_view.h"

#include "app/gui/interface/latest.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/views/steps/steps_results.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/views/board/board_figure.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr float kBetween = 18; // of matrices, at scale 1, as all that follow
constexpr float kPanelTitle = 22;
constexpr float kNarrowUnit = 5; // points of a board's unit: with fewer it has fewer columns
constexpr std::size_t kMostPanels = static_cast<std::size_t>(kMatrixSteps);

Hints hintsOf(const StepsShown& shown) {
  if (!shown.board)
    return {"→ ← step through · Space plays · click a row, or ↑ ↓, to light it",
            "→ ← step · Space plays", "→ ← step"};
  return {"→ ← step through · Space plays · ↑ ↓ choose the query · point at a number for how it "
          "came about · click pins its key",
          "→ ← step · Space plays · ↑ ↓ query · point at a number", "→ ← step · ↑ ↓ query",
          "→ ← step"};
}

// Where the matrices lie, all of one shape: as many in a row as makes them largest.
Rects matrixRects(const Ui& ui, const Rect& area, const std::vector<FigurePanel>& panels) {
  const float gap = ui.px(kBetween);
  const std::size_t count = kMostPanels; // they stay where they are while steps come
  if (panels.empty())
    return {};
  const auto shape = static_cast<float>(aspect(panels.front().plots.front()));
  Rects best;
  float width = 0; // of a matrix
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    Rects all;
    for (const Rect& row : columnOf(area, rows, gap))
      for (const Rect& each : rowOf(row, columns, gap))
        all.push_back(each);
    const float now =
        std::min(widthOf(all.front()), (heightOf(all.front()) - ui.px(kPanelTitle)) / shape);
    if (now > width) {
      width = now;
      best = std::move(all);
    }
  }
  best.resize(std::min(best.size(), panels.size()));
  return best;
}

// Right above its matrix.
Rect titleRect(const Ui& ui, const Rect& rect, const std::optional<Rect>& matrix) {
  const float height = ui.px(kPanelTitle);
  const float y = matrix ? std::max(rect.y0, matrix->y0 - height) : rect.y0;
  return {matrix ? matrix->x0 : rect.x0, y, rect.x1, y + height};
}

} // namespace

struct StepsView::State {
  PlotPane board;
  std::array<PlotPane, kMostPanels> matrices;

  void drawBoard(const ViewContext& context, const Latest<StepsShown>& shown, const Rect& area,
                 Hover& hover);
  void drawMatrices(const ViewContext& context, const Latest<StepsShown>& shown, const Rect& area);
};

namespace {

// A click on a row pins its query, and once more lets go of it.
void pinRow(const ViewContext& context, const FigurePanel& panel, const CanvasInput& input,
            const Rect& box) {
  const auto row = matrixRowAt(inDiagram(panel.plots.front(), box, input.mouseX, input.mouseY),
                               context.results.lengths.queries);
  if (row)
    context.actions.push(
        SetPins{{context.scene.pins.query == row ? std::nullopt : row, context.scene.pins.key}});
}

void pointAtBoard(const ViewContext& context, const CanvasInput& input, const ShownBoard& of,
                  Index step, const Rect& box, Hover& hover) {
  const auto place = boardPlaceAt(of.board, inDiagram(of.plot, box, input.mouseX, input.mouseY));
  if (!input.hovered || !place)
    return;
  const Board now = boardAt(of.board, step);
  const BoardLine& line = now.lines[place->line];
  const std::string trace = traceOf(now, place->line, place->column);
  if (!trace.empty())
    tooltip(context.ui, trace);
  if (!line.row)
    return;
  hover.key = line.row;
  if (input.clicked) {
    const bool again = context.scene.pins.key == line.row;
    context.actions.push(SetPins{{context.scene.pins.query, again ? std::nullopt : line.row}});
  }
}

} // namespace

void StepsView::State::drawBoard(const ViewContext& context, const Latest<StepsShown>& shown,
                                 const Rect& area, Hover& hover) {
  const Ui& ui = context.ui;
  const auto& full = std::get<DiagramMark>(shown->board->plot.mark);
  const bool narrow = widthOf(area) < ui.px(kNarrowUnit) * static_cast<float>(full.width);
  const ShownBoard& of = narrow ? *shown->narrow : *shown->board;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input =
      canvas(ui, "Steps board", ImVec2(widthOf(area), heightOf(area)), shown->caption);
  const auto box =
      board.draw({of.plot, shown.value, narrow ? "steps narrow" : "steps"}, area, context);
  if (box && !context.blocked)
    pointAtBoard(context, input, of, shown->step, *box, hover);
}

void StepsView::State::drawMatrices(const ViewContext& context, const Latest<StepsShown>& shown,
                                    const Rect& area) {
  const Ui& ui = context.ui;
  const Rects rects = matrixRects(ui, area, shown->panels);
  for (std::size_t k = 0; k < rects.size(); ++k) {
    const FigurePanel& panel = shown->panels[k];
    Rect inner = rects[k];
    inner.y0 += ui.px(kPanelTitle);
    const std::string name = "Matrix " + std::to_string(k + 1);
    ImGui::SetCursorScreenPos(ImVec2(inner.x0, inner.y0));
    const CanvasInput input =
        canvas(ui, name, ImVec2(widthOf(inner), heightOf(inner)), panel.title);
    const auto box = matrices[k].draw({panel.plots.front(), shown.value, name}, inner, context);
    drawLineIn(ui, titleRect(ui, rects[k], box), panel.title);
    if (box && input.clicked && !context.blocked)
      pinRow(context, panel, input, *box);
  }
}

StepsView::StepsView() : state_(std::make_unique<State>()) {}
StepsView::~StepsView() = default;

void StepsView::leave() {
  state_ = std::make_unique<State>();
}

void StepsView::draw(const ViewContext& context) {
  const StepsResults& steps = context.results.part<StepsResults>();
  const StepsShown nothing;
  const bool there = isThere(context, steps);
  const StepsShown& of = there ? *steps.shown : nothing;
  const auto drawSteps = [&](const Rect& room, Hover& hover) {
    if (!context.blocked && !ImGui::GetIO().NavVisible)
      keepArrows(); // they step, unless somebody goes through the controls
    if (of.board)
      state_->drawBoard(context, steps.shown, room, hover);
    else
      state_->drawMatrices(context, steps.shown, room);
  };
  drawSingle(context, {there, of.title, of.caption, steps.problem, hintsOf(of)}, drawSteps);
}

} // namespace attention::gui
