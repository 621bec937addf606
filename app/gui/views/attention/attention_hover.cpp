#include "app/gui/views/attention/attention_hover.h"
#include "app/gui/pictures/figure_painter.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/plot/draw_marks.h"
#include "core/plot/links_page.h"
#include "core/scene/pattern_files.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr float kTokensPerNotch = 4;

std::string tokenText(const AttentionLook& look, Index token, bool named) {
  const auto at = static_cast<std::size_t>(token);
  return groupDigits(token) +
         (named && at < look.names.size() ? " “" + visibleText(look.names[at]) + "”" : "");
}

// "query 17 “river” → key 3 “the”: full 0.041, pattern 0.12".
std::string cellWords(const ViewContext& context, const AttentionShown& shown) {
  const auto& row = context.results.part<AttentionResults>().row;
  const Hover& hover = context.hover;
  if (!hover.query || !hover.key || !row || row->query != *hover.query ||
      *hover.key >= static_cast<Index>(row->dense.size()))
    return {};
  const auto at = static_cast<std::size_t>(*hover.key);
  const auto dense = static_cast<double>(row->dense[at]);
  const auto kept = static_cast<double>(row->pattern[at]);
  const std::string tile = tileText(shown.answer, *hover.query, *hover.key);
  return "query " + tokenText(shown.look, *hover.query, shown.look.square) + " → key " +
         tokenText(shown.look, *hover.key, true) + ": " +
         std::string(name(shown.answer.head->weights->base())) + " " + shortNumber(dense, 3) +
         ", pattern " + shortNumber(kept, 3) + (tile.empty() ? "" : "; " + tile);
}

// As it is drawn.
LinksPage rowsOf(const ViewContext& context, const LinksMark& mark, const Rect& box) {
  return linksPage(mark, {0, static_cast<double>(box.y0), 1, static_cast<double>(heightOf(box))},
                   plotType(context.ui.fonts));
}

// The camera shows these cells, moved along the tokens.
void moveLines(const ViewContext& context, const attention::Rect& cells, float tokens) {
  const auto count =
      static_cast<double>(std::max(cells.rowEnd - cells.rowBegin, cells.keyEnd - cells.keyBegin));
  const double shift = static_cast<double>(tokens) + count / 2;
  const Camera moved{static_cast<double>(cells.rowBegin) + shift,
                     static_cast<double>(cells.keyBegin) + shift, count};
  context.actions.push(SetCamera{wholeCells(moved, cells, context.results.lengths)});
}

} // namespace

attention::Rect pageOfLines(const ViewContext& context, const LinksMark& mark, const Rect& box) {
  const LinksPage page = rowsOf(context, mark, box);
  const Index first = context.results.part<AttentionResults>().shown->look.cells.rowBegin;
  const Index key = mark.keys[static_cast<std::size_t>(page.keyBegin)].token;
  return {first + page.queryBegin, first + page.queryEnd, key, key + page.keyEnd - page.keyBegin};
}

bool showsPart(const attention::Rect& cells, const Lengths& lengths) {
  return cells != attention::Rect{0, lengths.queries, 0, lengths.keys};
}

Hover pointAtLines(const ViewContext& context, const CanvasInput& input, const LinksMark& mark,
                   const Rect& box, float& rest) {
  if (!input.hovered || input.mouseY < box.y0 || input.mouseY >= box.y1)
    return {};
  const bool left = input.mouseX < (box.x0 + box.x1) / 2;
  const LinksPage rows = rowsOf(context, mark, box);
  const attention::Rect page = pageOfLines(context, mark, box);
  const bool part = showsPart(page, context.results.lengths);
  if (part && input.scroll != 0)
    if (const float whole = wholePart(rest, -input.scroll * kTokensPerNotch, 1); whole != 0)
      moveLines(context, page, whole);
  const auto y = static_cast<double>(input.mouseY);
  Hover at;
  if (left)
    at.query = page.rowBegin + rows.queryAt(y) - rows.queryBegin;
  else if (const auto key = rows.keyAt(y))
    at.key = mark.keys[static_cast<std::size_t>(*key)].token;
  if (input.clicked && (at.query || at.key)) {
    if (part)
      moveLines(context, page, 0); // else the part would move to the pinned token
    const Pins pins{at.query, at.key};
    context.actions.push(SetPins{context.scene.pins == pins ? Pins{} : pins});
  }
  return at;
}

