// The score board of mechanisms that choose (S31) against its definition, row by row.
#include "core/analysis/base.h"
#include "core/analysis/metrics.h"
#include "core/analysis/score/choice_board.h"
#include "tests/catch.h"
#include "tests/core/attention/family_inputs.h"

using namespace attention;

namespace {

ChoiceBoard boardOf(const Prepared& p, const RandomQkv<float>& in, int threads = 1) {
  AttendOptions options;
  options.threads = threads;
  return choiceBoard<float>(p, in.qView(), in.kView(), options);
}

} // namespace

TEST_CASE("no choice keeps more than the oracle does", "[board]") {
  const Index n = GENERATE(1, 9, 40);
  Dice dice(static_cast<int>(n));
  forEachMechanism(
      dice, n, 3, [n](std::size_t m) { return RandomQkv<float>(n, n, 5, 3, m); },
      [](const Prepared& p, const RandomQkv<float>& in) {
        const ChoiceBoard board = boardOf(p, in);
        CHECK(board.recall <= board.oracleKeysRecall + 1e-12);
        CHECK(board.oracleKeysRecall <= 1 + 1e-12);
        CHECK(board.blockOverlap >= 0);
        CHECK(board.blockOverlap <= 1);
        CHECK(board.blocksChosen <= board.blocksPossible);
        if (!p.choice() || (p.choice()->queryBlock == 1 && p.choice()->keyBlock == 1))
          CHECK(board.oracleKeysRecall == Approx(board.oracleBlocksRecall));
        else if (!p.choice()->part) // whole blocks
          CHECK(board.recall <= board.oracleBlocksRecall + 1e-12);
      });
}

TEST_CASE("recall is captured mass", "[board]") {
  const Index n = 33;
  Dice dice(5);
  forEachMechanism(
      dice, n, 2, [n](std::size_t m) { return RandomQkv<float>(n, n, 5, 3, m); },
      [](const Prepared& p, const RandomQkv<float>& in) {
        if (!p.choice())
          return;
        const auto whole = std::make_shared<const Prepared>(p);
        const Base base = p.choice()->causal ? Base::Causal : Base::Full;
        const auto mass = capturedMass<float>(whole, in.qView(), in.kView(), base);
        const ChoiceBoard board = boardOf(p, in);
        CHECK(board.recall == Approx(mass.mean).margin(1e-5));
        CHECK(board.recallRows.size() == mass.rows.size());
      });
}

TEST_CASE("the board has the same bits at any number of threads", "[board]") {
  const Index n = 40;
  const RandomQkv<float> in(n, n, 5, 3, 7);
  const auto p =
      prepare(patternNamed("moba"), squareLengths(n), patternData<float>(in.qView(), in.kView()));
  const ChoiceBoard one = boardOf(*p, in, 1);
  const ChoiceBoard three = boardOf(*p, in, 3);
  CHECK(one.recallRows == three.recallRows);
  CHECK(one.recall == three.recall);
  CHECK(one.oracleBlocksRecall == three.oracleBlocksRecall);
}
