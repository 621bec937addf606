// S31's columns of the score board, and the mass beside a sink, against what they consist of.
#include "core/analysis/score/choice_board.h"
#include "core/analysis/score/choice_scores.h"
#include "core/attention/weights.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>

using namespace attention;

namespace {

using Heads = std::vector<RandomQkv<float>>;

Heads someHeads(Index n) {
  Heads heads;
  for (const int seed : {3, 4})
    heads.emplace_back(n, n, 5, 3, seed);
  return heads;
}

ScoredInput<float> inputOf(const Heads& heads, const AttendOptions& scores = {}) {
  return {heads.front().q.rows(), std::ssize(heads), [&heads, scores](Index h) {
            const RandomQkv<float>& in = heads[static_cast<std::size_t>(h)];
            return ScoredHead<float>{in.q, in.k, in.v, patternData<float>(in.qView(), in.kView()),
                                     scores};
          }};
}

const Pattern& moba() {
  static const Pattern kMoba = patternFrom("moba", R"({"block_size": 4, "top_k": 3})");
  return kMoba;
}

ChoiceBoard boardOf(const Pattern& pattern, const RandomQkv<float>& in) {
  const auto data = patternData<float>(in.qView(), in.kView());
  return choiceBoard<float>(*prepare(pattern, squareLengths(in.q.rows()), data), in.qView(),
                            in.kView());
}

} // namespace

TEST_CASE("scores of a choice are means over the heads", "[board]") {
  const Heads heads = someHeads(33);
  const std::vector<ScoredMethod> methods{moba(), patternNamed("causal"), LinformerMethod{}};
  const auto scores = choiceScores<float>(methods, inputOf(heads), {});
  REQUIRE(scores.size() == 3);
  REQUIRE(scores[0]);
  const ChoiceBoard a = boardOf(moba(), heads[0]);
  const ChoiceBoard b = boardOf(moba(), heads[1]);
  CHECK(scores[0]->chooses);
  CHECK(scores[0]->recall == Approx((a.recall + b.recall) / 2));
  CHECK(scores[0]->oracleBlocksRecall == Approx((a.oracleBlocksRecall + b.oracleBlocksRecall) / 2));
  CHECK(scores[0]->oracleKeysRecall == Approx((a.oracleKeysRecall + b.oracleKeysRecall) / 2));
  CHECK(scores[0]->blockDensity == Approx(a.blockDensity)); // as many of as many in both
  CHECK(scores[0]->recall < scores[0]->oracleBlocksRecall);
  CHECK(scores[0]->oracleBlocksRecall < scores[0]->oracleKeysRecall);
  CHECK(scores[0]->choosingFlops > 0);
  CHECK(scores[0]->choosingShare() > 0);
  REQUIRE(scores[1]); // keeps all that could be chosen
  CHECK_FALSE(scores[1]->chooses);
  CHECK(scores[1]->recall == Approx(1));
  CHECK(scores[1]->choosingFlops == 0);
  CHECK_FALSE(scores[2]);
}

TEST_CASE("a board on which nothing is chosen has no scores of a choice", "[board]") {
  const Heads heads = someHeads(12);
  const std::vector<ScoredMethod> methods{patternNamed("causal"), patternNamed("local")};
  for (const auto& score : choiceScores<float>(methods, inputOf(heads), {}))
    CHECK_FALSE(score);
}

TEST_CASE("with a sink the mass is a share of all weight", "[board][modifiers]") {
  const Index n = 20;
  const Heads heads = someHeads(n);
  AttendOptions sunk;
  sunk.sink = 1.5;
  const std::vector<ScoredMethod> methods{patternNamed("local"), LinformerMethod{}};
  ScoreOptions options;
  options.base = Base::Full;
  const auto input = inputOf(heads, sunk);
  const auto scores = scoreBoard<float>(methods, input, options);
  const auto local = prepare(patternNamed("local"), squareLengths(n));
  double expected = 0;
  for (const RandomQkv<float>& in : heads)
    for (Index i = 0; i < n; ++i) {
      double kept = 0;
      double all = std::exp(1.5);
      for (Index j = 0; j < n; ++j) {
        double s = 0;
        for (Index c = 0; c < 5; ++c)
          s += static_cast<double>(in.q(i, c)) * static_cast<double>(in.k(j, c));
        const double e = std::exp(s / std::sqrt(5.0));
        all += e;
        kept += local->contains(i, j) ? e : 0;
      }
      expected += kept / all / static_cast<double>(2 * n);
    }
  REQUIRE(scores[0].massOfAll);
  CHECK(*scores[0].massOfAll == Approx(expected).epsilon(1e-5));
  CHECK(*scores[0].massOfAll < *scores[0].capturedMass);
  CHECK_FALSE(scores[1].massOfAll);
  CHECK_FALSE(scoreBoard<float>(methods, inputOf(heads), options)[0].massOfAll);
}

TEST_CASE("boards that share a pass are those of each pattern alone", "[board]") {
  const Index n = 41;
  const RandomQkv<float> in(n, n, 5, 3, 8);
  const auto data = patternData<float>(in.qView(), in.kView());
  std::vector<std::shared_ptr<const Prepared>> patterns;
  for (const Pattern& pattern :
       {moba(), patternNamed("causal"), patternNamed("full"),
        patternFrom("block_topk", R"({"block_size": 4, "top_k": 3})"),
        patternFrom("topk", R"({"k": 5})"),
        patternFrom("nsa", R"({"compress_block": 4, "compress_stride": 2, "select_block": 4,
                               "select_count": 3, "local_blocks": 1, "window": 5})")})
    patterns.push_back(prepare(pattern, squareLengths(n), data));
  for (const int threads : {1, 3}) {
    AttendOptions how;
    how.threads = threads;
    const auto boards = choiceBoards<float>(patterns, in.qView(), in.kView(), how);
    REQUIRE(boards.size() == patterns.size());
    for (std::size_t k = 0; k < patterns.size(); ++k) {
      INFO("pattern " << k << ", threads " << threads);
      const ChoiceBoard alone = choiceBoard<float>(*patterns[k], in.qView(), in.kView());
      CHECK(boards[k].recallRows == alone.recallRows);
      CHECK(boards[k].recall == alone.recall);
      CHECK(boards[k].oracleKeysRecall == alone.oracleKeysRecall);
      CHECK(boards[k].oracleBlocksRecall == alone.oracleBlocksRecall);
      CHECK(boards[k].blockOverlap == alone.blockOverlap);
      CHECK(boards[k].blockDensity == alone.blockDensity);
      CHECK(boards[k].cellDensity == alone.cellDensity);
    }
  }
}
