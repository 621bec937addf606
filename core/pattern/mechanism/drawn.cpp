#include "core/pattern/mechanism/drawn.h"

#include "core/pattern/coverage_rows.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/stroke_tables.h"
#include "core/pattern/strokes.h"

#include <algorithm>

namespace attention {
namespace {

using Shared = std::shared_ptr<const Prepared>;
using Pieces = std::vector<StrokePiece>;

// Up to so many pieces are primitives, which compose and go to the shader.
constexpr Index kMostPrimitiveCopies = 32;

// Tokens that are queries, and keys.
Rect maskOf(const Lengths& lengths) {
  return {0, std::max<Index>(lengths.queries + lengths.offset, 0), 0, lengths.keys};
}

Shared setOf(const Lengths& lengths, PrimitiveSet set) {
  return fromParts(lengths, {{"strokes", "strokes", std::move(set), {}}});
}

Cells asCells(Shared operand) {
  return Composition{Operation::Union, {std::move(operand)}};
}

// The two sets that strokes make: what they leave added, and where they have been.
struct Hand {
  Shared added;
  Shared touched;
};

// In terms of primitives; nothing where the pieces have too many copies.
std::optional<Hand> handOfPrimitives(const Pieces& pieces, const Lengths& lengths) {
  const Rect mask = maskOf(lengths);
  Index copies = 0;
  for (const StrokePiece& piece : pieces)
    copies += mask.empty() ? 0 : copiesOf(piece, mask).count();
  if (copies > kMostPrimitiveCopies)
    return std::nullopt;
  Hand hand{setOf(lengths, {}), nullptr};
  PrimitiveSet all;
  for (std::size_t k = 0; k < pieces.size();) {
    PrimitiveSet alike; // pieces in a row that all add or all remove
    const bool add = pieces[k].add;
    for (; k < pieces.size() && pieces[k].add == add; ++k) {
      const StrokeCopies of = copiesOf(pieces[k], mask);
      for (Index copy = of.first; copy <= of.last; ++copy)
        alike.primitives.push_back(copyOf(pieces[k], copy, mask));
    }
    all.primitives.insert(all.primitives.end(), alike.primitives.begin(), alike.primitives.end());
    hand.added = compose(add ? Operation::Union : Operation::Difference,
                         {hand.added, setOf(lengths, std::move(alike))}, {"before", "stroke"});
  }
  hand.touched = setOf(lengths, std::move(all));
  return hand;
}

// The cells of a pattern with a closed form that lie in none of some disjoint rectangles.
class Untouched {
public:
  Untouched(Shared below, Shared touched, std::vector<Rect> rects)
      : below_(std::move(below)), touched_(std::move(touched)), rects_(std::move(rects)) {}

  bool contains(Index token, Index j) const {
    return below_->contains(token - offset(), j) && !touched_->contains(token - offset(), j);
  }

  void appendRow(Index token, KeyRanges& ranges) const {
    const KeySpan all{0, below_->lengths().keys};
    const auto first = firstEndingBehind(token);
    const bool met = first != rects_.end() && first->rowBegin <= token;
    attention::appendRow(met ? Cells(Composition{Operation::Difference, {below_, touched_}})
                             : asCells(below_),
                         token, all, ranges);
  }

  Index count(const Rect& tokens) const {
    Index cells = countBelow(tokens);
    forEachMet(tokens, [&](const Rect& met) { cells -= countBelow(met); });
    return cells;
  }

  void addStrip(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                std::span<Index> counts) const {
    addBelow(rowBegin, rowEnd, edges, counts);
    forEachMet({rowBegin, rowEnd, edges.front(), edges.back()}, [&](const Rect& met) {
      auto edge = std::upper_bound(edges.begin(), edges.end(), met.keyBegin) - 1;
      for (; edge + 1 != edges.end() && *edge < met.keyEnd; ++edge)
        counts[static_cast<std::size_t>(edge - edges.begin())] -=
            countBelow(intersection(met, {rowBegin, rowEnd, *edge, *(edge + 1)}));
    });
  }

private:
  Index offset() const { return below_->lengths().offset; }
  Index countBelow(const Rect& tokens) const {
    return below_->count(
        {tokens.rowBegin - offset(), tokens.rowEnd - offset(), tokens.keyBegin, tokens.keyEnd});
  }

