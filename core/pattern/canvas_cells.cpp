#include "core/pattern/canvas_cells.h"

#include <algorithm>
#include <numeric>

namespace attention {

// At most one box for every digit of either end. Where both ends begin with the same digits, the
// boxes before them cancel.
class CanvasCells::Boxes {
public:
  Boxes(const CanvasCells& canvas, Index begin, Index end) : canvas_(canvas) {
    const Digits from = canvas.digitsOf(begin);
    const Digits to = canvas.digitsOf(end);
    bool same = true;
    for (std::size_t q = 0; q < 2 * canvas.size(); ++q) {
      if (same)
        append(1, to, q, from[q]);
      else {
        append(1, to, q, 0);
        append(-1, from, q, 0);
      }
      same = same && from[q] == to[q];
    }
  }
  const Box* begin() const { return boxes_.data(); }
  const Box* end() const { return boxes_.data() + count_; }

private:
  // Tokens with the digits before place q, there one in [least, digits[q]), and any behind it.
  void append(Index sign, const Digits& digits, std::size_t q, Index least) {
    if (least >= digits[q])
      return;
    Box& box = boxes_[count_++];
    box.sign = sign;
    const std::size_t m = canvas_.size();
    for (std::size_t a = 0; a < m; ++a) {
      const Index t = canvas_.tile_[a];
      const Index start = digits[a] * t;
      AxisRange& range = box.ranges[a];
      if (q < m)
        range = a < q    ? AxisRange{start, start + t}
                : a == q ? AxisRange{least * t, start}
                         : AxisRange{0, canvas_.axes_[a].length()};
      else
        range = a < q - m    ? AxisRange{start + digits[m + a], start + digits[m + a] + 1}
                : a == q - m ? AxisRange{start + least, start + digits[q]}
                             : AxisRange{start, start + t};
    }
  }

  const CanvasCells& canvas_;
  std::array<Box, 4 * kMostAxes> boxes_;
  std::size_t count_ = 0;
};

// Row by row is one tile as large as the canvas.
CanvasCells::CanvasCells(std::vector<AxisWindow> axes,
                         const std::optional<std::vector<Index>>& tile)
    : axes_(std::move(axes)), tiled_(tile.has_value()) {
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    tile_.push_back(tile ? (*tile)[a] : axes_[a].length());
    tokens_ *= axes_[a].length();
    tileTokens_ *= tile_[a];
  }
}

// The first digit of the end of the canvas is one more than those of its tokens.
CanvasCells::Digits CanvasCells::digitsOf(Index token) const {
  Digits digits{};
  const std::size_t m = size();
  Index within = token % tileTokens_;
  Index rest = token / tileTokens_;
  for (std::size_t a = m; a-- > 0;) {
    digits[m + a] = within % tile_[a];
    within /= tile_[a];
    const Index tiles = axes_[a].length() / tile_[a];
    digits[a] = a == 0 ? rest : rest % tiles;
    rest /= tiles;
  }
  return digits;
}

CanvasPlace CanvasCells::placeOf(Index token) const {
  const Digits digits = digitsOf(token);
  CanvasPlace place{};
  for (std::size_t a = 0; a < size(); ++a)
    place[a] = digits[a] * tile_[a] + digits[size() + a];
  return place;
}

Index CanvasCells::tokenAt(const CanvasPlace& place) const {
  Index tile = 0;
  Index within = 0;
  for (std::size_t a = 0; a < size(); ++a) {
    tile = tile * (axes_[a].length() / tile_[a]) + place[a] / tile_[a];
    within = within * tile_[a] + place[a] % tile_[a];
  }
  return tile * tileTokens_ + within;
}

bool CanvasCells::contains(Index i, Index j) const {
  if (i >= tokens_ || j >= tokens_)
    return false;
  const CanvasPlace query = placeOf(i);
  const CanvasPlace key = placeOf(j);
  for (std::size_t a = 0; a < size(); ++a)
    if (!axes_[a].contains(query[a], key[a]))
      return false;
  return true;
}

