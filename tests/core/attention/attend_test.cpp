// The float path against the plain twin in doubles, over the whole pattern family.
#include "core/attention/attend.h"
#include "core/attention/reference.h"
#include "core/attention/strip_kernel.h"
#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/against_twin.h"
#include "tests/core/attention/family_inputs.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <atomic>
#include <cmath>
#include <limits>

using namespace attention;

namespace {

Pattern stridedPattern(Index stride) {
  Strided strided;
  strided.stride = stride;
  return strided;
}

} // namespace

TEST_CASE("attention in floats agrees with the plain twin over the whole family") {
  const Index n = GENERATE(1, 2, 7, 64, 129);
  Dice dice(static_cast<int>(n));
  forEachMechanism(
      dice, n, 3, [n](std::size_t m) { return RandomQkv<float>(n, n, 5, 3, m); },
      [](const Prepared& pattern, const RandomQkv<float>& in) { checkAgainstTwin(pattern, in); });
}

TEST_CASE(
    "attention agrees with the plain twin for widths and lengths that fill no vector or block") {
  const Index d = GENERATE(1, 2, 3, 7, 8, 15, 64, 65, 256);
  const Index dv = GENERATE(1, 5, 6, 17, 64, 100);
  Dice dice(static_cast<int>(1000 * d + dv));
  const Index n = dice.within(1, 400);
  Local window;
  window.window = dice.within(0, n);
  TopK top;
  top.k = dice.within(1, 9);
  for (const Pattern& pattern :
       {Pattern(Causal{}), Pattern(window), stridedPattern(dice.within(1, 40)), Pattern(top)}) {
    const RandomQkv<float> in(n, n, d, dv, static_cast<std::uint64_t>(d + dv));
    const PatternData data = patternData<float>(in.qView(), in.kView());
    INFO(shortText(pattern) << " at n = " << n << ", d = " << d << ", d_v = " << dv);
    checkAgainstTwin(*prepare(pattern, squareLengths(n), data), in);
  }
}

TEST_CASE("every kind of vector gives the twin's result") {
  onEveryKindOfVectors([](const std::string& kind) {
    CHECK(vectorKinds().front() == kind);
    CHECK(64 % stripWidth() == 0);
    for (const Index d : {Index{3}, Index{20}})
      for (const Pattern& pattern : {Pattern(Causal{}), stridedPattern(11), Pattern(BigBird{}),
                                     patternNamed("topk"), patternNamed("longformer")}) {
        const RandomQkv<float> in(150, 150, d, 2 * d + 1, 4);
        const PatternData data = patternData<float>(in.qView(), in.kView());
        INFO(shortText(pattern));
        checkAgainstTwin(*prepare(pattern, squareLengths(150), data), in);
      }
  });
}

TEST_CASE("keys that only some vectors of a strip see give the twin's result on every kind") {
  // Stretches of keys, each attended to by a random choice of the quarters of every block of
  // queries.
  const Index n = 210;
  Dice dice(6);
  std::vector<std::vector<KeyRun>> quarters(4);
  for (Index j = 0; j < n;) {
    const Index end = std::min(j + dice.within(1, 40), n);
    const Index seenBy = dice.within(0, 15);
    for (Index q = 0; q < 4; ++q)
      if ((seenBy >> q & 1) != 0)
        quarters[static_cast<std::size_t>(q)].push_back({j, end, false});
    j = end;
  }
  RowTable table;
  for (Index i = 0; i < n; ++i)
    table.appendGroup(i + 1, quarters[static_cast<std::size_t>(i / 16 % 4)]);
  const Prepared pattern(squareLengths(n),
                         {{"sets", "sets", std::make_shared<const RowTable>(std::move(table))}});
  onEveryKindOfVectors([&](const std::string&) {
    for (const Index d : {Index{5}, Index{32}})
      checkAgainstTwin(pattern, RandomQkv<float>(n, n, d, 25, 8));
  });
}

