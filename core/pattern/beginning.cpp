#include "core/pattern/beginning.h"

#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace attention {
namespace {

constexpr Index kLengthsPerRow = 6; // a window is at most n over this
constexpr Index kLeastLength = 2;
constexpr Index kMostNodes = 512; // of a tree: every one is listed

std::optional<Index> integerOf(const Pattern& pattern, const Parameter& p, Index n) {
  if (p.type != ParameterType::Integer || !p.visible(pattern))
    return std::nullopt;
  const Value value = p.resolved(pattern, n);
  const auto* integer = std::get_if<Index>(&value);
  return integer ? std::optional(*integer) : std::nullopt;
}

// Whether the parameter follows n by itself, as a stride of √n does.
bool followsLength(const Pattern& pattern, const Parameter& p, Index n) {
  return integerOf(pattern, p, n) != integerOf(pattern, p, kMaxLength);
}

// Blocks per row, including its own: the sum of the numbers that count blocks.
Index blocksOfRow(const Pattern& pattern, Index n) {
  Index blocks = 0;
  for (const Parameter& p : description(pattern).parameters)
    if (p.unit == "blocks") // of a row there are no more than tokens
      blocks += std::clamp<Index>(integerOf(pattern, p, n).value_or(0), 0, kMaxLength);
  return blocks;
}

// The longest that suits n: half of the blocks of a row stay empty.
Index longest(const Pattern& pattern, const Parameter& p, Index n) {
  if (p.name == "block_size")
    return std::max<Index>(n / std::max(kLengthsPerRow, 2 * blocksOfRow(pattern, n)), 1);
  return std::max(n / kLengthsPerRow, kLeastLength);
}

void shorten(Pattern& pattern, const Parameter& p, Index n) {
  const std::optional<Index> value = integerOf(pattern, p, n);
  if (!value || followsLength(pattern, p, n))
    return;
  Index fitting = *value;
  const Index most = longest(pattern, p, n);
  if (p.unit == "tokens" || p.unit == "keys")
    while (fitting > most)
      fitting /= 2;
  const Bounds bounds = p.bounds(pattern, n);
  if (bounds.maximum < static_cast<double>(*value))
    fitting = std::min(fitting, static_cast<Index>(bounds.maximum));
  if (fitting != *value)
    p.set(pattern, Value{fitting});
}

// The largest divisor of n that is at most `most`.
Index divisorUpTo(Index n, Index most) {
  Index divisor = std::clamp<Index>(most, 1, n);
  while (n % divisor != 0)
    --divisor;
  return divisor;
}

// So many lengths, as equal as divisors of n allow, with n as their product.
std::vector<Index> squarest(Index n, std::size_t axes) {
  std::vector<Index> shape;
  for (std::size_t left = axes; left > 1; --left) {
    const double side = std::pow(static_cast<double>(n), 1.0 / static_cast<double>(left));
    shape.push_back(divisorUpTo(n, static_cast<Index>(side + 1e-9)));
    n /= shape.back();
  }
  shape.push_back(n);
  return shape;
}

// What the mechanism's source has, under the choices of `pattern`.
Pattern standardOf(const Pattern& pattern) {
  const Description& facts = description(pattern);
  Pattern standard = patternNamed(facts.name);
  for (const Parameter& p : facts.parameters)
    if (p.type == ParameterType::Choice)
      p.set(standard, p.given(pattern));
  return standard;
}

// What a mechanism needs to show anything.
struct Furnish {
  Index n;
  bool untouched; // all but its choices is as its source has it

