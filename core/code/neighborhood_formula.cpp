// The windows of a canvas (T1) as a formula of tokens: coordinates by division, the ends of windows
// as stairs that stop at both borders.
#include "core/code/mask_formula.h"

#include "core/pattern/mechanism/neighborhood.h"

#include <algorithm>

namespace attention {
namespace {

using Kind = Formula::Kind;

Formula quotientOf(Formula x, Index divisor) {
  return divisor == 1 ? x : operation(Kind::Divide, std::move(x), numberOf(divisor));
}
Formula remainderOf(Formula x, Index divisor) {
  return divisor == 1 ? numberOf(0) : operation(Kind::Modulo, std::move(x), numberOf(divisor));
}
Formula productOf(Formula x, Index factor) {
  return factor == 1 ? x : operation(Kind::Multiply, std::move(x), numberOf(factor));
}
Formula sumOf(Formula x, Index more) {
  if (more == 0)
    return x;
  return more > 0 ? operation(Kind::Add, std::move(x), numberOf(more))
                  : operation(Kind::Subtract, std::move(x), numberOf(-more));
}

// The coordinate of a token on one axis.
Formula coordinateOf(const CanvasCells& canvas, std::size_t axis, const Formula& token) {
  Index tokensOfTile = 1;
  for (const Index t : canvas.tile())
    tokensOfTile *= t;
  Index before = tokensOfTile; // tokens from one tile to the next along the axis
  Index within = 1;            // tokens from one token of a tile to the next
  for (std::size_t a = axis + 1; a < canvas.tile().size(); ++a) {
    before *= canvas.axes()[a].length() / canvas.tile()[a];
    within *= canvas.tile()[a];
  }
  const Index t = canvas.tile()[axis];
  const Index tiles = canvas.axes()[axis].length() / t;
  Formula inTile = quotientOf(token, within);
  if (tokensOfTile != within * t || before != tokensOfTile || tiles > 1)
    inTile = remainderOf(std::move(inTile), t);
  if (tiles == 1)
    return inTile;
  Formula tile = quotientOf(token, before);
  if (axis > 0)
    tile = remainderOf(std::move(tile), tiles);
  tile = productOf(std::move(tile), t);
  return t == 1 ? tile : operation(Kind::Add, std::move(tile), std::move(inTile));
}

// clamp(step ⌊p / step⌋ + shift, low, high) for 0 ≤ p < positions, without what cannot happen.
Formula stairOf(const Stair& stair, const Formula& p, Index positions) {
  if (stair.low == stair.high)
    return numberOf(stair.low);
  Formula rising = productOf(quotientOf(p, stair.step), stair.step);
  rising = sumOf(std::move(rising), stair.shift);
  if ((positions - 1) / stair.step * stair.step + stair.shift > stair.high)
    rising = operation(Kind::Minimum, std::move(rising), numberOf(stair.high));
  if (stair.shift < stair.low)
    rising = operation(Kind::Maximum, std::move(rising), numberOf(stair.low));
  return rising;
}

// Whether position q lies in the window of position p, in a group of so many.
Formula inInterval(const AxisWindow& axis, Index positions, const Formula& p, const Formula& q) {
  if (positions == 0)
    return {};
  const AxisWindow::Ends ends = axis.endsOf(positions);
  const bool fromFirst = ends.lo.low == ends.lo.high && ends.lo.low == 0;
  const bool toLast = ends.end.low == ends.end.high && ends.end.high == positions;
  std::vector<Formula> bounds;
  if (!fromFirst)
    bounds.push_back(operation(Kind::LessEqual, stairOf(ends.lo, p, positions), q));
  if (!toLast)
    bounds.push_back(operation(Kind::Less, q, stairOf(ends.end, p, positions)));
  return allOf(std::move(bounds));
}

// Groups that are one position longer have windows of their own at the border.
Formula inWindow(const AxisWindow& axis, const Formula& query, const Formula& key) {
  const Index d = axis.dilation();
  const Formula c = quotientOf(query, axis.tile());
  const Formula e = quotientOf(key, axis.tile());
  const Formula p = quotientOf(c, d);
  const Formula q = quotientOf(e, d);
  const Index positions = axis.length() / axis.tile();
  const Index longer = positions % d;
  const Formula shorter = inInterval(axis, positions / d, p, q);
  if (d == 1)
    return shorter;
  const Formula group = remainderOf(c, d);
  const Formula same = operation(Kind::Equal, group, remainderOf(e, d));
  if (longer == 0)
    return allOf({same, shorter});
  const Formula isLonger = operation(Kind::Less, group, numberOf(longer));
  return allOf({same, anyOf({allOf({isLonger, inInterval(axis, positions / d + 1, p, q)}),
                             allOf({negated(isLonger), shorter})})});
}

} // namespace

std::vector<PartFormula> layoutFormula(const Neighborhood& neighborhood, Index n) {
  const CanvasCells canvas = canvasOf(neighborhood);
  const Range tokens{0, n - 1};
  std::vector<Formula> windows{within(queryToken(), tokens, 0, canvas.tokens() - 1),
                               within(keyToken(), tokens, 0, canvas.tokens() - 1)};
  const Formula inside = allOf(windows);
  for (std::size_t a = 0; a < canvas.axes().size(); ++a)
    windows.push_back(inWindow(canvas.axes()[a], coordinateOf(canvas, a, queryToken()),
                               coordinateOf(canvas, a, keyToken())));
  return {{"window", "window on every axis", allOf(std::move(windows))},
          {"text", "text, seen by and seeing all", negated(inside)}};
}

} // namespace attention
