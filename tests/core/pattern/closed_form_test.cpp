// The closed forms of S4 as the specification prints them, at lengths too large for any mask.
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <array>
#include <set>

using namespace attention;

namespace {

Index side(Index n, Index x, Index r) {
  const Index whole = std::min(x, n - 1) / r;
  return whole * n - r * triangle(whole);
}

// C(n, a, b, r) of S4.
Index comb(Index n, Index a, Index b, Index r) {
  return n + side(n, a, r) + side(n, b, r);
}

Index pairsOf(const Pattern& pattern, Index n) {
  const auto p = prepare(pattern, squareLengths(n));
  REQUIRE(p->closedForm());
  return p->pairs();
}

std::set<Index> randomSet(Dice& dice, Index size, Index below) {
  std::set<Index> values;
  for (Index k = 0; k < size; ++k)
    values.insert(dice.within(0, below - 1));
  return values;
}

IndexList listOf(const std::set<Index>& values) {
  return std::vector<Index>(values.begin(), values.end());
}

} // namespace

TEST_CASE("Windows have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(0, 50)));
  const Index n = dice.within(1, Index{1} << 24);
  const Index a = dice.within(0, n + 5);
  const Index b = dice.within(0, n + 5);
  const Index r = dice.within(1, 300);
  CHECK(pairsOf(Causal{}, n) == triangle(n));
  CHECK(pairsOf(Full{}, n) == n * n);
  CHECK(pairsOf(Local{a, true}, n) == (a == 0 ? 0 : comb(n, a - 1, 0, 1)));
  CHECK(pairsOf(Local{a, true, Local::Count::Previous}, n) == comb(n, a, 0, 1));
  if (a > 0)
    CHECK(pairsOf(Local{a}, n) == comb(n, a / 2, (a - 1) / 2, 1));
  CHECK(pairsOf(Local{a, false, Local::Count::Inclusive, Local::Edge::Shift}, n) ==
        n * std::min(a, n));
  CHECK(pairsOf(SlidingWindow{a, b}, n) == comb(n, a, b, 1));
  CHECK(pairsOf(Dilated{a, b, r}, n) == comb(n, a * r, b * r, r));
  CHECK(pairsOf(Dilated{a, b, r, Dilated::Unit::Tokens}, n) == comb(n, a, b, r));
}

TEST_CASE("Factorized patterns have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(100, 150)));
  const Index n = dice.within(1, Index{1} << 24);
  const Index l = dice.within(1, n + 3);
  const Index q = n / l;
  const Index r = n % l;
  const Index first = comb(n, l, 0, 1);
  const Index second = l * triangle(q) + r * (q + 1);
  const Index both = n + std::max<Index>(n - l, 0);
  CHECK(pairsOf(Strided{l, Factor::First}, n) == first);
  CHECK(pairsOf(Strided{l, Factor::Second}, n) == second);
  CHECK(pairsOf(Strided{l}, n) == first + second - both);
  const Index c = dice.within(1, l);
  const Index lo = l - c;
  const Index rest = std::clamp<Index>(r - lo, 0, c);
  const Index blocks = q * triangle(l) + triangle(r);
  const Index inside =
      q * (c * l - (c * lo + c * (c - 1) / 2)) + rest * r - (rest * lo + rest * (rest - 1) / 2);
  const Index unionPairs = pairsOf(Fixed{l, c}, n);
  CHECK(pairsOf(Fixed{l, c, 0, Factor::First}, n) == blocks);
  CHECK(unionPairs == blocks + pairsOf(Fixed{l, c, 0, Factor::Second}, n) - inside);
}

