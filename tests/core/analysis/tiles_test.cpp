// Tiles and ranks against counting cell by cell, over random patterns and sizes of blocks.
#include "core/analysis/tiles/best_block.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/analysis/tiles/tile_counts.h"
#include "core/analysis/tiles/tile_layer.h"
#include "core/pattern/mechanism/block_local.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/sliding_window.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace attention;

namespace {

// As T9 defines them, with a look at every cell.
TileCounts tilesByCells(const Prepared& pattern, const BlockSize& block) {
  const Lengths& lengths = pattern.lengths();
  TileCounts counts;
  for (Index i0 = 0; i0 < lengths.queries; i0 += block.queries)
    for (Index j0 = 0; j0 < lengths.keys; j0 += block.keys) {
      const Index i1 = std::min(i0 + block.queries, lengths.queries);
      const Index j1 = std::min(j0 + block.keys, lengths.keys);
      Index pairs = 0;
      for (Index i = i0; i < i1; ++i)
        for (Index j = j0; j < j1; ++j)
          pairs += pattern.contains(i, j) ? 1 : 0;
      const Index cells = (i1 - i0) * (j1 - j0);
      const Index whole = block.queries * block.keys;
      counts.full += pairs == whole ? 1 : 0;
      counts.partial += pairs > 0 && pairs < whole ? 1 : 0;
      counts.empty += pairs == 0 ? 1 : 0;
      counts.fullCut += pairs == cells ? 1 : 0;
      counts.wantedPairs += pairs;
      counts.computedPairs += pairs > 0 ? whole : 0;
      counts.computedPairsCut += pairs > 0 ? cells : 0;
    }
  return counts;
}

void checkSame(const TileCounts& got, const TileCounts& wanted) {
  CHECK(got.full == wanted.full);
  CHECK(got.partial == wanted.partial);
  CHECK(got.empty == wanted.empty);
  CHECK(got.fullCut == wanted.fullCut);
  CHECK(got.wantedPairs == wanted.wantedPairs);
  CHECK(got.computedPairs == wanted.computedPairs);
  CHECK(got.computedPairsCut == wanted.computedPairsCut);
}

Index below(std::mt19937& random, Index n) {
  return std::uniform_int_distribution<Index>(0, n - 1)(random);
}

} // namespace

TEST_CASE("tiles of every mechanism are those that a look at every cell counts", "[analysis]") {
  std::mt19937 random(7);
  for (const char* name : {"causal", "full", "local", "strided", "fixed", "longformer",
                           "block_local", "dilated", "sinks"}) {
    for (int trial = 0; trial < 12; ++trial) {
      const Index n = 1 + below(random, 40);
      const BlockSize block{1 + below(random, 9), 1 + below(random, 9)};
      const auto pattern = prepare(patternNamed(name), squareLengths(n));
      INFO(name << ", n " << n << ", block " << block.queries << " x " << block.keys);
      checkSame(countTiles(*pattern, block), tilesByCells(*pattern, block));
    }
  }
}

TEST_CASE("bands have the tiles that a look at every cell counts", "[analysis]") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 1 + below(random, 40);
    SlidingWindow band;
    band.left = below(random, n);
    band.right = below(random, n);
    const BlockSize block{1 + below(random, 12), 1 + below(random, 12)};
    const auto pattern = prepare(band, squareLengths(n));
    INFO("n " << n << ", band " << band.left << ", " << *band.right << ", block " << block.queries
              << " x " << block.keys);
    checkSame(countTiles(*pattern, block), tilesByCells(*pattern, block));
  }
}

TEST_CASE("tiles of rectangular masks are those that a look at every cell counts", "[analysis]") {
  for (const Align align : {Align::TopLeft, Align::BottomRight}) {
    const auto pattern = prepare(patternNamed("causal"), alignedLengths(13, 22, align));
    checkSame(countTiles(*pattern, {4, 5}), tilesByCells(*pattern, {4, 5}));
  }
}

TEST_CASE("a band of 16 million tokens is counted without a look at its rows", "[analysis]") {
  SlidingWindow band;
  band.left = 4095;
  band.right = 0;
  const Index n = Index{1} << 24;
  const auto pattern = prepare(band, squareLengths(n));
  const TileCounts counts = countTiles(*pattern, {128, 128});
  CHECK(counts.wantedPairs == pattern->pairs());
  CHECK(counts.exact);
  CHECK(counts.full + counts.partial + counts.empty == (n / 128) * (n / 128));
}

TEST_CASE("masks with very many tiles are sampled, and say so", "[analysis]") {
  const Index n = Index{1} << 14;
  const auto pattern = prepare(patternNamed("strided"), squareLengths(n));
  const TileCounts all = countTiles(*pattern, {2, 2});
  CHECK(all.exact); // 2^26 tiles
  const TileCounts some = countTiles(*pattern, {1, 1});
  CHECK_FALSE(some.exact);
  CHECK(static_cast<double>(some.wantedPairs) ==
        Approx(static_cast<double>(pattern->pairs())).epsilon(0.02));
}