TEST_CASE("thin rows of every length give the twin's result on every kind of vector") {
  const Index n = 192;
  RowTable table;
  Dice dice(11);
  for (Index i = 0; i < n; ++i) { // 0 to 35 keys
    std::vector<KeyRun> runs;
    Index j = dice.within(0, 3);
    for (Index keys = i % 36; keys > 0; --keys, j += dice.within(2, 5))
      runs.push_back({j, j + 1, false});
    table.appendGroup(i + 1, runs);
  }
  const Prepared pattern(squareLengths(n),
                         {{"edges", "edges", std::make_shared<const RowTable>(std::move(table))}});
  onEveryKindOfVectors([&](const std::string&) {
    for (const Index d : {Index{3}, Index{16}, Index{21}, Index{64}})
      checkAgainstTwin(pattern, RandomQkv<float>(n, n, d, d + 3, 8));
  });
}

TEST_CASE("long rows of many steps agree with the plain twin") {
  const Index n = 2500;
  Strided strided;
  strided.stride = 3;
  for (const Pattern& pattern : {Pattern(Causal{}), Pattern(strided), patternNamed("sinks")})
    checkAgainstTwin(*prepare(pattern, squareLengths(n)), RandomQkv<float>(n, n, 4, 3, 12));
}

TEST_CASE("a query block that shares a comb and one that does not give the twin's result") {
  const Index n = 300;
  const Index stride = GENERATE(1, 2, 5, 17, 64, 150, 299, 400);
  INFO("stride " << stride);
  for (const bool causal : {true, false}) {
    Strided strided;
    strided.stride = stride;
    strided.causal = causal;
    Fixed fixed;
    fixed.stride = stride;
    fixed.causal = causal;
    for (const Pattern& pattern : {Pattern(strided), Pattern(fixed)})
      checkAgainstTwin(*prepare(pattern, squareLengths(n)),
                       RandomQkv<float>(n, n, 8, 4, static_cast<std::uint64_t>(stride)));
  }
}

TEST_CASE("combs of two periods in one row give the twin's result") {
  const Index n = 1500;
  Expr formula;
  formula.expr = "(i - j) % (17 + 6 * (j < 700)) == 0"; // one before key 700, another after it
  checkAgainstTwin(*prepare(formula, squareLengths(n)), RandomQkv<float>(n, n, 8, 4, 21));
}

TEST_CASE("rectangular attention agrees with the plain twin for both alignments") {
  for (const Align align : {Align::TopLeft, Align::BottomRight})
    for (const Index queries : {Index{3}, Index{90}, Index{200}}) {
      INFO("queries " << queries);
      const auto prepared = prepare(stridedPattern(9), alignedLengths(queries, 120, align));
      checkAgainstTwin(*prepared, RandomQkv<float>(queries, 120, 6, 2, 3));
    }
}

TEST_CASE("attention with few rows and scattered keys agrees with the plain twin") {
  // Every row has an irregular set: neither windows nor combs.
  const Index n = 150;
  RowTable table;
  Dice dice(4);
  for (Index i = 0; i < n; ++i) {
    std::vector<KeyRun> runs;
    for (Index j = dice.within(0, 60); j < n; j += dice.within(2, 60))
      runs.push_back({j, j + 1, false});
    if (i % 40 == 7)
      runs = {{0, n, false}};
    table.appendGroup(i + 1, runs);
  }
  const Prepared pattern(squareLengths(n),
                         {{"edges", "edges", std::make_shared<const RowTable>(std::move(table))}});
  checkAgainstTwin(pattern, RandomQkv<float>(n, n, 4, 5, 1));
}