TEST_CASE("Sinks, prefixes and rings have the pairs that their closed forms give",
          "[closed-form]") {
  Dice dice(GENERATE(range(200, 250)));
  const Index n = dice.within(1, Index{1} << 24);
  const Index s = dice.within(0, n + 2);
  const Index w = dice.within(0, n + 2);
  const Index k = std::min(n, s + w);
  CHECK(pairsOf(Sinks{s, w}, n) == triangle(k) + (n - k) * (s + w));
  CHECK(pairsOf(PrefixLm{s}, n) == triangle(n) + triangle(std::min(s, n) - 1));
  Graph ring;
  ring.kind = Graph::Kind::Ring;
  ring.k = s / 2;
  CHECK(pairsOf(ring, n) == n * std::min(n, 2 * ring.k + 1));
  Graph grid;
  grid.kind = Graph::Kind::Grid;
  grid.rows = dice.within(1, 5000);
  grid.cols = dice.within(1, 5000);
  const Index rows = *grid.rows;
  const Index cols = *grid.cols;
  CHECK(pairsOf(grid, rows * cols) == rows * cols + 2 * (rows * (cols - 1) + cols * (rows - 1)));
}

TEST_CASE("Lists of lines have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(300, 330)));
  const Index n = dice.within(50, 100000);
  const auto columns = randomSet(dice, dice.within(0, 60), n);
  const auto offsets = randomSet(dice, dice.within(0, 60), n + 10);
  Index pairs = 0;
  for (const Index v : columns)
    pairs += n - v;
  for (const Index o : offsets)
    pairs += std::max<Index>(n - o, 0);
  for (const Index v : columns)
    for (const Index o : offsets)
      pairs -= v + o < n ? 1 : 0;
  CHECK(pairsOf(VerticalSlash{listOf(columns), listOf(offsets)}, n) == pairs);

  const Index g = static_cast<Index>(columns.size());
  const Index r = dice.within(1, 3);
  const Index reach = dice.within(0, 20) * r;
  Index expected = comb(n, reach, reach, r) + 2 * g * n - g * g;
  for (const Index x : columns) {
    expected -= 2 * (1 + std::min(reach, x) / r + std::min(reach, n - 1 - x) / r);
    for (const Index y : columns)
      expected += std::abs(x - y) <= reach && (x - y) % r == 0 ? 1 : 0;
  }
  CHECK(pairsOf(Longformer{2 * reach / r, listOf(columns), r}, n) == expected);
}

TEST_CASE("Documents and blocks have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(400, 430)));
  std::vector<Index> lengths;
  Index n = 0;
  Index causal = 0;
  Index full = 0;
  for (Index k = dice.within(1, 3000); k > 0; --k) {
    lengths.push_back(dice.within(k == 1 ? 1 : 0, 4000));
    n += lengths.back();
    causal += triangle(lengths.back());
    full += lengths.back() * lengths.back();
  }
  Document document;
  document.lengths = IndexList(lengths);
  CHECK(pairsOf(document, n) == causal);
  document.causal = false;
  CHECK(pairsOf(document, n) == full);
  const Index b = dice.within(1, n);
  CHECK(pairsOf(BlockLocal{b}, n) == n / b * b * b + (n % b) * (n % b));
}

TEST_CASE("Summary columns have the pairs that their closed form gives", "[closed-form]") {
  Dice dice(900 + GENERATE(range(0, 50)));
  const Index n = dice.within(1, Index{1} << 22);
  const Index l = dice.within(1, std::min<Index>(n + 3, 5000));
  const Index c = dice.within(1, l);
  const Index h = dice.within(0, l / c - 1);
  const Index lo = l - (h + 1) * c;
  const Index k = n / l;
  const Index partial = std::clamp<Index>(n % l - lo, 0, c);
  // |A²| = n N − S with the count N and the sum S of the summary columns below n (S4.8, S12).
  const Index columns = k * c + partial;
  const Index inBlock = c * lo + c * (c - 1) / 2; // their residues, summed
  const Index sum = c * l * (k * (k - 1) / 2) + k * inBlock + partial * (k * l + lo) +
                    partial * (partial - 1) / 2;
  CHECK(pairsOf(Fixed{l, c, h, Factor::Second}, n) == n * columns - sum);
}