  void operator()(Expr& formula) const {
    if (!formula.expr)
      formula.expr = "j <= i && (i - j) % 4 < 2";
  }
  void operator()(PrefixLm& prefixLm) const {
    if (!prefixLm.prefix)
      prefixLm.prefix = n / 4;
  }
  // Three documents of different lengths, as far as n has tokens.
  void operator()(Document& document) const {
    if (document.lengths || document.ids)
      return;
    const Index first = (n + 1) / 2;
    const Index second = (n - first + 1) / 2;
    std::vector<Index> lengths;
    for (const Index length : {second, first, n - first - second})
      if (length > 0)
        lengths.push_back(length);
    document.lengths = IndexList(std::move(lengths));
  }
  void operator()(VerticalSlash& lines) const {
    if (!lines.vertical.empty() || !lines.slash.empty())
      return;
    lines.vertical = n > 3 ? IndexList{0, n / 3} : IndexList{0};
    lines.slash = n > 3 ? IndexList{0, 1, n / 4} : IndexList{0};
  }
  void operator()(Graph& graph) const {
    if (graph.kind == Graph::Kind::Edges && graph.edges.empty())
      graph.kind = n > 4 ? Graph::Kind::SmallWorld : Graph::Kind::Ring;
  }
  void operator()(Compose& composition) const {
    if (composition.of.empty())
      composition = Compose(Operation::Union, {beginning(patternNamed("local"), n),
                                               beginning(patternNamed("dilated"), n)});
  }
  // The squarest canvas of n tokens.
  void operator()(Neighborhood& neighborhood) const {
    if (!neighborhood.shape)
      neighborhood.shape = IndexList(squarest(n, divisorUpTo(n, integerSqrt(n)) > 1 ? 2 : 1));
    if (neighborhood.kernel)
      return;
    Index longest = 1;
    for (const Index length : *neighborhood.shape)
      longest = std::max(longest, length);
    const Index half = std::clamp<Index>(longest / kLengthsPerRow, 1, 3);
    neighborhood.kernel = 2 * half + 1;
  }
  void operator()(BlockDiffusion& diffusion) const {
    if (diffusion.blockSize)
      return;
    diffusion.blockSize = std::max<Index>(n / 12, 1);
    if (n % 2 != 0)
      diffusion.part = BlockDiffusion::Stage::Sample;
  }
  // A short and a long image in text with a window, as far as there are tokens for them.
  void operator()(Spans& spans) const {
    if (spans.spans || spans.ids)
      return;
    const Index length = n / kLengthsPerRow;
    spans.spans =
        length < 1 ? PairList{} : PairList{{length / 2, length}, {5 * n / 12 + 1, 2 * length}};
    if (!spans.window)
      spans.window = std::max<Index>(n / kLengthsPerRow, 1);
  }
  // Two drafts behind every token, behind a prefix.
  void operator()(Tree& tree) const {
    if (tree.parents || tree.paths)
      return;
    tree.prefix = std::max(n / kLengthsPerRow, n - kMostNodes);
    std::vector<Index> parents;
    for (Index node = 0; node < n - tree.prefix; ++node)
      parents.push_back(node == 0 ? -1 : (node - 1) / 2);
    tree.parents = IndexList(std::move(parents));
  }
  // Bands that are narrower from frame to frame, and frames left out from the fourth on.
  void operator()(Radial& radial) const {
    if (radial.frames || radial.tokensPerFrame)
      return;
    radial.frames = divisorUpTo(n, integerSqrt(n));
    radial.tokensPerFrame = n / *radial.frames;
    const Index t = *radial.tokensPerFrame;
    radial.split = static_cast<Index>(
        std::max<std::uint64_t>(std::bit_floor(static_cast<std::uint64_t>(t)) / 2, 1));
    radial.blockSize = divisorUpTo(n, t / 8);
  }
  // Each branch twice as long and as sparse as the one before.
  void operator()(DilatedSegments& segments) const {
    if (segments.segments || segments.dilations)
      return;
    const Index w = static_cast<Index>(
        std::bit_floor(static_cast<std::uint64_t>(std::max<Index>(n / kLengthsPerRow, 1))));
    segments.segments = IndexList{w, 2 * w, 4 * w};
    segments.dilations = IndexList{1, 2, 4};
  }
  // A window with a column more, a block more, and a block less.
  void operator()(Drawn& drawn) const {
    if (drawn.on || !drawn.strokes.empty())
      return;
    drawn.on = beginning(patternNamed("local"), n);
    drawn.strokes = {
        {true, Stroke::Shape::Column, {{n / 8}}},
        {true, Stroke::Shape::Rectangle, {{2 * n / 3, 5 * n / 6, n / 4, 5 * n / 12}}},
        {false, Stroke::Shape::Rectangle, {{n / 2, 7 * n / 12, n / 2, 7 * n / 12}}},
    };
  }

  // What chooses blocks has defaults for lengths of 10⁴ and more, at which short ones are full: it
  // begins with blocks of about √n / 2 (S20), and takes a few of them.
  void operator()(Moba& m) const {
    if (untouched) {
      m.blockSize = block();
      m.topK = kFewBlocks;
    }
  }
  void operator()(Msa& m) const {
    if (untouched) {
      m.blockSize = block();
      m.topK = kFewBlocks;
    }
  }
  void operator()(BlockTopK& m) const {
    if (untouched) {
      m.blockSize = block();
      m.topK = kFewBlocks;
    }
  }
  void operator()(Quest& m) const {
    if (untouched) {
      m.pageSize = block();
      m.tokenBudget = kFewBlocks * block();
    }
  }
  void operator()(XAttention& m) const {
    if (untouched) {
      m.blockSize = block();
      m.stride = std::max<Index>(block() / 2, 1);
      m.threshold = kPartOfWeight;
    }
  }
  void operator()(FlexPrefill& m) const {
    if (untouched) {
      m.blockSize = block();
      m.gamma = kLittleWeight;
    }
  }
  void operator()(Sparge& m) const {
    if (untouched) {
      m.blockQ = block();
      m.blockK = block();
      m.similarity = 0;
      m.cdf = kPartOfWeight;
    }
  }
  void operator()(Nsa& m) const {
    if (untouched) {
      m.compressBlock = block();
      m.compressStride = std::max<Index>(block() / 2, 1);
      m.selectBlock = block();
      m.selectCount = kFewBlocks;
      m.localBlocks = 1;
      m.window = block();
    }
  }
  template <class M>
  void operator()(M&) const {}

private:
  static constexpr Index kFewBlocks = 3;
  static constexpr double kPartOfWeight = 0.6;
  static constexpr double kLittleWeight = 0.3;