// The keys of one line of the last axis, tile by tile.
void CanvasCells::appendLine(const CanvasPlace& place, const AxisKeys& keys,
                             KeyRanges& ranges) const {
  const Index t = tile_[size() - 1];
  CanvasPlace at = place;
  for (Index k = 0; k < keys.count();) {
    const Index key = keys[k];
    const Index inTile = ((key / t + 1) * t - 1 - key) / keys.step + 1;
    const Index taken = std::min(inTile, keys.count() - k);
    at[size() - 1] = key;
    const Index begin = tokenAt(at);
    const Index end = begin + (taken - 1) * keys.step + 1;
    ranges.push_back(taken == 1 ? KeyRange{begin, end, 1, 1} : KeyRange{begin, end, keys.step, 1});
    k += taken;
  }
}

void CanvasCells::appendRow(Index i, KeyRanges& ranges) const {
  if (i >= tokens_)
    return;
  const CanvasPlace query = placeOf(i);
  std::array<AxisKeys, kMostAxes> keys{AxisKeys{0, 1}, {0, 1}, {0, 1}};
  const std::size_t last = size() - 1;
  for (std::size_t a = 0; a < size(); ++a)
    keys[a] = axes_[a].keys(query[a]);
  // The axes before the last one, of which there are two at most.
  const AxisKeys outer = last > 0 ? keys[0] : AxisKeys{0, 1};
  const AxisKeys inner = last > 1 ? keys[1] : AxisKeys{0, 1};
  for (Index a = 0; a < outer.count(); ++a)
    for (Index b = 0; b < inner.count(); ++b) {
      CanvasPlace place{};
      if (last > 0)
        place[0] = outer[a];
      if (last > 1)
        place[1] = inner[b];
      appendLine(place, keys[last], ranges);
    }
}

Index CanvasCells::pairs(const Box& queries, const Box& keys) const {
  Index pairs = queries.sign * keys.sign;
  for (std::size_t a = 0; a < size() && pairs != 0; ++a)
    pairs *= axes_[a].count(queries.ranges[a], keys.ranges[a]);
  return pairs;
}

Index CanvasCells::count(const Rect& rect) const {
  const Rect r = intersection(rect, {0, tokens_, 0, tokens_});
  if (r.empty())
    return 0;
  const Boxes keys(*this, r.keyBegin, r.keyEnd);
  Index cells = 0;
  for (const Box& query : Boxes(*this, r.rowBegin, r.rowEnd))
    for (const Box& key : keys)
      cells += pairs(query, key);
  return cells;
}

// From one slice across the first axis to the next, the tokens of which are neighbours.
std::optional<Index> CanvasCells::rowBreaks(std::vector<Index>& breaks) const {
  const Index unit = tiled_ ? tile_[0] : 1;
  const Index slice = tokens_ / axes_[0].length() * unit;
  std::vector<Index> coordinates;
  const Index period = axes_[0].breaks(coordinates);
  for (const Index c : coordinates)
    breaks.insert(breaks.end(), {c / unit * slice, ceilDiv(c, unit) * slice});
  const Index slices = axes_[0].length() / unit;
  return std::min(std::lcm(period, unit) / unit, slices) * slice;
}

namespace {

std::string textOf(const CanvasPlace& place, std::size_t axes) {
  std::string text;
  for (std::size_t a = 0; a < axes; ++a)
    text += (a == 0 ? "(" : ", ") + std::to_string(place[a]);
  return text + ")";
}

} // namespace

std::string CanvasCells::explain(Index i, Index j) const {
  if (i >= tokens_ || j >= tokens_)
    return (i >= tokens_ ? "query " + std::to_string(i) : "key " + std::to_string(j)) +
           " lies behind the canvas";
  const CanvasPlace query = placeOf(i);
  const CanvasPlace key = placeOf(j);
  if (size() == 1)
    return axes_[0].explain(query[0], key[0]);
  std::string inside;
  for (std::size_t a = 0; a < size(); ++a) {
    const std::string rule =
        "; axis " + std::to_string(a) + ": " + axes_[a].explain(query[a], key[a]);
    if (!axes_[a].contains(query[a], key[a])) { // the first axis that excludes it
      inside = rule;
      break;
    }
    inside += rule;
  }
  return "query at " + textOf(query, size()) + ", key at " + textOf(key, size()) + inside;
}

} // namespace attention
