#include "app/gui/views/heads/head_list_view.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/scene/pattern_files.h"
#include "core/support/number_text.h"
#include "core/views/board/board_figure.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kLinesPerNotch = 3;
constexpr double kLeastUnit = 2.93; // points at scale 1: with less the type is below 12

// A press on a heading sorts by it, and once more turns the order round.
void sortBy(const ViewContext& context, std::size_t column) {
  const auto order = static_cast<HeadOrder>(column);
  context.actions.edit("sort heads", [order](Scene& s) {
    HeadListSpec& list = s.attention.list;
    list.rising = list.order == order && !list.rising;
    list.order = order;
    list.from = 0;
  });
}

void openHead(const ViewContext& context, const MeasuredHead& head) {
  context.actions.edit("open head", [batch = head.batch, of = head.head](Scene& s) {
    choosePlane(s, {batch, of});
    s.attention.picture = AttentionPicture::Maps;
  });
}

// The list as far as it has room: some columns, some lines.
struct ShownBoard {
  std::shared_ptr<const HeadListShown> of;
  Size room; // in points
  std::size_t lines = 0;
  Board board;
  BoardLook look;
  std::shared_ptr<const Plot> plot;
};

void scrollList(const ViewContext& context, const ShownBoard& shown, float lines) {
  const Index most =
      std::max<Index>(0, std::ssize(shown.of->order) - static_cast<Index>(shown.lines));
  const Index now = std::min(context.scene.attention.list.from, most);
  const Index from = std::clamp<Index>(now + static_cast<Index>(lines), 0, most);
  if (from != now)
    context.actions.push(
        EditScene{"scroll", [from](Scene& s) { s.attention.list.from = from; }, "scroll heads"});
}

void pointAtList(const ViewContext& context, const CanvasInput& input, const ShownBoard& shown,
                 const Rect& box, float& rest) {
  if (!input.hovered)
    return;
  if (input.scroll != 0)
    if (const float whole = wholePart(rest, -input.scroll * kLinesPerNotch, 1); whole != 0)
      scrollList(context, shown, whole);
  const Point at = inDiagram(*shown.plot, box, input.mouseX, input.mouseY);
  if (const auto heading = boardHeadingAt(shown.board, at, shown.look)) {
    tooltip(context.ui, *heading == 0
                            ? std::string("Click to sort layer by layer")
                            : std::string(wordsOf(static_cast<HeadOrder>(*heading)).meaning) +
                                  " Click to sort by it");
    if (input.clicked)
      sortBy(context, *heading);
    return;
  }
  const auto place = boardPlaceAt(shown.board, at, shown.look);
  if (!place || !shown.board.lines[place->line].row)
    return;
  const auto head = static_cast<std::size_t>(*shown.board.lines[place->line].row);
  tooltip(context.ui, "Click to open this head");
  if (input.clicked)
    openHead(context, shown.of->heads[head]);
}

// As many columns as can be read in a room so wide, in units of a board.
struct ShownColumns {
  std::shared_ptr<const HeadListShown> of;
  double units = 0;
  BoardRung rung;
  std::string leftOut; // a sentence about the other columns
};

Board boardOf(const HeadListShown& of, const HeadListLook& look) {
  return headsBoard(of.spec, of.heads, of.order, look);
}

class HeadListPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;

private:
  PlotPane pane_;
  ShownColumns columns_;
  ShownBoard shown_;
  float rest_ = 0; // of the wheel

  // Both are laid out when what they depend on changes; `choose` comes first.
  void choose(const Ui& ui, const std::shared_ptr<const HeadListShown>& of, float width);
  void fill(const Rect& room);
};

void HeadListPane::choose(const Ui& ui, const std::shared_ptr<const HeadListShown>& of,
                          float width) {
  const double units = static_cast<double>(std::max(width, 1.0F) / ui.px(1)) / kLeastUnit;
  if (columns_.of == of && columns_.units == units)
    return;
  const Board board = boardOf(*of, of->look);
  const std::vector<BoardRung> rungs = boardRungs(board, 0);
  const BoardRung& rung = rungFor(rungs, units, units);
  columns_ = {of, units, rung, leftOutText(board, rung.forms)};
  shown_ = {};
}

// With as many lines as it has room for.
void HeadListPane::fill(const Rect& area) {
  const Size room{std::max(static_cast<double>(widthOf(area)), 1.0),
                  static_cast<double>(heightOf(area))};
  if (shown_.of && shown_.room == room)
    return;
  const HeadListShown& of = *columns_.of;
  const BoardRung& rung = columns_.rung;
  HeadListLook look = of.look;
  look.lines = headLinesIn({rung.width, rung.width * room.height / room.width}, of.order.size());
  shown_ = {columns_.of, room, look.lines, boardOf(of, look), {0, {}, rung.forms}, nullptr};
  shown_.plot = std::make_shared<const Plot>(boardPlot(shown_.board, shown_.look));
}

void HeadListPane::draw(const ViewContext& context) {
  const HeadListResults& list = context.results.part<HeadListResults>();
  const HeadListShown nothing;
  const bool there = isThere(context, list);
  const HeadListShown& of = there ? *list.shown : nothing;
  if (there)
    choose(context.ui, list.shown.value, widthOf(context.area) - 2 * context.ui.px(kViewMargin));
  const std::string& leftOut = columns_.leftOut;
  const std::string caption = of.caption + (leftOut.empty() || !there ? "" : " " + leftOut);
  const auto drawList = [&](const Rect& room, Hover&) {
    ImGui::SetCursorScreenPos(ImVec2(room.x0, room.y0));
    const CanvasInput input = canvas(context.ui, "Head list", ImVec2(widthOf(room), heightOf(room)),
                                     countText(std::ssize(of.order), "head"), Wheel::Zooms);
    fill(room);
    const ShownBoard& shown = shown_;
    const auto box = pane_.draw({*shown.plot, shown.plot, "head list"}, room, context);
    if (box && !context.blocked)
      pointAtList(context, input, shown, *box, rest_);
  };
  drawSingle(context,
             {there,
              of.title,
              caption,
              list.problem,
              {"click a heading to sort by it, again to reverse the order · click a head to open "
               "it · scroll moves the list",
               "click a heading to sort · click a head to open it · scroll moves",
               "click a heading to sort"}},
             drawList);
}

} // namespace

std::unique_ptr<ViewPane> headListPane() {
  return std::make_unique<HeadListPane>();
}

} // namespace attention::gui
