#include "core/pattern/axis_window.h"

#include <algorithm>
#include <array>

namespace attention {

Index Stair::at(Index p) const {
  return std::clamp(p / step * step + shift, low, high);
}

// Steps below `low`, steps that rise, steps at `high`.
Index Stair::sum(Index end) const {
  const Index steps = end / step;
  const Index rise = std::clamp<Index>(ceilDiv(low - shift, step), 0, steps);
  const Index top = std::clamp<Index>(ceilDiv(high - shift, step), rise, steps);
  const Index rising = step * (top * (top - 1) / 2 - rise * (rise - 1) / 2) + (top - rise) * shift;
  return step * (rise * low + rising + (steps - top) * high) + end % step * at(end);
}

Stair Stair::cut(Index most) const {
  return {step, shift, std::min(low, most), std::min(high, most)};
}

void Stair::appendBreaks(std::vector<Index>& positions) const {
  for (const Index value : {low, high}) {
    const Index p = ceilDiv(value - shift, step) * step;
    positions.insert(positions.end(), {p - step, p, p + step});
  }
}

namespace {

// More than any axis has: longer kernels, strides and dilations change nothing.
constexpr Index kLongestWindow = 2 * kMaxLength;

} // namespace

AxisWindow::AxisWindow(const AxisSpec& spec) : spec_(spec), tiles_(spec.length / spec.tile) {
  spec_.kernel = std::min(spec.kernel, kLongestWindow) / spec.tile;
  spec_.stride = std::min(spec.stride, kLongestWindow);
  spec_.dilation = std::min(spec.dilation, kLongestWindow);
}

AxisWindow::Ends AxisWindow::endsOf(Index positions) const {
  const Index l = positions;
  const Index k = spec_.kernel;
  const Index s = spec_.stride;
  const Index left = k / 2;
  const Stair self{1, 1, 0, l}; // up to the position itself
  if (spec_.border == AxisSpec::Border::ZeroPad)
    return spec_.causal ? Ends{{1, 1 - k, 0, l}, self}
                        : Ends{{1, -left, 0, l}, {1, left + k % 2, 0, l}};
  if (spec_.border == AxisSpec::Border::Gym) {
    const Index width = std::min(2 * left + 1, l);
    return {{1, -left, 0, l - width}, {1, width - left, width, l}};
  }
  if (spec_.causal)
    return {{s, s - k, 0, std::max<Index>(l - k, 0)}, self};
  const Index width = std::min(k, l);
  const Index shift = s / 2 - left;
  return {{s, shift, 0, l - width}, {s, shift + width, width, l}};
}

Index AxisWindow::groupLength(Index group) const {
  return tiles_ / spec_.dilation + (group < tiles_ % spec_.dilation ? 1 : 0);
}

AxisKeys AxisWindow::tilesOf(Index tile) const {
  const Index d = spec_.dilation;
  const Index group = tile % d;
  const Ends ends = endsOf(groupLength(group));
  return {group + ends.lo.at(tile / d) * d, group + (ends.end.at(tile / d) - 1) * d + 1, d};
}

AxisKeys AxisWindow::keys(Index coordinate) const {
  const AxisKeys tiles = tilesOf(coordinate / spec_.tile);
  return spec_.tile == 1 ? tiles : AxisKeys{tiles.begin * spec_.tile, tiles.end * spec_.tile, 1};
}

bool AxisWindow::contains(Index coordinate, Index key) const {
  const AxisKeys seen = keys(coordinate);
  return seen.begin <= key && key < seen.end && (key - seen.begin) % seen.step == 0;
}

// Groups g of equal length, with equally many coordinates below y and keys below x, count alike.
Index AxisWindow::pairsOfTiles(Index y, Index x) const {
  const Index d = spec_.dilation;
  std::array<Index, 5> edges{0, std::min(y % d, d), x % d, tiles_ % d, d};
  std::sort(edges.begin(), edges.end());
  Index pairs = 0;
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    const Index group = edges[k];
    const Index groups = edges[k + 1] - group;
    const auto below = [&](Index c) { return c / d + (group < c % d ? 1 : 0); };
    if (groups == 0 || below(y) == 0 || below(x) == 0)
      continue;
    const Ends ends = endsOf(groupLength(group));
    pairs += groups * (ends.end.cut(below(x)).sum(below(y)) - ends.lo.cut(below(x)).sum(below(y)));
  }
  return pairs;
}

