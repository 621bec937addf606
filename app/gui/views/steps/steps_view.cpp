#include "app/gui/views/steps/steps_view.h"

#include "app/gui/interface/latest.h"
#include "app/gui/pictures/figure_painter.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/views/steps/steps_matrices.h"
#include "app/gui/views/steps/steps_motion.h"
#include "app/gui/views/steps/steps_results.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/views/board/board_figure.h"

#include <algorithm>

namespace attention::gui {
namespace {

// At scale 1, as all that follow: points of a board's unit, with fewer of which it has fewer
// columns.
constexpr float kNarrowUnit = 3.6F;
constexpr float kNarrowPresented = 2.2F; // of a presentation
constexpr double kTypeOfUnit = 3.1;      // size of the words of a board, in its units
constexpr double kLeastGrown = 0.5;
constexpr double kMostGrown = 1.6; // times the type of plots
constexpr float kLinkBaseline = 3; // small words beside a link stand lower by these
constexpr float kHidesLine = 26;   // for what a pattern hides

Hints hintsOf(const StepsShown& shown) {
  if (shown.boards.empty())
    return {"→ ← step through · Space plays · click a row, or ↑ ↓, to light it",
            "→ ← step · Space plays", "→ ← step"};
  constexpr const char* kWhole = "→ ← step through · Space plays · ↑ ↓ choose the query · hover "
                                 "over a number to see how it is "
                                 "computed · click pins its key";
  return {kWhole,
          "→ ← step · Space plays · ↑ ↓ query · hover over a number to see how it is computed",
          "→ ← step · Space plays · ↑ ↓ query · hover over a number", "→ ← step · ↑ ↓ query",
          "→ ← step"};
}

// The first board that can be read in that width, else the last. In a presentation, whose type is
// larger, smaller words are read too.
const ShownBoard* boardFor(const ViewContext& context, const std::vector<ShownBoard>& boards,
                           float width) {
  const float unit = context.ui.px(context.presented ? kNarrowPresented : kNarrowUnit);
  for (const ShownBoard& of : boards)
    if (unit * static_cast<float>(leastBoardSize(of.board).width) <= width)
      return &of;
  return boards.empty() ? nullptr : &boards.back();
}

// How a step of the board fills an area, and times the type of plots.
struct BoardFit {
  BoardLook look;
  double grown = 1;
};

// In the largest type that has room.
BoardFit fitIn(const Ui& ui, const Board& board, Index step, const Rect& area) {
  const Size least = leastBoardSize(board, step);
  const auto width = static_cast<double>(widthOf(area));
  const auto height = static_cast<double>(heightOf(area));
  const double type = plotType(ui.fonts);
  const double unit =
      std::min({width / least.width, height / least.height, kMostGrown * type / kTypeOfUnit});
  return {{step, {width / unit, height / unit}},
          std::clamp(kTypeOfUnit * unit / type, kLeastGrown, kMostGrown)};
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

// What the pattern hides, and a link that shows all keys, of a decoder all earlier ones. Returns
// the room below.
Rect drawHidden(const ViewContext& context, const StepsShown& shown, Rect room) {
  const Ui& ui = context.ui;
  if (shown.hides.empty() || context.presented)
    return room;
  const Pattern all = shown.looksBack ? Pattern(Causal{}) : Pattern(Full{});
  const bool offered = context.scene.pattern != all;
  const std::string words = shown.hides + (offered ? " · " : "");
  const float width = textSize(ui.fonts.small, words).x;
  drawLineIn(ui, {room.x0, room.y0 + ui.px(kLinkBaseline), room.x1, room.y1}, words);
  const Lines lines({room.x0 + width, room.y0, room.x1, room.y0 + ui.px(kHidesLine)});
  const auto pressed = [&] {
    return shown.looksBack
               ? link(ui, "show all earlier keys", {"Causal attention: this model looks only back"})
               : link(ui, "show all keys", {"Full attention: the query sees every key"});
  };
  if (offered && pressed())
    context.actions.edit("show all keys", [all](Scene& s) { s.pattern = all; });
  room.y0 += ui.px(kHidesLine);
  return room;
}

} // namespace

struct StepsView::State {
  struct LaidOut {
    std::shared_ptr<const StepsShown> shown;
    std::size_t columns = 0;
    BoardLook look;
    bool operator==(const LaidOut&) const = default;
  };

  PlotPane board;
  LaidOut laidOut; // that `plot` was made for
  std::shared_ptr<const Plot> plot;
  StepsMotion motion;
  StepsMatrices matrices;

  std::shared_ptr<const Plot> plotOf(const std::shared_ptr<const StepsShown>& shown,
                                     const ShownBoard& of, const BoardChange& change);
  void drawBoard(const ViewContext& context, const Latest<StepsShown>& shown, const ShownBoard& of,
                 const Rect& area, Hover& hover);
};

namespace {

// What is under the pointer: a point in units of the board.
void pointAtBoard(const ViewContext& context, const CanvasInput& input, const Board& board,
                  const BoardLook& look, const Point& at, Hover& hover) {
  const auto place = boardPlaceAt(board, at, look);
  if (!input.hovered || !place)
    return;
  const Board now = boardAt(board, look.step);
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

// Laid out when something of it changed, or while it moves.
std::shared_ptr<const Plot> StepsView::State::plotOf(const std::shared_ptr<const StepsShown>& shown,
                                                     const ShownBoard& of,
                                                     const BoardChange& change) {
  if (motion.before())
    return std::make_shared<const Plot>(
        boardBetween(of.board, change, static_cast<double>(motion.share())));
  LaidOut now{shown, of.board.columns.size(), change.to};
  if (laidOut != now) {
    plot = std::make_shared<const Plot>(boardPlot(of.board, now.look));
    laidOut = std::move(now);
  }
  return plot;
}

void StepsView::State::drawBoard(const ViewContext& context, const Latest<StepsShown>& shown,
                                 const ShownBoard& of, const Rect& area, Hover& hover) {
  const Ui& ui = context.ui;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input =
      canvas(ui, "Steps board", ImVec2(widthOf(area), heightOf(area)), shown->caption);
  const BoardFit fit = fitIn(ui, of.board, shown->step, area);
  const BoardFit before = fitIn(ui, of.board, motion.before().value_or(shown->step), area);
  const auto drawn = plotOf(shown.value, of, {before.look, fit.look});
  const double share = motion.before() ? static_cast<double>(motion.share()) : 1;
  const auto box = board.draw({.plot = *drawn,
                               .version = drawn,
                               .slot = "steps",
                               .grown = before.grown + share * (fit.grown - before.grown)},
                              area, context);
  if (box && !context.blocked)
    pointAtBoard(context, input, of.board, fit.look,
                 inDiagram(*drawn, *box, input.mouseX, input.mouseY), hover);
}

StepsView::StepsView() : state_(std::make_unique<State>()) {}
StepsView::~StepsView() = default;

void StepsView::follow(const ViewMotion& motion) {
  state_->motion.follow(motion);
}

bool StepsView::moves() const {
  return state_->motion.before().has_value();
}

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
    const Rect room = drawHidden(context, of, all);
    if (!context.blocked && !ImGui::GetIO().NavVisible)
      keepArrows(); // they step, unless somebody goes through the controls
    state_->motion.show(steps.steps.value, of.step);
    if (board)
      state_->drawBoard(context, steps.shown, *board, room, hover);
    else if (!of.panels.empty())
      state_->matrices.draw(context, steps.shown, state_->motion, room);
  };
  drawSingle(context, {there, of.title, caption, steps.problem, hintsOf(of)}, drawSteps);
}

} // namespace attention::gui
