// The counts in the line between matrix and strip, against counting cell by cell.
#include "app/gui/results/make_results.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/sinks.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/catch.h"

namespace attention::gui {
namespace {

std::shared_ptr<const Masks> masksOf(const std::vector<Pattern>& patterns, const Lengths& lengths) {
  auto masks = std::make_shared<Masks>();
  masks->lengths = lengths;
  for (const Pattern& p : patterns)
    masks->tiles.push_back({"", p, prepare(p, lengths)});
  return masks;
}

TEST_CASE("The keys of a query and the queries of a key are counted in every mask", "[results]") {
  const Lengths lengths{GENERATE(1, 7, 40), 40, 0};
  const auto masks = masksOf({Causal{}, Strided{.stride = 5}, Expr{"(i + j) % 3 == 0", {}, false},
                              Sinks{.sinks = 2, .window = 3}},
                             lengths);
  for (Index query = 0; query < lengths.queries; query += 3) {
    const Index key = (query * 7) % lengths.keys;
    const TokenCounts counts = makeTokenCounts(*masks, query, key, {});
    CHECK(counts.query == query);
    CHECK(counts.key == key);
    REQUIRE(counts.keysOfQuery.size() == 4);
    REQUIRE(counts.queriesOfKey.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) {
      const Prepared& prepared = *masks->tiles[k].prepared;
      Index keys = 0;
      Index queries = 0;
      for (Index j = 0; j < lengths.keys; ++j)
        keys += prepared.contains(query, j) ? 1 : 0;
      for (Index i = 0; i < lengths.queries; ++i)
        queries += prepared.contains(i, key) ? 1 : 0;
      CHECK(counts.keysOfQuery[k] == keys);
      CHECK(counts.queriesOfKey[k] == queries);
    }
  }
}

TEST_CASE("Tokens that are not pointed out are not counted", "[results]") {
  const auto masks = masksOf({Full{}}, squareLengths(9));
  CHECK(makeTokenCounts(*masks, 3, {}, {}).queriesOfKey.empty());
  CHECK(makeTokenCounts(*masks, {}, 3, {}).keysOfQuery.empty());
}

TEST_CASE("Rows of a long formula have no count, those of a closed form do", "[results]") {
  const Index n = (Index{1} << 16) + 1;
  const auto masks = masksOf({Expr{"(i * j) % 3 == 0", {}, false}, Strided{}}, squareLengths(n));
  const TokenCounts counts = makeTokenCounts(*masks, n - 1, 0, {});
  CHECK_FALSE(counts.keysOfQuery[0]);
  CHECK_FALSE(counts.queriesOfKey[0]);
  CHECK(counts.keysOfQuery[1] == masks->tiles[1].prepared->rowCount(n - 1, 0, n));
  CHECK(counts.queriesOfKey[1]);
}

} // namespace
} // namespace attention::gui
