// What prepared patterns report about their groups: buckets and orders against the mask, clusters
// and routes against the definitions (S5, S6).
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/lsh_rounds.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <iterator>

using namespace attention;

namespace {

PatternData sharedData(Index n, std::uint64_t seed) {
  const auto q = randomMatrix<double>(n, 4, seed, 0);
  return patternData<double>(q.view(), q.view(), true);
}

PatternData twoSided(Index n, std::uint64_t seed) {
  const auto q = randomMatrix<double>(n, 4, seed, 0);
  const auto k = randomMatrix<double>(n, 4, seed, 1);
  return patternData<double>(q.view(), k.view());
}

bool isPermutation(std::vector<Index> order, Index n) {
  std::sort(order.begin(), order.end());
  for (Index k = 0; k < n; ++k)
    if (static_cast<Index>(order.size()) != n || order[static_cast<std::size_t>(k)] != k)
      return false;
  return true;
}

bool isSorted(const GroupedTokens& of) {
  for (std::size_t at = 1; at < of.order.size(); ++at) {
    const Index a = of.order[at - 1];
    const Index b = of.order[at];
    const Index first = of.group[static_cast<std::size_t>(a)];
    const Index second = of.group[static_cast<std::size_t>(b)];
    const bool right = first == second ? a < b : second == kNoGroup || first < second;
    if (!right || (first == kNoGroup && second != kNoGroup))
      return false;
  }
  return true;
}

Lsh randomLsh(Dice& dice) {
  Lsh lsh;
  lsh.buckets = IndexList({2 * dice.within(1, 4)});
  lsh.rounds = dice.within(1, 4);
  lsh.chunk = dice.within(1, 9);
  lsh.before = dice.within(0, 2);
  lsh.after = dice.within(0, 2);
  lsh.self = static_cast<Lsh::Self>(dice.within(0, 3));
  lsh.causal = dice.chance(2);
  lsh.seed = static_cast<std::uint64_t>(dice.within(0, 99));
  return lsh;
}

// Whether chunks a of queries and b of keys are adjacent when nothing wraps.
bool near(const TokenGroups& groups, Index a, Index b) {
  return b >= a - groups.before && b <= a + groups.after;
}

} // namespace

TEST_CASE("Buckets and orders are those of hashing, and every order is a permutation") {
  Dice dice(7);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Index n = dice.within(1, 40);
    const Lsh lsh = randomLsh(dice);
    const PatternData data = sharedData(n, static_cast<std::uint64_t>(repeat));
    const auto prepared = prepare(lsh, squareLengths(n), data);
    REQUIRE(prepared->groups());
    const TokenGroups& groups = *prepared->groups();
    const LshRounds hashed = lshRounds(lsh, squareLengths(n), data);
    REQUIRE(groups.rounds.size() == hashed.rounds.size());
    CHECK(groups.kind == GroupKind::Buckets);
    CHECK(groups.count == hashed.buckets);
    CHECK(groups.chunks() == (n + *lsh.chunk - 1) / *lsh.chunk);
    for (std::size_t r = 0; r < groups.rounds.size(); ++r) {
      const GroupedTokens& of = groups.rounds[r].queries;
      CHECK(of.group == hashed.rounds[r].bucket);
      CHECK(of.order == hashed.rounds[r].order);
      CHECK(isPermutation(of.order, n));
      CHECK(isSorted(of));
      CHECK(groupedTokens(of.group).order == of.order);
      CHECK(groupedTokens(of.group).rank == of.rank);
    }
  }
}

TEST_CASE(
    "A round shows keys of the same bucket in nearby chunks, and the mask is the union of rounds") {
  Dice dice(11);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Index n = dice.within(1, 24);
    Lsh lsh = randomLsh(dice);
    lsh.self = Lsh::Self::Allow;
    const auto prepared =
        prepare(lsh, squareLengths(n), sharedData(n, static_cast<std::uint64_t>(repeat)));
    const TokenGroups& groups = *prepared->groups();
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        bool any = false;
        for (std::size_t r = 0; r < groups.rounds.size(); ++r) {
          const GroupedTokens& of = groups.rounds[r].queries;
          const auto at = [](const std::vector<Index>& list, Index token) {
            return list[static_cast<std::size_t>(token)];
          };
          const bool sees =
              at(of.group, i) == at(of.group, j) && (!lsh.causal || j <= i) &&
              near(groups, at(of.rank, i) / groups.chunk, at(of.rank, j) / groups.chunk);
          REQUIRE(prepared->contains(r, i, j) == sees);
          any = any || sees;
        }
        REQUIRE(prepared->contains(i, j) == any);
      }
  }
}