Hover pointAtSums(const ViewContext& context, const CanvasInput& input, const ValuesMark& mark,
                  const Rect& box) {
  const Box strip = sumsBox({static_cast<double>(box.x0), static_cast<double>(box.y0),
                             static_cast<double>(widthOf(box)), static_cast<double>(heightOf(box))},
                            plotType(context.ui.fonts));
  const auto x = static_cast<double>(input.mouseX);
  const auto y = static_cast<double>(input.mouseY);
  if (!input.hovered || !mark.sums || x < strip.x || x >= strip.right() || y < strip.y ||
      y >= static_cast<double>(box.y0))
    return {};
  const auto& shares = mark.sums->shares;
  const auto column = std::min<Index>(
      static_cast<Index>((x - strip.x) / strip.width * static_cast<double>(shares.size())),
      std::ssize(shares) - 1);
  const Index key = mark.cells.keyBegin + column;
  const double share = shares[static_cast<std::size_t>(column)];
  const AttentionLook& look = context.results.part<AttentionResults>().shown->look;
  const bool change = mark.ramp == Ramp::Changes;
  const std::string of = "key " + tokenText(look, key, true);
  tooltip(context.ui, change ? of + (share < 0 ? " loses " : " gains ") + percent(std::abs(share)) +
                                   " of all attention"
                             : of + " receives " + percent(share) + " of all attention");
  if (input.clicked)
    context.actions.push(SetPins{{context.scene.pins.query, key}});
  return {{}, key};
}

void pointAtHeads(const ViewContext& context, const CanvasInput& input, const TilesMark& mark,
                  const Rect& box) {
  if (!input.hovered)
    return;
  const Box area{static_cast<double>(box.x0), static_cast<double>(box.y0),
                 static_cast<double>(widthOf(box)), static_cast<double>(heightOf(box))};
  const HeadSketches& sketches = *context.results.part<AttentionResults>().shown->answer.sketches;
  for (std::size_t k = 0; k < sketches.made.size(); ++k) {
    const Box at = tileBox(mark, area, k);
    const auto x = static_cast<double>(input.mouseX);
    const auto y = static_cast<double>(input.mouseY);
    if (x < at.x || x >= at.right() || y < at.y || y >= at.bottom())
      continue;
    const HeadSketch& of = *sketches.made[k];
    const Input& from = *context.results.part<AttentionResults>().shown->look.chosen.input;
    tooltip(context.ui, sketchWords(from, of) + ". Click to open it");
    if (input.clicked)
      context.actions.edit("open head", [batch = of.batch, head = of.head](Scene& s) {
        choosePlane(s, {batch, head});
        s.attention.picture = AttentionPicture::Maps;
      });
  }
}

Hover pointAtCurves(const ViewContext& context, const CanvasInput& input, const CurvesMark& mark,
                    const std::string& number, const Rect& box) {
  if (!input.hovered || input.mouseX < box.x0 || input.mouseX > box.x1)
    return {};
  const ImVec2 pointer(input.mouseX, input.mouseY);
  tooltip(context.ui, wordsAt(mark, box, pointer, context.ui.px(kPointReach), number));
  const auto share = static_cast<double>((input.mouseX - box.x0) / widthOf(box));
  const auto query = std::clamp<Index>(std::llround(valueAt(mark.x, share)), 0,
                                       context.results.lengths.queries - 1);
  if (input.clicked)
    context.actions.push(SetPins{{query, context.scene.pins.key}});
  return {query, {}};
}

void markQuery(const Ui& ui, const CurvesMark& mark, const Rect& box, const Hover& hover) {
  if (!hover.query)
    return;
  const double share = shareOf(mark.x, static_cast<double>(*hover.query));
  if (!(share >= 0 && share <= 1))
    return;
  const float x = box.x0 + static_cast<float>(share) * widthOf(box);
  fill({x - ui.px(0.5F), box.y0, x + ui.px(0.5F), box.y1}, color(ui.colors().dim));
}

std::string attentionWords(const ViewContext& context, const AttentionShown& shown) {
  const std::string cell = shown.answer.head ? cellWords(context, shown) : std::string();
  if (!cell.empty())
    return cell;
  return (context.results.part<AttentionResults>().pending() ? "computing … " : "") + shown.caption;
}

} // namespace attention::gui
