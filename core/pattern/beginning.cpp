#include "core/pattern/beginning.h"

#include "core/pattern/mechanism/all.h"

#include <algorithm>
#include <optional>

namespace attention {
namespace {

constexpr Index kLengthsPerRow = 6; // a window is at most n over this
constexpr Index kLeastLength = 2;

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

// What a mechanism needs to show anything.
struct Furnish {
  Index n;

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
  template <class M>
  void operator()(M&) const {}
};

} // namespace

Pattern beginning(const Pattern& standard, Index n) {
  Pattern pattern = standard;
  std::visit(Furnish{n}, pattern.mechanism());
  for (const Parameter& p : description(pattern).parameters)
    shorten(pattern, p, n);
  return pattern;
}

} // namespace attention