  Index block() const {
    const double root = std::log2(static_cast<double>(std::max<Index>(n, 1))) / 2 - 1;
    return Index{1} << std::max<Index>(std::lround(root), 0);
  }
};

// Changes a layout whose length is not n, and no other.
struct LayOut {
  Index n;

  void operator()(Neighborhood& canvas) const {
    if (!canvas.shape || canvas.shape->empty() || !canvas.kernel)
      return;
    const std::size_t axes = canvas.shape->size();
    canvas.text = std::min(canvas.text, n - 1);
    const std::vector<Index> shape = squarest(n - canvas.text, axes);
    if (canvas.tile)
      retile(canvas, shape);
    canvas.shape = IndexList(shape);
  }
  void operator()(BlockDiffusion& diffusion) const {
    if (n % 2 != 0)
      diffusion.part = BlockDiffusion::Stage::Sample;
  }
  void operator()(Spans& spans) const {
    if (!spans.spans)
      return;
    std::vector<IndexPair> kept;
    for (const auto& [start, length] : *spans.spans)
      if (start < n)
        kept.emplace_back(start, std::min(length, n - start));
    spans.spans = PairList(std::move(kept));
  }
  // The same tree behind another prefix, or as much of it as there are tokens.
  void operator()(Tree& tree) const {
    std::vector<Index> parents = parentsOf(tree);
    const auto nodes = static_cast<Index>(parents.size());
    tree.prefix = std::max<Index>(n - nodes, 0);
    if (nodes <= n)
      return;
    parents.resize(static_cast<std::size_t>(n));
    tree.parents = IndexList(std::move(parents));
    tree.paths.reset();
  }
  void operator()(Radial& radial) const {
    if (!radial.frames || !radial.tokensPerFrame)
      return;
    radial.frames = divisorUpTo(n, *radial.frames);
    radial.tokensPerFrame = n / *radial.frames;
    radial.blockSize = divisorUpTo(n, radial.blockSize);
  }
  template <class M>
  void operator()(M&) const {}

private:
  // Tiles that divide the axes; of sliding tiles, windows of as many as before.
  static void retile(Neighborhood& canvas, const std::vector<Index>& shape) {
    const auto at = [](const AxisNumbers& numbers, std::size_t a) -> Index {
      if (const auto* one = std::get_if<Index>(&numbers))
        return *one;
      const IndexList& list = std::get<IndexList>(numbers);
      return a < list.size() ? list[a] : 1;
    };
    std::vector<Index> tile;
    std::vector<Index> kernel;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      tile.push_back(divisorUpTo(shape[a], at(*canvas.tile, a)));
      kernel.push_back(at(*canvas.kernel, a) / at(*canvas.tile, a) * tile.back());
    }
    canvas.tile = IndexList(std::move(tile));
    if (canvas.reading == Neighborhood::Reading::Sta)
      canvas.kernel = IndexList(std::move(kernel));
  }
};

} // namespace

bool isValid(const Pattern& pattern, Index n) {
  try {
    check(pattern, squareLengths(n));
    return true;
  } catch (const Error&) {
    return false;
  }
}

Pattern laidOut(Pattern pattern, Index n) {
  if (!isValid(pattern, n))
    std::visit(LayOut{n}, pattern.mechanism());
  return pattern;
}

Pattern beginning(const Pattern& standard, Index n) {
  Pattern pattern = standard;
  std::visit(Furnish{n, standard == standardOf(standard)}, pattern.mechanism());
  for (const Parameter& p : description(pattern).parameters)
    shorten(pattern, p, n);
  return pattern;
}

Pattern begunChoice(const Pattern& before, Pattern after, Index n) {
  for (const Parameter& p : description(after).parameters) {
    const bool given = !std::holds_alternative<std::monostate>(p.given(after));
    if (!given && integerOf(after, p, n) != integerOf(before, p, n))
      shorten(after, p, n);
  }
  return after;
}

std::vector<ShortenedParameter> shortenedParameters(const Pattern& pattern, Index n) {
  const Pattern standard = standardOf(pattern);
  const Pattern begun = beginning(standard, n);
  std::vector<ShortenedParameter> shorter;
  bool anyBegun = false;
  for (const Parameter& p : description(pattern).parameters) {
    const std::optional<Index> published = integerOf(standard, p, n);
    const std::optional<Index> here = integerOf(pattern, p, n);
    const std::optional<Index> first = integerOf(begun, p, n);
    if (!published || !here || *here >= *published || !first || *first >= *published)
      continue;
    shorter.push_back({&p, *published});
    anyBegun = anyBegun || here == first;
  }
  return anyBegun ? shorter : std::vector<ShortenedParameter>();
}

} // namespace attention
