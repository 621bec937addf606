#include "tests/core/pattern/random_layouts.h"

#include <algorithm>

namespace attention {
namespace {

Index randomDivisor(Dice& dice, Index n) {
  Index divisor = dice.within(1, n);
  while (n % divisor != 0)
    --divisor;
  return divisor;
}

std::vector<Index> randomShape(Dice& dice, Index n) {
  std::vector<Index> shape;
  for (Index more = dice.within(0, 2); more > 0; --more) {
    shape.push_back(randomDivisor(dice, n));
    n /= shape.back();
  }
  shape.push_back(n);
  return shape;
}

// One value, or one for each axis, each a multiple of its axis' unit and within [1, most].
AxisNumbers randomNumbers(Dice& dice, const std::vector<Index>& units,
                          const std::vector<Index>& most, bool single) {
  std::vector<Index> list;
  for (std::size_t a = 0; a < units.size(); ++a)
    list.push_back(units[a] * dice.within(1, std::max<Index>(most[a] / units[a], 1)));
  if (single)
    return *std::min_element(list.begin(), list.end());
  return IndexList(std::move(list));
}

AxisTruths randomTruths(Dice& dice, std::size_t axes) {
  std::vector<Truth> list;
  for (std::size_t a = 0; a < axes; ++a)
    list.push_back(static_cast<Truth>(dice.chance(2)));
  return dice.chance(3) ? AxisTruths(dice.chance(2)) : AxisTruths(TruthList(std::move(list)));
}

} // namespace

void fitLayout(Dice& dice, Neighborhood& of, Index n) {
  const bool sta = of.reading == Neighborhood::Reading::Sta;
  of.text = sta && dice.chance(2) ? dice.within(0, n - 1) : 0;
  const std::vector<Index> shape = randomShape(dice, n - of.text);
  std::vector<Index> tile;
  for (const Index length : shape)
    tile.push_back(randomDivisor(dice, length));
  const std::vector<Index> ones(shape.size(), 1);
  std::vector<Index> longest = shape;
  for (Index& length : longest)
    length += 3;
  of.shape = IndexList(shape);
  of.kernel = randomNumbers(dice, sta ? tile : ones, longest, !sta && dice.chance(3));
  of.tile.reset();
  if (sta || dice.chance(2))
    of.tile = AxisNumbers(IndexList(tile));
  if (!of.tile)
    of.layout.reset();
  of.stride = Index{1};
  of.dilation = Index{1};
  of.causal = false;
  if (of.reading == Neighborhood::Reading::Natten && dice.chance(2)) {
    const auto* same = std::get_if<Index>(&*of.kernel);
    const auto* each = std::get_if<IndexList>(&*of.kernel);
    of.stride = randomNumbers(dice, ones,
                              same ? std::vector<Index>(shape.size(), *same) : each->get(), false);
  }
  if (sta || of.reading == Neighborhood::Reading::Gym)
    return;
  if (dice.chance(2))
    of.dilation = randomNumbers(dice, ones, shape, dice.chance(3));
  of.causal = randomTruths(dice, shape.size());
}

// Spans in order, or ids that may recur.
void fitLayout(Dice& dice, Spans& spans, Index n) {
  spans.spans.reset();
  spans.ids.reset();
  if (dice.chance(2)) {
    std::vector<Index> ids;
    for (Index token = 0; token < n; ++token)
      ids.push_back(token > 0 && !dice.chance(3) ? ids.back() : dice.within(-2, 2));
    spans.ids = IndexList(std::move(ids));
    return;
  }
  std::vector<IndexPair> list;
  for (Index at = dice.within(0, n); at < n;) {
    const Index length = dice.within(1, n - at);
    list.emplace_back(at, length);
    at += length + dice.within(0, n / 4);
  }
  spans.spans = PairList(std::move(list));
}

// A random forest of n tokens, by parents or by the paths of a tree.
void fitLayout(Dice& dice, Tree& tree, Index n) {
  tree.parents.reset();
  tree.paths.reset();
  tree.prefix = dice.within(0, n - 1);
  const Index nodes = n - tree.prefix;
  if (dice.chance(2)) {
    std::vector<Index> parents;
    for (Index t = 0; t < nodes; ++t)
      parents.push_back(dice.chance(3) ? t - 1 : dice.within(-1, t - 1));
    tree.parents = IndexList(std::move(parents));
    return;
  }
  std::vector<std::vector<Index>> paths{{}};
  for (Index t = 1; t < nodes; ++t) {
    std::vector<Index> path = paths[static_cast<std::size_t>(dice.within(0, t - 1))];
    path.push_back(t);
    paths.push_back(std::move(path));
  }
  paths.erase(paths.begin());
  tree.paths = PathList(std::move(paths));
}

void fitLayout(Dice& dice, Radial& radial, Index n) {
  radial.tokensPerFrame = dice.within(1, n);
  radial.frames = dice.within(1, n / *radial.tokensPerFrame);
  radial.split = dice.within(1, 40);
  radial.decay = static_cast<double>(dice.within(1, 20)) / 10;
  radial.blockSize =
      radial.reading == Radial::Reading::Code ? randomDivisor(dice, n) : dice.within(1, n);
}

// LongNet's settings, or any.
void fitLayout(Dice& dice, DilatedSegments& of, Index n) {
  std::vector<Index> segments;
  std::vector<Index> dilations;
  const bool nested = dice.chance(2);
  Index w = dice.within(1, 8);
  Index r = 1;
  for (Index k = dice.within(1, 4); k > 0; --k) {
    segments.push_back(nested ? w : dice.within(1, n + 2));
    dilations.push_back(nested ? r : dice.within(1, 6));
    const Index next = r * dice.within(1, 3);
    r = w % next == 0 ? next : r;
    w *= dice.within(1, 3);
  }
  of.segments = IndexList(std::move(segments));
  of.dilations = IndexList(std::move(dilations));
  of.heads = dice.within(1, 4);
  of.head = dice.within(0, of.heads - 1);
}

} // namespace attention
