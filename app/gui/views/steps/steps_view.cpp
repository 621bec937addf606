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

constexpr double kTypeOfUnit = 3.1; // size of the words of a board, in its units
constexpr double kLeastGrown = 0.5;
constexpr double kMostGrown = 1.6; // times the type of plots
// Likewise, of the words that a lesson has beside a presented board.
constexpr double kProse = 17.0 / 13;
constexpr double kAlike = 0.5;     // sizes of type, in points
constexpr float kLinkBaseline = 3; // small words beside a link stand lower by these
constexpr float kHidesLine = 26;   // for what a pattern hides

Hints hintsOf(const StepsShown& shown) {
  if (!shown.board)
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

// How a step of the board fills an area, and times the type of plots.
struct BoardFit {
  BoardLook look;
  double grown = 1;
};

// In the largest type that has room, with as many columns as leave it as large as the words beside
// the board; all steps take smaller type for more columns.
BoardFit fitIn(const ViewContext& context, const StepsShown& shown, Index step, const Rect& area) {
  const auto width = static_cast<double>(widthOf(area));
  const auto height = static_cast<double>(heightOf(area));
  const double type = plotType(context.ui.fonts);
  const double most = std::min(height / leastBoardHeight(*shown.board), // units
                               kMostGrown * type / kTypeOfUnit);
  const auto widthAt = [&](double grown) {
    return width / std::min(grown * type / kTypeOfUnit, most);
  };
  const BoardRung& rung = rungFor(shown.rungs.at(static_cast<std::size_t>(step)),
                                  widthAt(step > 0 ? kProse : 1), widthAt(1));
  const double unit = std::min(width / rung.width, most);
  return {{step, {width / unit, height / unit}, rung.forms},
          std::clamp(kTypeOfUnit * unit / type, kLeastGrown, kMostGrown)};
}

// A lesson counts its own steps.
std::string captionOf(const ViewContext& context, const StepsShown& shown) {
  std::string words = (context.inLesson ? "" : shown.counter) + shown.caption;
  if (!words.empty() && !words.ends_with('.'))
    words += '.';
  return words;
}

// What the pattern hides, and a link that shows all keys, of a decoder all earlier ones. Returns
// the room below.
Rect drawHidden(const ViewContext& context, const StepsShown& shown, const Rect& room) {
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
  return {room.x0, room.y0 + ui.px(kHidesLine), room.x1, room.y1};
}

// In a presentation the sentence is as large as the numbers, where both have room.
ImFont* sentenceFont(const ViewContext& context, const StepsShown& shown, SinglePicture picture) {
  const Fonts& fonts = context.ui.fonts;
  if (!context.presented || !shown.board)
    return fonts.small;
  for (auto of = fonts.plain.rbegin(); of != fonts.plain.rend(); ++of) {
    picture.captionFont = of->font;
    const PictureFrame frame = singleFrame(context, picture);
    const float high = wrappedHeight(of->font, picture.caption, widthOf(frame.caption));
    const double numbers = fitIn(context, shown, shown.step, frame.room).grown * plotType(fonts);
    if (high <= heightOf(frame.caption) + 1 &&
        static_cast<double>(of->em * fonts.scale) <= numbers + kAlike)
      return of->font;
  }
  return fonts.small;
}

class StepsPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;
  void follow(const ViewMotion& motion) override { motion_.follow(motion); }
  bool moves() const override { return motion_.before().has_value(); }

private:
  struct LaidOut {
    std::shared_ptr<const StepsShown> shown;
    BoardLook look;
    bool operator==(const LaidOut&) const = default;
  };

  PlotPane board_;
  LaidOut laidOut_; // that `plot_` was made for
  std::shared_ptr<const Plot> plot_;
  StepsMotion motion_;
  StepsMatrices matrices_;

  std::shared_ptr<const Plot> plotOf(const std::shared_ptr<const StepsShown>& shown,
                                     const BoardChange& change);
  void drawBoard(const ViewContext& context, const Latest<StepsShown>& shown, const Rect& area,
                 Hover& hover);
};

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

// Laid out when something of it changed, or while it moves.
std::shared_ptr<const Plot> StepsPane::plotOf(const std::shared_ptr<const StepsShown>& shown,
                                              const BoardChange& change) {
  const Board& of = *shown->board;
  if (motion_.before())
    return std::make_shared<const Plot>(
        boardBetween(of, change, static_cast<double>(motion_.share())));
  LaidOut now{shown, change.to};
  if (laidOut_ != now) {
    plot_ = std::make_shared<const Plot>(boardPlot(of, now.look));
    laidOut_ = std::move(now);
  }
  return plot_;
}

void StepsPane::drawBoard(const ViewContext& context, const Latest<StepsShown>& shown,
                          const Rect& area, Hover& hover) {
  const Ui& ui = context.ui;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input =
      canvas(ui, "Steps board", ImVec2(widthOf(area), heightOf(area)), shown->caption);
  const BoardFit fit = fitIn(context, *shown, shown->step, area);
  const BoardFit before = fitIn(context, *shown, motion_.before().value_or(shown->step), area);
  const auto drawn = plotOf(shown.value, {before.look, fit.look});
  const double share = motion_.before() ? static_cast<double>(motion_.share()) : 1;
  const auto box = board_.draw({.plot = *drawn,
                                .version = drawn,
                                .slot = "steps",
                                .grown = before.grown + share * (fit.grown - before.grown)},
                               area, context);
  if (box && !context.blocked)
    pointAtBoard(context, input, *shown->board, fit.look,
                 inDiagram(*drawn, *box, input.mouseX, input.mouseY), hover);
}

void StepsPane::draw(const ViewContext& context) {
  const StepsResults& steps = context.results.part<StepsResults>();
  const StepsShown nothing;
  const bool there = isThere(context, steps);
  const StepsShown& of = there ? *steps.shown : nothing;
  const std::string caption = captionOf(context, of);
  SinglePicture picture{there, of.title, caption, steps.problem, hintsOf(of)};
  picture.captionFont = sentenceFont(context, of, picture);
  const auto drawSteps = [&](const Rect& all, Hover& hover) {
    const Rect room = drawHidden(context, of, all);
    if (!context.blocked && !ImGui::GetIO().NavVisible)
      keepArrows(); // they step, unless somebody goes through the controls
    motion_.show(steps.steps.value, of.step);
    if (of.board)
      drawBoard(context, steps.shown, room, hover);
    else if (!of.panels.empty())
      matrices_.draw(context, steps.shown, motion_, room);
  };
  drawSingle(context, picture, drawSteps);
}

} // namespace

std::unique_ptr<ViewPane> stepsPane() {
  return std::make_unique<StepsPane>();
}

} // namespace attention::gui