TEST_CASE("squares of the picture have the kinds that a look at every tile gives", "[analysis]") {
  std::mt19937 random(9);
  for (const char* name : {"causal", "local", "strided", "longformer", "block_local"})
    for (int trial = 0; trial < 12; ++trial) {
      const Index n = 1 + below(random, 40);
      const BlockSize block{1 + below(random, 9), 1 + below(random, 9)};
      const Index most = 1 + below(random, 8);
      const auto pattern = prepare(patternNamed(name), squareLengths(n));
      const Index begin = below(random, n);
      const TileGrid grid = tileGrid({begin, n, begin, n}, pattern->lengths(), block, most);
      const TileLayer layer = tileLayer(*pattern, grid);
      INFO(name << ", n " << n << ", block " << block.queries << " x " << block.keys << ", group "
                << grid.group);
      CHECK(grid.lattice.rows() <= most + 1); // a first one that begins before the cells
      CHECK(grid.lattice.rowEdges.front() <= begin);
      CHECK(grid.lattice.keyEdges.back() == n);
      std::size_t at = 0;
      for (Index r = 0; r < grid.lattice.rows(); ++r)
        for (Index c = 0; c < grid.lattice.cols(); ++c, ++at) {
          // Full where every tile of the square is, empty where every one is.
          TileCounts counts;
          const auto& rows = grid.lattice.rowEdges;
          const auto& keys = grid.lattice.keyEdges;
          for (Index i0 = rows[static_cast<std::size_t>(r)];
               i0 < rows[static_cast<std::size_t>(r) + 1]; i0 += block.queries)
            for (Index j0 = keys[static_cast<std::size_t>(c)];
                 j0 < keys[static_cast<std::size_t>(c) + 1]; j0 += block.keys) {
              Index pairs = 0;
              for (Index i = i0; i < std::min(i0 + block.queries, n); ++i)
                for (Index j = j0; j < std::min(j0 + block.keys, n); ++j)
                  pairs += pattern->contains(i, j) ? 1 : 0;
              (pairs == 0                            ? counts.empty
               : pairs == block.queries * block.keys ? counts.full
                                                     : counts.partial) += 1;
            }
          const TileKind kind = counts.partial == 0 && counts.full == 0    ? TileKind::Empty
                                : counts.partial == 0 && counts.empty == 0 ? TileKind::Full
                                                                           : TileKind::Partial;
          CHECK(layer.kinds[at] == kind);
        }
    }
}

TEST_CASE("many tiles are grouped, whatever n is", "[analysis]") {
  SlidingWindow band;
  band.left = 4095;
  band.right = 0;
  const Index n = Index{1} << 24;
  const auto pattern = prepare(band, squareLengths(n));
  const TileGrid grid = tileGrid(pattern->bounds(), pattern->lengths(), {128, 128}, 64);
  CHECK(grid.group == 2048);
  CHECK(grid.lattice.rows() == 64);
  const TileLayer layer = tileLayer(*pattern, grid);
  CHECK(layer.exact);
  CHECK(std::count(layer.kinds.begin(), layer.kinds.end(), TileKind::Partial) == 64 + 63);
  CHECK(std::count(layer.kinds.begin(), layer.kinds.end(), TileKind::Full) == 0);
}

TEST_CASE("the best block is the largest that computes at most a tenth more", "[analysis]") {
  for (const auto& [name, n] : {std::pair("causal", Index{4096}), std::pair("causal", Index{512}),
                                std::pair("strided", Index{1024}), std::pair("local", Index{2048}),
                                std::pair("full", Index{64})}) {
    INFO(name << ", n " << n);
    const auto pattern = prepare(patternNamed(name), squareLengths(n));
    const BlockChoice choice = bestBlock(*pattern);
    REQUIRE(choice.candidates.size() == kKernelBlocks.size());
    Index fewest = choice.chosen().counts.computedPairs;
    for (std::size_t k = 0; k < choice.candidates.size(); ++k) {
      const BlockCandidate& of = choice.candidates[k];
      CHECK(of.block == kKernelBlocks[k]);
      checkSame(of.counts, countTiles(*pattern, of.block));
      fewest = std::min(fewest, of.counts.computedPairs);
    }
    const auto fair = [&](const BlockCandidate& of) {
      return 10 * of.counts.computedPairs <= 11 * fewest;
    };
    const auto area = [](const BlockCandidate& of) { return of.block.queries * of.block.keys; };
    CHECK(fair(choice.chosen()));
    for (const BlockCandidate& of : choice.candidates)
      CHECK((!fair(of) || area(of) <= area(choice.chosen())));
  }
  const auto causal = prepare(patternNamed("causal"), squareLengths(4096));
  CHECK(bestBlock(*causal).chosen().block == BlockSize{256, 256}); // 6 % more than 16 x 16
  SlidingWindow band;
  band.left = 63;
  band.right = 0;
  CHECK(bestBlock(*prepare(band, squareLengths(4096))).chosen().block == BlockSize{16, 16});
}