namespace {

// Pairs of one axis of T1, for a group of L positions.
Index groupPairs(const Neighborhood& of, Index L, Index k, Index s, bool causal) {
  if (of.reading == Neighborhood::Reading::ZeroPad)
    return L == 0 ? 0 : causal ? comb(L, k - 1, 0, 1) : comb(L, k / 2, k / 2 + k % 2 - 1, 1);
  if (of.reading == Neighborhood::Reading::Gym)
    return L * std::min(2 * (k / 2) + 1, L);
  if (!causal)
    return L * std::min(k, L);
  const Index T = L / s;
  const Index w = L % s;
  const Index B = std::min(T, k / s);
  const Index rest = w == 0 ? 0 : L <= k ? triangle(L) - triangle(T * s) : w * k - w * (w - 1) / 2;
  return triangle(B * s) + (T - B) * (s * k - s * (s - 1) / 2) + rest;
}

// Branch k of T7 with segments of w: (n div w) f(c(w)) + f(c(n mod w)).
Index branchPairs(Index n, Index w, Index r, Index s, bool causal) {
  const auto c = [&](Index m) { return m > s ? (m - 1 - s) / r + 1 : 0; };
  const auto f = [&](Index x) { return causal ? triangle(x) : x * x; };
  return n / w * f(c(w)) + f(c(n % w));
}

} // namespace

TEST_CASE("Canvases have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(1000 + GENERATE(range(0, 60)));
  using Reading = Neighborhood::Reading;
  Neighborhood of;
  of.reading = std::array{Reading::Natten, Reading::ZeroPad,
                          Reading::Gym}[static_cast<std::size_t>(dice.within(0, 2))];
  const bool gym = of.reading == Reading::Gym;
  std::vector<Index> shape;
  std::vector<Index> kernel;
  std::vector<Index> stride;
  std::vector<Index> dilation;
  std::vector<Truth> causal;
  Index n = 1;
  Index pairs = 1;
  for (Index axes = dice.within(1, 3); axes > 0; --axes) {
    const Index x = dice.within(1, 200);
    const Index k = dice.within(1, 40);
    const Index s = of.reading == Reading::Natten ? dice.within(1, k) : 1;
    const Index d = gym ? 1 : dice.within(1, 9);
    const bool ahead = !gym && dice.chance(2);
    n *= x;
    pairs *= x % d * groupPairs(of, x / d + 1, k, s, ahead) +
             (d - x % d) * groupPairs(of, x / d, k, s, ahead);
    shape.push_back(x);
    kernel.push_back(k);
    stride.push_back(s);
    dilation.push_back(d);
    causal.push_back(static_cast<Truth>(ahead));
  }
  of.shape = IndexList(shape);
  of.kernel = IndexList(kernel);
  of.stride = IndexList(stride);
  of.dilation = IndexList(dilation);
  of.causal = TruthList(causal);
  INFO(shortText(of));
  CHECK(pairsOf(of, n) == pairs);
}

TEST_CASE("Sliding tiles have the pairs that their closed form gives", "[closed-form]") {
  Neighborhood of;
  of.reading = Neighborhood::Reading::Sta;
  of.shape = IndexList{30, 48, 80};
  of.kernel = IndexList{18, 24, 24};
  of.tile = IndexList{6, 8, 8};
  of.text = 256;
  const Index cells = 30 * 48 * 80;
  const Index tiles = 5 * 3 * 6 * 3 * 10 * 3;
  CHECK(pairsOf(of, cells + 256) == tiles * 384 * 384 + 2 * cells * 256 + 256 * 256);
}

