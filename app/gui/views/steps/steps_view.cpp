#include "app/gui/views/steps/steps_view.h"

#include "app/gui/interface/latest.h"
#include "app/gui/pictures/figure_painter.h"
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
#include "core/pattern/mechanism/full.h"
#include "core/views/board/board_figure.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr float kBetween = 18; // of matrices, at scale 1, as all that follow
constexpr float kPanelTitle = 22;
constexpr float kNarrowUnit = 3.6F; // points of a board's unit: with fewer it has fewer columns
constexpr float kNarrowPresented = 2.2F; // of a presentation
constexpr double kTypeOfUnit = 3.1;      // size of the words of a board, in its units
constexpr double kLeastFilled = 0.85;    // of the width, by lines of full height
constexpr double kLeastGrown = 0.5;
constexpr double kMostGrown = 1.6; // times the type of plots
constexpr float kLinkBaseline = 3; // small words beside a link stand lower by these
constexpr float kHidesLine = 26;   // for what a pattern hides
constexpr std::size_t kMostPanels = static_cast<std::size_t>(kMatrixSteps);

Hints hintsOf(const StepsShown& shown) {
  if (shown.boards.empty())
    return {"→ ← step through · Space plays · click a row, or ↑ ↓, to light it",
            "→ ← step · Space plays", "→ ← step"};
  return {"→ ← step through · Space plays · ↑ ↓ choose the query · hover over a number to see how "
          "it is computed · click pins its key",
          "→ ← step · Space plays · ↑ ↓ query · hover over a number to see how it is computed",
          "→ ← step · Space plays · ↑ ↓ query · hover over a number", "→ ← step · ↑ ↓ query",
          "→ ← step"};
}

const DiagramMark& markOf(const Plot& plot) {
  return std::get<DiagramMark>(plot.mark);
}

// The first board that can be read in that width, else the last. In a presentation, whose type is
// larger, smaller words are read too.
const ShownBoard* boardFor(const ViewContext& context, const std::vector<ShownBoard>& boards,
                           float width) {
  const float unit = context.ui.px(context.presented ? kNarrowPresented : kNarrowUnit);
  for (const ShownBoard& of : boards)
    if (unit * static_cast<float>(markOf(of.plot).width) <= width)
      return &of;
  return boards.empty() ? nullptr : &boards.back();
}

// Whether its lines have to be low, for its width to fill the area.
bool isCompactIn(const ShownBoard& of, const Rect& area) {
  const DiagramMark& mark = markOf(of.plot);
  return static_cast<double>(heightOf(area)) / mark.height <
         kLeastFilled * static_cast<double>(widthOf(area)) / mark.width;
}

// Times the type of plots, as large or small as the board has room for.
double grownIn(const Ui& ui, const Plot& plot, const Rect& area) {
  const DiagramMark& mark = markOf(plot);
  const double unit = std::min(static_cast<double>(widthOf(area)) / mark.width,
                               static_cast<double>(heightOf(area)) / mark.height);
  return std::clamp(kTypeOfUnit * unit / plotType(ui.fonts), kLeastGrown, kMostGrown);
}

// A lesson counts its own steps. `of`: null for the matrices.
std::string captionOf(const ViewContext& context, const StepsShown& shown, const ShownBoard* of) {
  std::string words = (context.inLesson ? "" : shown.counter) + shown.caption;
  if (!words.empty() && !words.ends_with('.'))
    words += '.';
  if (of && !of->leftOut.empty())
    words += " " + of->leftOut;
  return words;
}

// What the pattern hides, and a link that shows all. Returns the room below.
Rect drawHidden(const ViewContext& context, const std::string& hides, Rect room) {
  const Ui& ui = context.ui;
  if (hides.empty() || context.presented)
    return room;
  const std::string words = hides + " · ";
  const float width = textSize(ui.fonts.small, words).x;
  drawLineIn(ui, {room.x0, room.y0 + ui.px(kLinkBaseline), room.x1, room.y1}, words);
  const Lines lines({room.x0 + width, room.y0, room.x1, room.y0 + ui.px(kHidesLine)});
  if (link(ui, "show all keys", {"Full attention: the query sees every key"}))
    context.actions.edit("show all keys", [](Scene& s) { s.pattern = Full{}; });
  room.y0 += ui.px(kHidesLine);
  return room;
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

  void drawBoard(const ViewContext& context, const Latest<StepsShown>& shown, const ShownBoard& of,
                 const Rect& area, Hover& hover);
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

void pointAtBoard(const ViewContext& context, const CanvasInput& input, const Board& board,
                  const Plot& plot, Index step, const Rect& box, Hover& hover) {
  const auto place = boardPlaceAt(board, inDiagram(plot, box, input.mouseX, input.mouseY));
  if (!input.hovered || !place)
    return;
  const Board now = boardAt(board, step);
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
                                 const ShownBoard& of, const Rect& area, Hover& hover) {
  const Ui& ui = context.ui;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input =
      canvas(ui, "Steps board", ImVec2(widthOf(area), heightOf(area)), shown->caption);
  const bool compact = isCompactIn(of, area);
  const Plot& plot = compact ? of.compact : of.plot;
  const std::string slot =
      (compact ? "compact steps " : "steps ") + std::to_string(of.board.columns.size());
  const ShownPlot drawn{
      .plot = plot, .version = shown.value, .slot = slot, .grown = grownIn(ui, plot, area)};
  const auto box = board.draw(drawn, area, context);
  Board lies = of.board;
  lies.compact = compact;
  if (box && !context.blocked)
    pointAtBoard(context, input, lies, plot, shown->step, *box, hover);
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
  const float width = widthOf(context.area) - 2 * context.ui.px(kViewMargin);
  const ShownBoard* board = boardFor(context, of.boards, width);
  const std::string caption = captionOf(context, of, board);
  const auto drawSteps = [&](const Rect& all, Hover& hover) {
    const Rect room = drawHidden(context, of.hides, all);
    if (!context.blocked && !ImGui::GetIO().NavVisible)
      keepArrows(); // they step, unless somebody goes through the controls
    if (board)
      state_->drawBoard(context, steps.shown, *board, room, hover);
    else
      state_->drawMatrices(context, steps.shown, room);
  };
  drawSingle(context, {there, of.title, caption, steps.problem, hintsOf(of)}, drawSteps);
}

} // namespace attention::gui