TEST_CASE("rows of many unshared keys give the twin's result at any number of threads",
          "[threads]") {
  // Keys of several windows; in the last blocks all rows have the same keys, so that these are
  // planned.
  const Index n = 300;
  const Index keys = 2600;
  const Prepared pattern = [&] {
    RowTable table;
    Dice dice(14);
    for (Index i = 0; i < n; ++i) {
      std::vector<KeyRun> runs;
      for (Index j = dice.within(0, 12); j < keys - 1; j += dice.within(3, 14))
        runs.push_back({j, j + dice.within(1, 2), false});
      if (i >= 200)
        runs = {{0, 40, false}, {i, i + 2, false}};
      table.appendGroup(i + 1, runs);
    }
    return Prepared(alignedLengths(n, keys, Align::TopLeft),
                    {{"edges", "edges", std::make_shared<const RowTable>(std::move(table))}});
  }();
  const RandomQkv<float> in(n, keys, 8, 5, 3);
  checkAgainstTwin(pattern, in);
  AttendOptions options;
  options.threads = 1;
  const auto one = attend(pattern, in.qView(), in.kView(), in.vView(), options);
  options.threads = 3;
  CHECK(sameBits(one, attend(pattern, in.qView(), in.kView(), in.vView(), options)));
}

TEST_CASE("huge logits do not overflow and give the twin's result over the whole family") {
  const Index n = 70;
  Dice dice(3);
  forEachMechanism(
      dice, n, 1, [n](std::size_t m) { return RandomQkv<float>(n, n, 4, 3, 9 + m, 100); },
      [](const Prepared& pattern, const RandomQkv<float>& in) {
        const Attention<float> fast = attend(pattern, in.qView(), in.kView(), in.vView());
        for (const float value : fast.out.values())
          REQUIRE(std::isfinite(value));
        checkAgainstTwin(pattern, in);
      });
}

TEST_CASE("a key far below the maximum weighs exactly nothing") {
  // Logits 0 and −400: e^−400 is below every float.
  const auto full = prepare(Full{}, squareLengths(2));
  const Matrix<float> q(2, 1, {20, 20});
  const Matrix<float> k(2, 1, {0, -20});
  const Matrix<float> v(2, 1, {0, 1e30F});
  const auto result = attend(*full, q.view(), k.view(), v.view());
  CHECK(result.out(0, 0) == 0);
  CHECK(result.lse[1] == 0);
}

TEST_CASE("scores beyond the range of float are an error and not a row without keys") {
  const auto full = prepare(Full{}, squareLengths(5));
  const RandomQkv<float> in(5, 5, 2, 3, 1);
  AttendOptions options;
  options.scale = 1e300;
  CHECK_THROWS_WITH(attend(*full, in.qView(), in.kView(), in.vView(), options),
                    Catch::Matchers::Contains("the scores of query 0 overflow float32"));
}

TEST_CASE("a row without keys gives zeros and minus infinity and is named") {
  Local local;
  local.window = 0;
  const auto nothing = prepare(local, squareLengths(5));
  const RandomQkv<float> in(5, 5, 2, 3, 1);
  const Attention<float> result = attend(*nothing, in.qView(), in.kView(), in.vView());
  CHECK(result.emptyRows == std::vector<Index>{0, 1, 2, 3, 4});
  CHECK(result.out == Matrix<float>(5, 3));
  for (const float lse : result.lse)
    CHECK(lse == -std::numeric_limits<float>::infinity());
}

TEST_CASE("the scale is one over the square root of d unless given") {
  const auto full = prepare(Full{}, squareLengths(9));
  const RandomQkv<float> in(9, 9, 16, 2, 5);
  AttendOptions quarter;
  quarter.scale = 0.25;
  AttendOptions other;
  other.scale = 1.0;
  const auto byDefault = attend(*full, in.qView(), in.kView(), in.vView());
  CHECK(sameBits(byDefault, attend(*full, in.qView(), in.kView(), in.vView(), quarter)));
  CHECK_FALSE(sameBits(byDefault, attend(*full, in.qView(), in.kView(), in.vView(), other)));
  checkAgainstTwin(*full, in, other);
}

TEST_CASE("without values attention gives the same log-sum-exp") {
  const auto strided = prepare(stridedPattern(6), squareLengths(80));
  const RandomQkv<float> in(80, 80, 4, 3, 2);
  CHECK(logSumExp(*strided, in.qView(), in.kView()) ==
        attend(*strided, in.qView(), in.kView(), in.vView()).lse);
}