TEST_CASE("Block diffusion and spans have the pairs that their closed forms give",
          "[closed-form]") {
  Dice dice(1100 + GENERATE(range(0, 40)));
  const Index half = dice.within(1, Index{1} << 23);
  const Index b = dice.within(1, dice.chance(2) ? 100 : half + 3);
  const Index k = half / b;
  const Index r = half % b;
  const Index pairs = k * b * b + r * r + b * b * (k * (k - 1) / 2) + r * k * b;
  CHECK(pairsOf(BlockDiffusion{b}, 2 * half) == 2 * pairs);
  CHECK(pairsOf(BlockDiffusion{b, BlockDiffusion::Stage::Sample}, half) == pairs);

  const Index n = dice.within(1, Index{1} << 22);
  const Index W = dice.within(1, dice.chance(2) ? 100 : n + 3);
  const Index w = std::min(W, n);
  std::vector<IndexPair> spans;
  Index ahead = 0;
  Index near = 0;
  Index behind = 0;
  Index kept = 0;
  for (Index at = 0; at < n;) {
    const Index m = std::min(dice.within(1, dice.chance(2) ? 50 : n), n - at);
    spans.emplace_back(at, m);
    at += m + dice.within(0, n / 8);
    ahead += triangle(m - 1);
    near += std::min(m - 1, W - 1) * m - triangle(std::min(m - 1, W - 1));
    behind += triangle(m - W);
    kept += m <= W ? triangle(m - 1) : 0;
  }
  const Index band = triangle(w) + (n - w) * w;
  using Reading = Spans::Reading;
  const auto read = [&](Reading reading) {
    return pairsOf(Spans{PairList(spans), {}, W, reading}, n);
  };
  CHECK(pairsOf(Spans{PairList(spans), {}, {}}, n) == triangle(n) + ahead);
  CHECK(read(Reading::Clamp) == band + ahead);
  CHECK(read(Reading::ClampBoth) == band + near);
  CHECK(read(Reading::Overlay) == band + ahead + behind);
  CHECK(read(Reading::Drop) == band + kept);
}

TEST_CASE("Trees and bands between frames have the pairs that their closed forms give",
          "[closed-form]") {
  Dice dice(1200 + GENERATE(range(0, 30)));
  Tree tree;
  tree.prefix = dice.within(0, 1000000);
  std::vector<Index> parents;
  std::vector<Index> depths;
  Index depth = 0;
  for (Index t = 0; t < 3000; ++t) {
    parents.push_back(dice.chance(3) ? t - 1 : dice.within(-1, t - 1));
    depths.push_back(parents.back() < 0 ? 1 : depths[static_cast<std::size_t>(parents.back())] + 1);
    depth += depths.back();
  }
  tree.parents = IndexList(parents);
  CHECK(pairsOf(tree, tree.prefix + 3000) == triangle(tree.prefix) + 3000 * tree.prefix + depth);

  Radial radial;
  radial.reading = Radial::Reading::Token;
  radial.model = dice.chance(2) ? Radial::Model::Wan : Radial::Model::Hunyuan;
  radial.frames = dice.within(1, 80);
  radial.tokensPerFrame = dice.within(1, 5000);
  radial.blockSize = dice.within(1, 200);
  const Index t = *radial.tokensPerFrame;
  const Index V = *radial.frames * t;
  const Index n = V + dice.within(0, 500);
  const std::vector<Index> widths = radialWidths(radial);
  Index pairs = n * n - V * V;
  for (Index f = 0; f < *radial.frames; ++f)
    for (Index g = 0; g < *radial.frames; ++g) {
      const bool sink = g == 0 && radial.model == Radial::Model::Wan;
      const Index a = sink ? t - 1 : widths[static_cast<std::size_t>(std::abs(f - g))];
      pairs += a < 0 ? 0 : t + 2 * (a * t - triangle(a));
    }
  CHECK(pairsOf(radial, n) == pairs);
}