TEST_CASE("blocks are at least 1", "[analysis]") {
  const auto pattern = prepare(patternNamed("causal"), squareLengths(4));
  CHECK(messageOf([&] {
          countTiles(*pattern, {0, 4});
        }) == "block is 0; it must be at least 1 in both directions");
}

TEST_CASE("every query has one rank, and ranks have all pairs together", "[analysis]") {
  const auto pattern = prepare(patternNamed("strided"), squareLengths(37));
  for (const std::string_view scheme : rankSchemeNames())
    for (const Index ranks : {1, 3, 40}) {
      const RankWork work = rankWork(*pattern, {ranks, rankSchemeNamed(scheme), 2});
      INFO(scheme << ", " << ranks << " ranks");
      CHECK(std::accumulate(work.pairs.begin(), work.pairs.end(), Index{0}) == pattern->pairs());
      CHECK(std::accumulate(work.rows.begin(), work.rows.end(), Index{0}) == 37);
      std::vector<Index> pairs(static_cast<std::size_t>(ranks));
      for (std::size_t i = 0; i < work.owner.size(); ++i)
        pairs[static_cast<std::size_t>(work.owner[i])] +=
            pattern->rowCount(static_cast<Index>(i), 0, 37);
      CHECK(pairs == work.pairs);
      CHECK(work.imbalance >= 1);
    }
}

TEST_CASE("zigzag evens out a causal mask, contiguous parts do not", "[analysis]") {
  const auto pattern = prepare(patternNamed("causal"), squareLengths(24));
  const RankWork plain = rankWork(*pattern, {4, RankScheme::Contiguous, 1});
  CHECK(plain.pairs == std::vector<Index>{21, 57, 93, 129});
  CHECK(plain.imbalance == Approx(1.72));
  const RankWork zigzag = rankWork(*pattern, {4, RankScheme::Zigzag, 1});
  CHECK(zigzag.pairs == std::vector<Index>{75, 75, 75, 75});
  CHECK(zigzag.imbalance == 1);
}

TEST_CASE("a mask without pairs has no imbalance", "[analysis]") {
  const auto pattern = preparedFrom("expr", "{\"expr\": \"0\"}", 4);
  CHECK(rankWork(*pattern, {2, RankScheme::Greedy, 1}).imbalance == 1);
}

TEST_CASE("ranks and chunks are at least 1", "[analysis]") {
  const auto pattern = prepare(patternNamed("causal"), squareLengths(4));
  CHECK(messageOf([&] {
          rankWork(*pattern, {0, RankScheme::Greedy, 1});
        }) == "ranks is 0; it must be from 1 to 1048576");
  CHECK(messageOf([&] {
          rankWork(*pattern, {2, RankScheme::Greedy, 0});
        }) == "rank-chunk is 0; it must be at least 1");
  CHECK(messageOf([&] { rankSchemeNamed("random"); }).find("contiguous, zigzag, striped") !=
        std::string::npos);
}

TEST_CASE("tiles of a long formula are sampled by the number of cells", "[tiles]") {
  const Index n = Index{1} << 17;
  Expr causal;
  causal.expr = "j <= i";
  const TileCounts sampled = countTiles(*prepare(causal, squareLengths(n)), {4096, 4096});
  CHECK_FALSE(sampled.exact); // 2^34 cells in 2^10 tiles
  const TileCounts all = countTiles(*prepare(Causal{}, squareLengths(n)), {4096, 4096});
  CHECK(all.exact);
  CHECK(static_cast<double>(sampled.wantedPairs) ==
        Approx(static_cast<double>(all.wantedPairs)).epsilon(0.05));
  CHECK(countTiles(*prepare(causal, squareLengths(1024)), {128, 128}).exact);
}

TEST_CASE("sampled rows of tiles are not in step with the pattern", "[tiles]") {
  const Index n = Index{1} << 21;
  const Index chunk = 4096; // 32 rows of tiles
  BlockLocal chunks;
  chunks.blockSize = chunk;
  chunks.causal = true;
  const auto pattern = prepare(chunks, squareLengths(n));
  const TileCounts sampled = countTiles(*pattern, {128, 128});
  CHECK_FALSE(sampled.exact);
  CHECK(sampled.wantedPairs == pattern->pairs());
  const double full = static_cast<double>(n / chunk) * 31 * 32 / 2;
  CHECK(static_cast<double>(sampled.full) == Approx(full).epsilon(0.1));
  CHECK(sampled.wastedPairs() >= 0);
}