// The keys of one tile are a comb.
Index AxisWindow::countTiles(const AxisRange& tiles, const AxisRange& keys) const {
  if (tiles.end == tiles.begin + 1) {
    const AxisKeys seen = tilesOf(tiles.begin);
    const auto below = [&](Index key) { return seen.below(key); };
    return below(keys.end) - below(keys.begin);
  }
  const auto between = [&](Index y) { // keys of the tiles below y
    return y == 0 ? 0 : pairsOfTiles(y, keys.end) - pairsOfTiles(y, keys.begin);
  };
  return between(tiles.end) - between(tiles.begin);
}

// Coordinates cut into whole tiles and what is left at both ends: tiles with so many coordinates.
AxisWindow::Pieces AxisWindow::piecesOf(const AxisRange& range) const {
  const Index t = spec_.tile;
  Pieces pieces;
  const auto add = [&](Index begin, Index end, Index weight) {
    if (begin < end && weight > 0)
      pieces.all[pieces.count++] = {{begin, end}, weight};
  };
  const Index first = range.begin / t;
  const Index last = range.end / t;
  if (first == last) {
    add(first, first + 1, range.end - range.begin);
    return pieces;
  }
  const Index whole = ceilDiv(range.begin, t);
  add(first, whole, whole * t - range.begin);
  add(whole, last, t);
  add(last, last + 1, range.end - last * t);
  return pieces;
}

Index AxisWindow::count(const AxisRange& coordinates, const AxisRange& keys) const {
  if (coordinates.begin >= coordinates.end || keys.begin >= keys.end)
    return 0;
  if (spec_.tile == 1)
    return countTiles(coordinates, keys);
  const Pieces columns = piecesOf(keys);
  Index pairs = 0;
  for (const Piece& row : piecesOf(coordinates))
    for (const Piece& column : columns)
      pairs += row.weight * column.weight * countTiles(row.tiles, column.tiles);
  return pairs;
}

Index AxisWindow::breaks(std::vector<Index>& coordinates) const {
  const Index d = spec_.dilation;
  coordinates.insert(coordinates.end(), {0, spec_.length});
  std::vector<Index> positions;
  for (const Index positionsOfGroup : {tiles_ / d, tiles_ / d + 1}) {
    const Ends ends = endsOf(positionsOfGroup);
    ends.lo.appendBreaks(positions);
    ends.end.appendBreaks(positions);
  }
  for (const Index p : positions)
    for (const Index coordinate : {p * d * spec_.tile, (p + 1) * d * spec_.tile})
      if (coordinate > 0 && coordinate < spec_.length)
        coordinates.push_back(coordinate);
  const Index most = ceilDiv(spec_.length, spec_.tile);
  return std::min(std::min(spec_.stride, most) * std::min(d, most), most) * spec_.tile;
}

std::string AxisWindow::explain(Index coordinate, Index key) const {
  const AxisKeys seen = keys(coordinate);
  const std::string text = std::to_string(key);
  const Index last = seen.begin + (seen.count() - 1) * seen.step;
  if (key < seen.begin)
    return text + " < " + std::to_string(seen.begin);
  if (key > last)
    return text + " > " + std::to_string(last);
  if ((key - seen.begin) % seen.step != 0)
    return text + " mod " + std::to_string(seen.step) + " ≠ " + std::to_string(coordinate) +
           " mod " + std::to_string(seen.step);
  return text + " within " + std::to_string(seen.begin) + " … " + std::to_string(last);
}

} // namespace attention