  void addBelow(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                std::span<Index> counts) const {
    const Lattice row{{rowBegin - offset(), rowEnd - offset()}, {edges.begin(), edges.end()}};
    const CoverageRows below(*below_, row);
    std::vector<std::vector<Index>> planes(below.planes(), std::vector<Index>(counts.size()));
    below.add(0, std::vector<std::span<Index>>(planes.begin(), planes.end()));
    for (const std::vector<Index>& plane : planes)
      for (std::size_t b = 0; b < counts.size(); ++b)
        counts[b] += plane[b];
  }

  std::vector<Rect>::const_iterator firstEndingBehind(Index token) const {
    return std::partition_point(rects_.begin(), rects_.end(),
                                [&](const Rect& rect) { return rect.rowEnd <= token; });
  }
  template <class Visit>
  void forEachMet(const Rect& tokens, const Visit& visit) const {
    for (auto at = firstEndingBehind(tokens.rowBegin);
         at != rects_.end() && at->rowBegin < tokens.rowEnd; ++at)
      if (const Rect met = intersection(*at, tokens); !met.empty())
        visit(met);
  }

  Shared below_;
  Shared touched_;
  std::vector<Rect> rects_; // by rows, those of a row together
};

// Why a cell is attended or not, whichever part is asked.
using Reason = std::function<std::string(Index token, Index j)>;

Reason reasonOf(Pieces pieces, Shared below) {
  return [pieces = std::move(pieces), below = std::move(below)](Index token, Index j) {
    if (const auto add = lastAt(pieces, token, j))
      return std::string(*add ? "added by hand" : "removed by hand");
    return below ? below->why(token - below->lengths().offset, j).text
                 : std::string("no stroke is here");
  };
}

Terms inPart(std::span<const Term> terms, int part) {
  Terms copy;
  add(copy, terms, 1, part);
  return copy;
}

// What remains of the pattern below, and what was added, each where it has cells to hold.
struct Layers {
  Shared below; // null where there is none
  std::string label;
  Hand hand;
  Reason reason;
};

Shared ofPrimitives(const Lengths& lengths, const Layers& layers) {
  std::vector<Part> parts;
  std::optional<Terms> terms = Terms();
  const auto append = [&](const char* name, const std::string& label, const Shared& cells) {
    if (!cells->closedForm() || cells->hasTables())
      terms.reset();
    else if (terms)
      add(*terms, inPart(cells->terms(), static_cast<int>(parts.size())), 1,
          static_cast<int>(parts.size()));
    parts.push_back({name, label, asCells(cells), layers.reason});
  };
  if (layers.below)
    append("pattern", layers.label,
           compose(Operation::Difference, {layers.below, layers.hand.touched}, {"below", "hand"}));
  append(kDrawnPart, "added by hand", layers.hand.added);
  return std::make_shared<const Prepared>(lengths, std::move(parts), std::move(terms));
}

Shared ofTables(const Lengths& lengths, Layers layers, StrokeTables tables) {
  std::vector<Part> parts;
  if (layers.below) {
    const Shared touched = fromParts(lengths, {{"strokes", "strokes", tables.touched, {}}});
    Cells rest = Composition{Operation::Difference, {layers.below, touched}};
    if (layers.below->closedForm() && tables.rects)
      rest = counted(
          std::make_shared<const Untouched>(layers.below, touched, std::move(*tables.rects)));
    parts.push_back({"pattern", layers.label, std::move(rest), layers.reason});
  }
  parts.push_back({kDrawnPart, "added by hand", tables.added, layers.reason});
  return fromParts(lengths, std::move(parts));
}

} // namespace

const Description& describe(const Drawn&) {
  static const Description kDescription =
      DescriptionBuilder<Drawn>("drawn", "Drawn by hand", "Composed")
          .summary("A mask drawn by hand: cells added to a pattern and removed from it.")
          .source("Drawn by hand")
          .definition({"Sᵢ = { j : the last stroke at (i, j) adds it,",
                       "or no stroke is there and the pattern under it has the cell }"})
          .conventions(
              "Places of a stroke: cells [i, j]; rectangle [i0, i1, j0, j1]; row [i] or [i, j0, "
              "j1]; column [j] or [j, i0, i1]; diagonal [i − j] or [i − j, width]; ends are "
              "exclusive. With a period, the stroke repeats along the diagonal: queries and keys "
              "shift together. A diagonal stroke repeats sideways, as parallel diagonals. Mirrored "
              "draws (j, i) as well as (i, j).")
          .complexity("same as the pattern under the strokes")
          .pattern(
              "on", &Drawn::on,
              "The pattern under your strokes; with none, only the cells you draw are attended")
          .label("drawn on")
          .none("Only what is added by hand is attended")
          .value("strokes", "", &Drawn::strokes,
                 "What was added and removed, in this order; a later stroke wins",
                 ParameterType::Strokes,
                 [](const Drawn&, Index) {
                   Bounds bounds;
                   bounds.allowed = "[{\"add\": true or false, \"shape\": one of " + shapeNames() +
                                    ", \"at\": a place or places, \"repeat\": a period or "
                                    "{\"period\", \"mirror\"}}, …]";
                   return bounds;
                 })
          .build();
  return kDescription;
}

void checkLengths(const Drawn& drawn, const Lengths& lengths) {
  if (drawn.on)
    check(*drawn.on, lengths);
}

bool readsData(const Drawn& drawn) {
  return drawn.on && needsData(*drawn.on);
}

const Pattern& belowStrokes(const Pattern& pattern) {
  const auto* drawn = pattern.as<Drawn>();
  return drawn && drawn->on ? belowStrokes(*drawn->on) : pattern;
}

Pattern withStroke(Pattern pattern, Stroke stroke) {
  if (!pattern.is<Drawn>())
    pattern = Drawn{std::move(pattern), {}};
  auto& drawn = *pattern.as<Drawn>();
  std::vector<Stroke> strokes = drawn.strokes.get();
  strokes.push_back(std::move(stroke));
  drawn.strokes = std::move(strokes);
  return pattern;
}

Pattern withoutLastStroke(Pattern pattern) {
  auto* drawn = pattern.as<Drawn>();
  if (!drawn || drawn->strokes.size() < 2)
    return withoutStrokes(std::move(pattern));
  std::vector<Stroke> strokes = drawn->strokes.get();
  strokes.pop_back();
  drawn->strokes = std::move(strokes);
  return pattern;
}

Pattern withoutStrokes(Pattern pattern) {
  auto* drawn = pattern.as<Drawn>();
  if (!drawn)
    return pattern;
  if (drawn->on)
    return Pattern(*drawn->on);
  drawn->strokes = {};
  return pattern;
}

Shared prepared(const Drawn& drawn, const Lengths& lengths, const PatternData& data,
                const Run& run) {
  const Pieces pieces = maskOf(lengths).empty() ? Pieces() : piecesOf(drawn.strokes);
  Layers layers;
  if (drawn.on) {
    layers.below = prepare(*drawn.on, lengths, data, run);
    layers.label = shortText(*drawn.on);
  }
  layers.reason = reasonOf(pieces, layers.below);
  const bool hopesForTerms =
      !layers.below || !layers.below->closedForm() || !layers.below->hasTables();
  if (auto hand = handOfPrimitives(pieces, lengths); hand && hopesForTerms) {
    layers.hand = std::move(*hand);
    Shared result = ofPrimitives(lengths, layers);
    if (result->closedForm() || (layers.below && !layers.below->closedForm()))
      return result;
  }
  return ofTables(lengths, std::move(layers),
                  strokeTables(pieces, maskOf(lengths).rowEnd, lengths.keys, run));
}

} // namespace attention
