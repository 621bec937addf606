// What methods cost by S14, and what choosing their keys adds.
#include "core/analysis/score/method_cost.h"

#include "core/analysis/cost.h"
#include "core/analysis/score/score_board.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/mechanism/causal.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>

using namespace attention;

TEST_CASE("the cost of data-dependent patterns includes choosing their keys") {
  const Index n = 32;
  const RandomQkv<double> in(n, n, 4, 3, 5);
  const ScoredInput<double> head{
      n, 1, [&](Index) {
        return ScoredHead<double>{
            in.q, in.k, in.v, patternData<double>(in.qView(), in.kView()), {}};
      }};
  TopK topk;
  topk.k = 3;
  TopK causal = topk;
  causal.causal = true;
  causal.excludeSelf = true;
  Cluster cluster;
  cluster.k = 4;
  cluster.iterations = 5;
  Cluster labelled;
  labelled.labels = IndexList(std::vector<Index>(static_cast<std::size_t>(n), 0));
  Routing routing;
  routing.k = 2;
  routing.iterations = 3;
  VerticalSlashEstimated lines;
  lines.lastQ = 2;
  const Compose both{Operation::Union, {Pattern(topk), Pattern(lines)}};
  const std::vector<std::pair<Pattern, Index>> scores{
      {topk, n * n},
      {causal, n * (n + 1) / 2}, // itself too, which is left out afterwards
      {cluster, 2 * n * 4 * 6},  // queries and keys, centroids, five steps and the last labels
      {labelled, 0},
      {routing, 2 * n * 2 * 4},
      {lines, n + n - 1},
      {both, n * n + n + n - 1},
      {Pattern(Causal{}), 0}};
  for (const auto& [pattern, count] : scores) {
    const std::vector<ScoredMethod> methods{pattern};
    const Score s = scoreBoard<double>(methods, head, {})[0];
    INFO(methodText(methods[0]));
    CHECK(s.flops == sparseCost(n, 4, 3, *s.pairs).flops + 2.0 * 4 * static_cast<double>(count));
  }
}

TEST_CASE("mechanisms that choose pay for their choice, alone and in a composition") {
  const Index n = 32;
  const RandomQkv<double> in(n, n, 4, 3, 5);
  const PatternData data = patternData<double>(in.qView(), in.kView());
  const HeadShape shape{n, 4, 3, 8};
  const auto choosing = [&](const Pattern& pattern) {
    return choosingFlops(pattern, *prepare(pattern, squareLengths(n), data), shape);
  };
  Moba moba; // means of 4 blocks of keys, and a product with every earlier one
  moba.blockSize = 8;
  moba.topK = 1;
  const double means = static_cast<double>(n) * 4 + 2.0 * 4 * 8 * (1 + 2 + 3);
  CHECK(choosing(moba) == means);
  TopK topk;
  topk.k = 3;
  const double scores = 2.0 * 4 * static_cast<double>(n * n);
  CHECK(choosing(Compose{Operation::Union, {Pattern(moba), Pattern(topk)}}) == means + scores);
  Lsh lsh; // hashing and sorting, whatever is attended to in the buckets
  lsh.within = Lsh::Within::Bucket;
  lsh.buckets = IndexList(std::vector<Index>{4});
  const LshCost hashing = lshCost(n, 4, 3, {lsh.rounds, 2, chunkOf(lsh, n), 1, 0});
  const double paid = hashing.hashFlops + hashing.sortComparisons;
  CHECK(paid > 0);
  CHECK(costOf(lsh, *prepare(lsh, squareLengths(n), data), shape, 100).flops ==
        sparseCost(n, 4, 3, 100).flops + paid);
  CHECK(choosing(Compose{Operation::Union, {Pattern(lsh), Pattern(topk)}}) == paid + scores);
}

TEST_CASE("three softmaxes cost what their branches read") {
  const Index n = 32;
  const RandomQkv<double> in(n, n, 4, 3, 5);
  const Pattern nsa = patternFrom(R"({"mechanism": "nsa", "params": {"compress_block": 4,
      "compress_stride": 4, "select_block": 4, "select_count": 4, "window": 5}})");
  const auto p = prepare(nsa, squareLengths(n), patternData<double>(in.qView(), in.kView()));
  Index compressed = 0; // whole stretches of 4 that end at or before the query
  for (Index i = 0; i < n; ++i)
    compressed += (i + 1) / 4;
  const Index window = 1 + 2 + 3 + 4 + (n - 4) * 5;
  Index selected = 0; // whole blocks of 4 and the query's own up to itself
  for (Index i = 0; i < n; ++i)
    selected += (std::min<Index>(4, i / 4 + 1) - 1) * 4 + i % 4 + 1;
  CHECK(pairsRead(*p) == compressed + selected + window);
  const HeadShape shape{n, 4, 3, 8};
  CHECK(costOf(nsa, *p, shape, p->pairs()).flops ==
        sparseCost(n, 4, 3, pairsRead(*p)).flops + choosingFlops(nsa, *p, shape));
}