TEST_CASE("LongNet's segments have the pairs that their closed form gives", "[closed-form]") {
  Dice dice(1300 + GENERATE(range(0, 30)));
  const Index n = dice.within(1, Index{1} << 24);
  DilatedSegments of;
  of.causal = dice.chance(2);
  of.combine = dice.chance(2) ? Combine::Lse : Combine::Union;
  of.heads = 8;
  of.head = dice.within(0, 7);
  of.segments = IndexList{64, 128, 512, 4096};
  of.dilations = IndexList{1, 2, 8, 16};
  Index pairs = branchPairs(n, 64, 1, 0, of.causal);
  for (std::size_t k = 1; k < 4; ++k) {
    const Index r = (*of.dilations)[k];
    pairs += branchPairs(n, (*of.segments)[k], r, of.head % r, of.causal) -
             branchPairs(n, (*of.segments)[k - 1], r, of.head % r, of.causal);
  }
  CHECK(pairsOf(of, n) == pairs);
}

TEST_CASE("Rectangles of frames that are cut have the cells of their rows", "[closed-form]") {
  Dice dice(2500 + GENERATE(range(0, 40)));
  Radial radial;
  radial.reading = Radial::Reading::Token;
  radial.model = dice.chance(2) ? Radial::Model::Wan : Radial::Model::Hunyuan;
  radial.frames = dice.within(1, 40);
  radial.tokensPerFrame = dice.within(1, 12);
  radial.blockSize = dice.within(1, 4);
  radial.split = dice.within(1, 40);
  const Index n = *radial.frames * *radial.tokensPerFrame + dice.within(0, 5);
  const auto p = prepare(radial, squareLengths(n));
  KeyRanges ranges;
  for (int k = 0; k < 10; ++k) {
    const Rect rect = dice.rect(n, n);
    Index cells = 0;
    for (Index i = rect.rowBegin; i < rect.rowEnd; ++i) {
      p->row(i, {rect.keyBegin, rect.keyEnd}, ranges);
      for (const KeyRange& range : ranges)
        cells += count(range);
    }
    CHECK(p->count(rect) == cells);
  }
}