TEST_CASE("attention gives the same bits at any number of threads", "[threads]") {
  const Index n = 777;
  const RandomQkv<float> in(n, n, 8, 4, 6);
  const PatternData data = patternData<float>(in.qView(), in.qView(), true);
  for (const Pattern& pattern : {stridedPattern(40), Pattern(Causal{}), Pattern(Fixed{}),
                                 Pattern(BigBird{}), patternNamed("lsh"), patternNamed("topk")}) {
    INFO(shortText(pattern));
    const auto prepared = prepare(pattern, squareLengths(n), data);
    AttendOptions options;
    options.threads = 1;
    const auto one = attend(*prepared, in.qView(), in.kView(), in.vView(), options);
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      CHECK(sameBits(one, attend(*prepared, in.qView(), in.kView(), in.vView(), options)));
    }
  }
}

TEST_CASE("attention stops when asked and its progress rises to one", "[threads]") {
  const Index n = 512;
  const RandomQkv<float> in(n, n, 4, 2, 6);
  const auto strided = prepare(stridedPattern(32), squareLengths(n));
  AttendOptions options;
  options.threads = 2;
  std::atomic<double> share = 0;
  Run run;
  run.progress = [&](double x) { share = std::max(share.load(), x); };
  attend(*strided, in.qView(), in.kView(), in.vView(), options, run);
  CHECK(share == Approx(1.0));

  std::stop_source source;
  run.stop = source.get_token();
  run.progress = [&](double x) {
    if (x > 0.2)
      source.request_stop();
  };
  CHECK_THROWS_AS(attend(*strided, in.qView(), in.kView(), in.vView(), options, run), Stopped);
}

TEST_CASE("inputs that do not fit are refused by name") {
  const auto full = prepare(Full{}, squareLengths(4));
  const RandomQkv<float> in(4, 4, 3, 2, 1);
  const RandomQkv<float> five(5, 5, 3, 2, 1);
  const RandomQkv<float> wide(4, 4, 7, 2, 1);
  const auto code = [&](const RandomQkv<float>& q, const RandomQkv<float>& k,
                        const RandomQkv<float>& v) {
    try {
      attend(*full, q.qView(), k.kView(), v.vView());
    } catch (const Error& error) {
      return std::string(name(error.code())) + " " + error.subject();
    }
    return std::string();
  };
  CHECK(code(in, in, in).empty());
  CHECK(code(five, in, in) == "E_SHAPE Q");
  CHECK(code(in, five, in) == "E_SHAPE K");
  CHECK(code(in, wide, in) == "E_SHAPE K");
  CHECK(code(in, in, five) == "E_SHAPE V");
  RandomQkv<float> broken = in;
  broken.k(2, 1) = std::numeric_limits<float>::quiet_NaN();
  CHECK(code(in, broken, in) == "E_NONFINITE K");
  AttendOptions options;
  options.scale = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(attend(*full, in.qView(), in.kView(), in.vView(), options), Error);
}

TEST_CASE("the first number that is not finite is named whether or not a query sees it") {
  const Index queries = GENERATE(1, 70, 500);
  const Index keys = GENERATE(70, 500);
  Local own;
  own.window = 0;
  const auto pattern = prepare(own, alignedLengths(queries, keys, Align::TopLeft));
  AttendOptions options;
  options.threads = GENERATE(1, 3);
  const auto sentence = [&](const RandomQkv<float>& in) {
    try {
      attend(*pattern, in.qView(), in.kView(), in.vView(), options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  RandomQkv<float> in(queries, keys, 3, 2, 5);
  CHECK(sentence(in).empty());
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto found = [](const std::string& what, Index row, Index column) {
    return what + " at row " + std::to_string(row) + ", column " + std::to_string(column) +
           "; every number must be finite";
  };
  in.v(keys - 1, 1) = nan;
  CHECK(sentence(in) == found("V has a NaN", keys - 1, 1));
  in.v(3, 0) = infinity;
  CHECK(sentence(in) == found("V has an infinity", 3, 0));
  in.k(keys - 2, 2) = -infinity;
  CHECK(sentence(in) == found("K has an infinity", keys - 2, 2));
  in.q(queries - 1, 0) = nan;
  CHECK(sentence(in) == found("Q has a NaN", queries - 1, 0));
}