TEST_CASE("Fewer rounds of one seed are the first of those of more rounds") {
  const Index n = 33;
  const PatternData data = sharedData(n, 5);
  Lsh lsh;
  lsh.buckets = IndexList({4});
  lsh.chunk = 5;
  lsh.rounds = 4;
  const auto four = prepare(lsh, squareLengths(n), data);
  lsh.rounds = 2;
  const auto two = prepare(lsh, squareLengths(n), data);
  for (std::size_t r = 0; r < 2; ++r)
    CHECK(four->groups()->rounds[r].queries.group == two->groups()->rounds[r].queries.group);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i != j && two->contains(i, j))
        CHECK(four->contains(i, j));
}

TEST_CASE("Clusters are given for queries and for keys, and attend where they agree") {
  const Index n = 20;
  Cluster cluster;
  cluster.k = 3;
  const auto prepared = prepare(cluster, squareLengths(n), twoSided(n, 2));
  const TokenGroups& groups = *prepared->groups();
  CHECK(groups.kind == GroupKind::Clusters);
  CHECK(groups.count == 3);
  CHECK(groups.chunks() == 0);
  CHECK(groups.centroids.rows() == 3);
  const GroupRound& round = groups.rounds.front();
  CHECK(isPermutation(round.queries.order, n));
  CHECK(isPermutation(round.keys.order, n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      CHECK(prepared->contains(i, j) == (round.queries.group[static_cast<std::size_t>(i)] ==
                                         round.keys.group[static_cast<std::size_t>(j)]));
}

TEST_CASE("Given labels may be any numbers, and the labels in use are counted") {
  Cluster cluster;
  cluster.labels = IndexList({7, -1, 7, 40, -1});
  const auto prepared = prepare(cluster, squareLengths(5));
  const TokenGroups& groups = *prepared->groups();
  CHECK(groups.count == 3);
  CHECK(groups.rounds.front().keys.order == std::vector<Index>{1, 4, 0, 2, 3});
  CHECK(groups.ofQuery(0, 1) == std::vector<Index>{-1});
}

TEST_CASE("Routes give every centroid of a token and sort by the first") {
  const Index n = 24;
  Routing routing;
  routing.k = 4;
  routing.window = 9;
  const auto prepared = prepare(routing, squareLengths(n), twoSided(n, 3));
  const TokenGroups& groups = *prepared->groups();
  CHECK(groups.kind == GroupKind::Routes);
  const GroupedTokens& queries = groups.rounds.front().queries;
  CHECK(isPermutation(queries.order, n));
  CHECK(isSorted(queries));
  bool several = false;
  for (Index i = 0; i < n; ++i) {
    const std::vector<Index> of = groups.ofQuery(0, i);
    several = several || of.size() > 1;
    CHECK(queries.group[static_cast<std::size_t>(i)] == (of.empty() ? kNoGroup : of.front()));
    for (Index j = 0; j < n; ++j) {
      const std::vector<Index> keys = groups.ofKey(0, j);
      std::vector<Index> both;
      std::set_intersection(of.begin(), of.end(), keys.begin(), keys.end(),
                            std::back_inserter(both));
      CHECK(prepared->contains(i, j) == !both.empty());
    }
  }
  CHECK(several); // otherwise the test says nothing about tokens of several centroids
}

TEST_CASE("Other patterns have no groups, and a change of appearance keeps groups") {
  CHECK_FALSE(prepare(Strided{}, squareLengths(8))->groups());
  TopK topk;
  CHECK_FALSE(prepare(topk, squareLengths(8), sharedData(8, 1))->groups());
  const auto hashed = prepare(Lsh{}, squareLengths(8), sharedData(8, 1));
  CHECK(hashed->withLooks({})->groups() == hashed->groups());
}