TEST_CASE("LongNet's published segments, which do not nest, are counted exactly", "[closed-form]") {
  DilatedSegments of;
  of.segments = IndexList{2048, 4096, 8192, 16384, 32768};
  of.dilations = IndexList{1, 2, 4, 6, 12};
  const Index n = Index{1} << 24;
  CHECK(pairsOf(of, n) == 54'881'302'528);
  // Rows of one short length, by their ranges, and the same rows in the middle of a long one.
  const Index shorter = 40'000;
  of.causal = GENERATE(false, true);
  const auto p = prepare(of, squareLengths(shorter));
  KeyRanges ranges;
  Index cells = 0;
  for (Index i = 0; i < shorter; ++i) {
    p->row(i, ranges);
    for (const KeyRange& range : ranges)
      cells += count(range);
  }
  CHECK(p->pairs() == cells);
  const auto longer = prepare(of, squareLengths(n));
  const Index start = Index{77} << 15;
  CHECK(longer->count({start, start + 20'000, 0, n}) == p->count({0, 20'000, 0, 32768}));
}

TEST_CASE("Segments with too many edges are counted by rows", "[closed-form]") {
  const Index n = Index{1} << 21;
  DilatedSegments of{IndexList{1, n}, IndexList{1, 3}};
  const auto p = prepare(of, squareLengths(n));
  CHECK_FALSE(p->closedForm());
  const Index third = (n + 2) / 3;
  CHECK(p->pairs() == third * third + n - third);
}

namespace {

// Layouts of n = 2^20 tokens.
void layOutLong(Dice& dice, Pattern& pattern, Index n) {
  if (auto* canvas = pattern.as<Neighborhood>()) {
    canvas->shape = IndexList{32, 128, 256};
    canvas->kernel = AxisNumbers(IndexList{5, 9, 12});
    canvas->stride = IndexList{2, 3, 5};
    canvas->dilation = IndexList{3, 1, 4};
  }
  if (pattern.is<BlockDiffusion>())
    pattern = BlockDiffusion{48};
  if (pattern.is<Spans>()) {
    std::vector<IndexPair> spans;
    for (Index at = 100; at < n; at += 500)
      spans.emplace_back(at, dice.within(1, 400));
    pattern = Spans{PairList(spans), {}, 90, Spans::Reading::Overlay};
  }
  if (auto* tree = pattern.as<Tree>()) {
    std::vector<Index> parents{-1};
    for (Index t = 1; t < 4000; ++t)
      parents.push_back(dice.within(t / 2, t - 1));
    tree->parents = IndexList(parents);
    tree->prefix = n - 4000;
  }
  if (pattern.is<Radial>())
    pattern = Radial{100, 10000};
  if (pattern.is<DilatedSegments>())
    pattern = DilatedSegments{IndexList{2048, 4096, 16384}, IndexList{1, 2, 8}, 1, 4, true};
}

} // namespace

TEST_CASE("Long patterns are the sum of their tiles", "[closed-form]") {
  const auto mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Dice dice(700 + mechanism);
  Pattern pattern = allMechanisms()[static_cast<std::size_t>(mechanism)];
  // A formula has no closed form: it is summed cell by cell, at small lengths.
  const bool formula = pattern.is<Expr>();
  const Index n = formula ? 500 : Index{1} << 20;
  if (auto* prefix = pattern.as<PrefixLm>())
    prefix->prefix = 12345;
  if (auto* document = pattern.as<Document>())
    document->lengths = IndexList(std::vector<Index>(1 << 18, 4));
  if (auto* lines = pattern.as<VerticalSlash>())
    *lines = {listOf(randomSet(dice, 1000, n)), listOf(randomSet(dice, 6000, n))};
  if (auto* longformer = pattern.as<Longformer>())
    longformer->globals = listOf(randomSet(dice, 2000, n));
  if (needsData(pattern)) // counted in content_test.cpp, on data
    return;
  if (auto* compose = pattern.as<Compose>())
    *compose = Compose(Operation::Intersection, {Strided{}, Local{1000, false}});
  if (auto* drawn = pattern.as<Drawn>()) {
    std::vector<IndexPlace> cells;
    for (const Index i : randomSet(dice, 3000, n))
      cells.push_back({i, dice.within(0, n - 1)});
    *drawn = {Strided{},
              {{true, Stroke::Shape::Cells, cells},
               {false, Stroke::Shape::Column, {{n / 3}}, n / 8, true}}};
  }
  layOutLong(dice, pattern, n);
  if (auto* given = pattern.as<GivenMask>()) {
    std::vector<IndexPair> cells;
    for (const Index i : randomSet(dice, 3000, n))
      cells.emplace_back(i, dice.within(0, n - 1));
    given->mask = MaskSource{"", n, n, cells, {}};
  }
  if (auto* expr = pattern.as<Expr>())
    expr->expr = "j <= i && (i - j) % 7 < 3";
  INFO(shortText(pattern));
  const auto p = prepare(pattern, squareLengths(n));
  REQUIRE(p->closedForm() != formula);
  const Index tiles = 8;
  Index sum = 0;
  for (Index a = 0; a < tiles; ++a)
    for (Index b = 0; b < tiles; ++b)
      sum += p->count({n * a / tiles, n * (a + 1) / tiles, n * b / tiles, n * (b + 1) / tiles});
  CHECK(sum == p->pairs());
  KeyRanges ranges;
  for (int k = 0; k < 20; ++k) {
    const Index i = dice.within(0, n - 1);
    p->row(i, ranges);
    Index keys = 0;
    for (const KeyRange& range : ranges)
      keys += count(range);
    CHECK(p->rowCount(i, 0, n) == keys);
    const Index j = dice.within(0, n - 1);
    CHECK(p->rowCount(i, j, j + 1) == (p->contains(i, j) ? 1 : 0));
  }
}
