// Rows of pixels of one term against its four corners, and of whole patterns against their counts.
#include "core/pattern/coverage.h"
#include "core/pattern/term_strips.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <set>

using namespace attention;

namespace {

// Ascending numbers from `begin` to `end`, about `count` of them.
std::vector<Index> randomEdges(Dice& dice, Index begin, Index end, Index count) {
  std::set<Index> edges{begin, end};
  for (Index k = 0; k < count; ++k)
    edges.insert(dice.within(begin, end));
  return {edges.begin(), edges.end()};
}

Rect randomClip(Dice& dice, Index n) {
  if (dice.chance(2))
    return kEverywhere;
  return dice.rect(n, n);
}

Primitive randomPrimitive(Dice& dice, Index n) {
  const Index period = dice.within(1, dice.chance(2) ? 9 : n);
  const Index lo = dice.within(0, period - 1);
  const Index hi = dice.within(lo + 1, period);
  const bool causal = dice.chance(2);
  const Rect clip = randomClip(dice, n);
  switch (dice.within(0, 4)) {
  case 0:
    return area(clip);
  case 1: {
    const Index first = dice.within(-n, n);
    return band(first, dice.chance(4) ? kUnbounded : dice.within(first, n), period, clip);
  }
  case 2:
    return columnComb(period, lo, hi, causal, clip);
  case 3: {
    const Index first = dice.within(-3, 2);
    return blocks(period, first, dice.within(first, 3), causal, clip);
  }
  default:
    return blockColumns(period, lo, hi, causal, clip);
  }
}

} // namespace

TEST_CASE("A row of pixels of a term holds what its corners say", "[coverage]") {
  Dice dice(900 + GENERATE(range(0, 400)));
  const Index n = dice.chance(2) ? dice.within(1, 60) : dice.within(1000, kMaxLength);
  const Term term{randomPrimitive(dice, n), dice.chance(2) ? 1 : -1, 0};
  const std::vector<Index> edges = randomEdges(dice, 0, n, 30);
  const Index keys = dice.chance(3) ? dice.within(1, n) : n;
  const TermStrips strips(term, edges, keys);
  const std::vector<Index> rows = randomEdges(dice, 0, n, 12);
  std::vector<Index> found(edges.size() - 1);
  std::vector<Index> wanted(edges.size() - 1);
  for (std::size_t a = 0; a + 1 < rows.size(); ++a) {
    strips.add(rows[a], rows[a + 1], found);
    for (std::size_t b = 0; b < wanted.size(); ++b)
      wanted[b] += term.sign * count(term.primitive, {rows[a], rows[a + 1], edges[b],
                                                      std::min(edges[b + 1], keys)});
  }
  CHECK(found == wanted);
}

TEST_CASE("Pixels of long patterns add up to the pairs of their rectangle", "[coverage]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Dice dice(7000 + mechanism);
  const Pattern pattern = allMechanisms()[static_cast<std::size_t>(mechanism)];
  const Index n = dice.within(100000, kMaxLength);
  std::shared_ptr<const Prepared> prepared;
  try {
    prepared = prepare(pattern, squareLengths(n));
  } catch (const Error&) {
    return; // needs data, or parameters without a default
  }
  if (!prepared->closedForm())
    return;
  INFO(shortText(pattern) << ", n = " << n);
  const Index from = dice.within(0, n / 2);
  const Index far = dice.within(from + 1, n);
  const Lattice lattice{randomEdges(dice, from, far, 8), randomEdges(dice, 0, far, 40)};
  const Coverage coverage = computeCoverage(*prepared, lattice);
  Index sum = 0;
  for (const std::vector<Index>& plane : coverage.counts)
    for (const Index pairs : plane) {
      CHECK(pairs >= 0);
      sum += pairs;
    }
  CHECK(sum == prepared->count({from, far, 0, far}));
}
