// Weights over a pattern beside dense ones: a plain twin in double, laws, and the score board.
#include "core/analysis/score/score_board.h"
#include "core/analysis/weight_maps.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace attention;

namespace {

constexpr double kClose = 2e-5; // of floats against doubles

std::shared_ptr<const HeadData> headOf(const RandomQkv<float>& in) {
  HeadData data;
  data.q = in.q;
  data.k = in.k;
  data.v = in.v;
  return std::make_shared<const HeadData>(std::move(data));
}

std::shared_ptr<const HeadData> readyHead(Matrix<float> weights) {
  HeadData data;
  data.ready = std::move(weights);
  return std::make_shared<const HeadData>(std::move(data));
}

// Softmax over the keys that `allowed` admits, slow and simple.
std::vector<double> plainRow(const RandomQkv<float>& in, Index i,
                             const std::function<bool(Index j)>& allowed) {
  std::vector<double> row(static_cast<std::size_t>(in.k.rows()), 0.0);
  double sum = 0;
  for (Index j = 0; j < in.k.rows(); ++j) {
    double s = 0;
    for (Index c = 0; c < in.q.cols(); ++c)
      s += static_cast<double>(in.q(i, c)) * static_cast<double>(in.k(j, c));
    const double e = allowed(j) ? std::exp(s / std::sqrt(static_cast<double>(in.q.cols()))) : 0.0;
    row[static_cast<std::size_t>(j)] = e;
    sum += e;
  }
  for (double& p : row)
    p = sum > 0 ? p / sum : 0;
  return row;
}

double plainEntropy(const std::vector<double>& row) {
  double entropy = 0;
  for (const double p : row)
    entropy -= p > 0 ? p * std::log(p) : 0;
  return entropy;
}

std::vector<double> plainOutput(const RandomQkv<float>& in, const std::vector<double>& row) {
  std::vector<double> out(static_cast<std::size_t>(in.v.cols()), 0.0);
  for (std::size_t j = 0; j < row.size(); ++j)
    for (Index c = 0; c < in.v.cols(); ++c)
      out[static_cast<std::size_t>(c)] +=
          row[j] * static_cast<double>(in.v(static_cast<Index>(j), c));
  return out;
}

Rect allOf(const HeadWeights& of) {
  return of.pattern()->bounds();
}

Lattice cellsOf(const Prepared& pattern) {
  return latticeOver(pattern.bounds(), pattern.lengths().queries, pattern.lengths().keys);
}

std::vector<Pattern> somePatterns() {
  return {patternFrom("strided", R"({"stride": 5})"),
          patternFrom("local", R"({"window": 4})"),
          patternFrom("bigbird", R"({"block_size": 4, "random_blocks": 1})"),
          patternFrom("expr", R"({"expr": "(i + j) % 3 == 0"})"),
          Pattern(Full{}),
          Pattern(Causal{})};
}

} // namespace

TEST_CASE("logits are scaled products, or their mean over several cells") {
  const Index n = 12;
  const RandomQkv<float> in(n, n, 6, 3, 4);
  const auto prepared = prepare(Pattern(Full{}), squareLengths(n));
  const auto product = [&](Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < 6; ++c)
      sum += static_cast<double>(in.q(i, c)) * static_cast<double>(in.k(j, c));
    return sum / std::sqrt(6.0);
  };
  const HeadWeights full(prepared, headOf(in), Base::Full);
  const HeadWeights causal(prepared, headOf(in), Base::Causal);
  const Matrix<float> cells = logitMap(full, cellsOf(*prepared));
  const Matrix<float> past = logitMap(causal, cellsOf(*prepared));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      CHECK(static_cast<double>(cells(i, j)) == Approx(product(i, j)).margin(kClose));
      CHECK(std::isnan(past(i, j)) == (j > i));
    }
  const Matrix<float> blocks = logitMap(causal, latticeOver(prepared->bounds(), 3, 4));
  double mean = 0;
  for (Index i = 8; i < 12; ++i)
    for (Index j = 3; j < 6; ++j)
      mean += product(i, j) / 12;
  CHECK(static_cast<double>(blocks(2, 1)) == Approx(mean).margin(kClose));
  CHECK(std::isnan(blocks(0, 2)));       // keys 6 to 8 of queries 0 to 3
  CHECK_FALSE(std::isnan(blocks(0, 1))); // key 3 of query 3
}

TEST_CASE("logits of causal attention end where its keys end at either alignment") {
  const RandomQkv<float> in(4, 9, 3, 3, 5);
  for (const Align align : {Align::TopLeft, Align::BottomRight}) {
    const auto prepared = prepare(Pattern(Causal{}), alignedLengths(4, 9, align));
    const Matrix<float> map =
        logitMap(HeadWeights(prepared, headOf(in), Base::Causal), cellsOf(*prepared));
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 9; ++j)
        CHECK(std::isnan(map(i, j)) == !prepared->contains(i, j));
  }
}

TEST_CASE("logits stop when they are told to") {
  const RandomQkv<float> in(4, 4, 3, 3, 5);
  const auto prepared = prepare(Pattern(Full{}), squareLengths(4));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      logitMap(HeadWeights(prepared, headOf(in)), cellsOf(*prepared), {stop.get_token(), {}, 1}),
      Stopped);
}

TEST_CASE("ready weights have no logits") {
  const auto prepared = prepare(Pattern(Full{}), squareLengths(2));
  const HeadWeights of(prepared, readyHead({2, 2, {0.5F, 0.5F, 1, 0}}));
  CHECK_THROWS_AS(logitMap(of, cellsOf(*prepared)), Error);
}

TEST_CASE("weights and measures are those of a plain twin in double") {
  const Index n = 23;
  const RandomQkv<float> in(n, n, 6, 3, 11);
  for (const Pattern& pattern : somePatterns())
    for (const Base& base : {Base::Full, Base::Causal}) {
      INFO(toJson(pattern).dump() << " against " << name(base));
      const auto prepared = prepare(pattern, squareLengths(n));
      const HeadWeights of(prepared, headOf(in), base);
      const WeightMaps maps = weightMaps(of, cellsOf(*prepared));
      const QueryMeasures measures = queryMeasures(of);
      double squares = 0;
      double reference = 0;
      for (Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const auto dense = plainRow(in, i, [&](Index j) { return base == Base::Full || j <= i; });
        const auto kept = plainRow(in, i, [&](Index j) { return prepared->contains(i, j); });
        double captured = 0;
        for (Index j = 0; j < n; ++j) {
          const double d = dense[static_cast<std::size_t>(j)];
          const double p = kept[static_cast<std::size_t>(j)];
          CHECK(static_cast<double>(maps.dense(i, j)) == Approx(d).margin(kClose));
          CHECK(static_cast<double>(maps.pattern(i, j)) == Approx(p).margin(kClose));
          CHECK(static_cast<double>(maps.difference(i, j)) == Approx(p - d).margin(kClose));
          captured += prepared->contains(i, j) ? d : 0;
        }
        CHECK(measures.captured[at] == Approx(captured).margin(kClose));
        CHECK(measures.denseEntropy[at] == Approx(plainEntropy(dense)).margin(kClose));
        CHECK(measures.patternEntropy[at] == Approx(plainEntropy(kept)).margin(kClose));
        const auto exact = plainOutput(in, dense);
        const auto out = plainOutput(in, kept);
        double gap = 0;
        double norm = 0;
        for (std::size_t c = 0; c < exact.size(); ++c) {
          gap += (out[c] - exact[c]) * (out[c] - exact[c]);
          norm += exact[c] * exact[c];
        }
        CHECK(measures.error[at] == Approx(std::sqrt(gap / norm)).margin(1e-4));
        squares += gap;
        reference += norm;
      }
      REQUIRE(measures.outputError);
      CHECK(measures.outputError->relativeFrobenius ==
            Approx(std::sqrt(squares / reference)).margin(kClose));
    }
}

TEST_CASE("captured mass and output error are those of the score board") {
  const Index n = 31;
  const RandomQkv<float> in(n, n, 8, 8, 5);
  for (const Pattern& pattern : somePatterns()) {
    INFO(toJson(pattern).dump());
    const ScoredInput<float> scored{
        n, 1, [&](Index) {
          return ScoredHead<float>{in.q, in.k, in.v, patternData<float>(in.qView(), in.kView())};
        }};
    const std::vector<ScoredMethod> methods{pattern};
    const Score score = scoreBoard<float>(methods, scored, {}).front();
    const HeadWeights of(prepare(pattern, squareLengths(n)), headOf(in));
    const QueryMeasures measures = queryMeasures(of);
    CHECK(of.base() == score.base);
    CHECK(measureSummary(measures.captured).mean == Approx(*score.capturedMass));
    CHECK(measures.outputError->relativeFrobenius == score.error->relativeFrobenius);
    CHECK(measures.outputError->maxAbs == score.error->maxAbs);
    CHECK(measureSummary(measures.patternEntropy).mean == Approx(*score.entropy));
  }
}

TEST_CASE("rows of weights sum to one and entropy is at most the logarithm of the keys") {
  const Index n = GENERATE(1, 2, 7, 64);
  const RandomQkv<float> in(n, n, 4, 2, 3);
  const PatternData data = patternData<float>(in.qView(), in.kView());
  std::vector<Pattern> patterns = somePatterns();
  for (
      const char* text :
      {R"({"mechanism": "topk", "params": {"k": 3}})",
       R"({"mechanism": "lsh", "params": {"n_buckets": 2, "n_rounds": 2, "chunk": 4}})",
       R"({"mechanism": "lsh", "params": {"n_buckets": 2, "n_rounds": 2, "chunk": 4, "combine": "count"}})"})
    patterns.push_back(patternFrom(text));
  for (const Pattern& pattern : patterns) {
    INFO(toJson(pattern).dump() << " n " << n);
    const auto prepared = prepare(pattern, squareLengths(n), data);
    const HeadWeights of(prepared, headOf(in));
    const Matrix<float> dense = of.denseRows(allOf(of));
    const Matrix<float> kept = of.patternRows(allOf(of));
    const QueryMeasures measures = queryMeasures(of);
    KeyRanges ranges;
    // The logit −1e5 of a query that attends only to itself leaves a float two digits.
    const double margin = prepared->outputs().loneLogit ? 1e-2 : 1e-5;
    for (Index i = 0; i < n; ++i) {
      const auto sum = [&](const Matrix<float>& m) {
        const auto row = m.view().row(i);
        return std::accumulate(row.begin(), row.end(), 0.0);
      };
      prepared->row(i, ranges);
      Index keys = 0;
      for (const KeyRange& range : ranges)
        keys += count(range, 0, n);
      CHECK(sum(dense) == Approx(1).margin(1e-5));
      CHECK(sum(kept) == Approx(keys > 0 ? 1 : 0).margin(margin));
      const auto at = static_cast<std::size_t>(i);
      CHECK(measures.patternEntropy[at] <=
            std::log(static_cast<double>(std::max<Index>(keys, 1))) + margin);
      CHECK(measures.captured[at] >= 0);
      CHECK(measures.captured[at] <= 1 + 1e-6);
    }
  }
}

TEST_CASE("the weights of NSA give its output and what each key receives") {
  const Index n = GENERATE(3, 40);
  const RandomQkv<float> in(n, n, 4, 3, 12);
  const PatternData data = patternData<float>(in.qView(), in.kView());
  const auto prepared = prepare(
      patternFrom(R"({"mechanism": "nsa", "params": {"compress_block": 4, "compress_stride": 2,
                     "select_block": 4, "select_count": 3, "local_blocks": 1, "window": 5,
                     "gates": [0.5, 0.25, 1]}})"),
      squareLengths(n), data);
  const HeadWeights of(prepared, headOf(in));
  const Matrix<float> kept = of.patternRows(allOf(of));
  const WeightMaps maps = weightMaps(of, latticeOver(allOf(of), n, n));
  const KeyMass mass = keyMass(of);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 3; ++c) {
      double out = 0;
      for (Index j = 0; j < n; ++j)
        out += static_cast<double>(kept(i, j)) * static_cast<double>(in.v(j, c));
      CHECK(out == Approx(of.kept().out(i, c)).margin(1e-5));
    }
    for (Index j = 0; j < n; ++j)
      CHECK(maps.pattern(i, j) == kept(i, j));
  }
  for (Index j = 0; j < n; ++j) {
    double sum = 0;
    for (Index i = 0; i < n; ++i)
      sum += static_cast<double>(kept(i, j));
    CHECK(mass.pattern[static_cast<std::size_t>(j)] ==
          Approx(sum / static_cast<double>(n)).margin(1e-6));
  }
}

TEST_CASE("a pattern of all keys keeps everything and differs nowhere") {
  const Index n = GENERATE(1, 9, 40);
  const RandomQkv<float> in(n, n, 4, 3, 8);
  for (const Pattern& pattern : {Pattern(Full{}), Pattern(Causal{})}) {
    const auto prepared = prepare(pattern, squareLengths(n));
    const HeadWeights of(prepared, headOf(in));
    const QueryMeasures measures = queryMeasures(of);
    for (std::size_t i = 0; i < measures.captured.size(); ++i) {
      CHECK(measures.captured[i] == Approx(1));
      CHECK(measures.error[i] == 0);
      CHECK(measures.denseEntropy[i] == measures.patternEntropy[i]);
    }
    const WeightMaps maps = weightMaps(of, cellsOf(*prepared));
    for (const float gap : maps.difference.values())
      CHECK(gap == 0);
    CHECK(maps.gap == 0);
  }
}

TEST_CASE("a pixel of several cells has their largest weight and their largest difference") {
  const RandomQkv<float> in(37, 37, 4, 3, 2);
  const auto prepared = prepare(patternFrom("strided", R"({"stride": 6})"), squareLengths(37));
  const HeadWeights of(prepared, headOf(in));
  const WeightMaps cells = weightMaps(of, cellsOf(*prepared));
  const Rect shown{3, 36, 5, 30};
  const WeightMaps maps = weightMaps(of, latticeOver(shown, 5, 4));
  const auto span = [](const std::vector<Index>& edges, Index at) {
    return std::pair{edges[static_cast<std::size_t>(at)], edges[static_cast<std::size_t>(at) + 1]};
  };
  for (Index a = 0; a < 5; ++a)
    for (Index b = 0; b < 4; ++b) {
      const auto [top, bottom] = span(maps.lattice.rowEdges, a);
      const auto [left, right] = span(maps.lattice.keyEdges, b);
      float dense = 0;
      float gap = 0;
      for (Index i = top; i < bottom; ++i)
        for (Index j = left; j < right; ++j) {
          dense = std::max(dense, cells.dense(i, j));
          if (std::abs(cells.difference(i, j)) > std::abs(gap))
            gap = cells.difference(i, j);
        }
      CHECK(maps.dense(a, b) == dense);
      CHECK(maps.difference(a, b) == gap);
    }
}

TEST_CASE("maps are the same bits at any number of threads") {
  const RandomQkv<float> in(90, 90, 4, 3, 4);
  const auto prepared = prepare(patternFrom("strided", R"({"stride": 9})"), squareLengths(90));
  Run one;
  one.threads = 1;
  Run many;
  many.threads = 5;
  const auto made = [&](const Run& run) {
    const HeadWeights of(prepared, headOf(in), Base::Full, run);
    return std::pair{weightMaps(of, latticeOver(prepared->bounds(), 30, 30), run).difference,
                     queryMeasures(of, run).captured};
  };
  CHECK(made(one) == made(many));
}

TEST_CASE("ready weights are cut to the pattern and normalised again") {
  const Matrix<float> weights(3, 3, {0.5F, 0.25F, 0.25F, 0.2F, 0.2F, 0.6F, 0, 0, 0});
  const auto diagonal = prepare(patternFrom("local", R"({"window": 2, "causal": true})"),
                                squareLengths(3)); // itself and the one before
  const HeadWeights of(diagonal, readyHead(weights), Base::Full);
  const WeightMaps maps = weightMaps(of, cellsOf(*diagonal));
  CHECK(maps.pattern.values() == std::vector<float>{1, 0, 0, 0.5F, 0.5F, 0, 0, 0, 0});
  CHECK(maps.dense.values() == weights.values());
  const QueryMeasures measures = queryMeasures(of);
  CHECK(measures.captured[0] == Approx(0.5));
  CHECK(measures.captured[1] == Approx(0.4));
  CHECK(measures.captured[2] == 0); // no weights at all
  CHECK(measures.error.empty());
  CHECK_FALSE(measures.outputError);
  CHECK(measures.patternEntropy[1] == Approx(std::log(2.0)));
  CHECK(measures.denseEntropy[0] == Approx(0.5 * std::log(2.0) + 0.5 * std::log(4.0)));
  // Against j ≤ i the last row's base has no weight, and the first row's is the token itself.
  const HeadWeights causal(diagonal, readyHead(weights));
  CHECK(causal.base() == Base::Causal);
  CHECK(queryMeasures(causal).captured == std::vector<double>{1, 1, 0});
}

TEST_CASE("ready weights of softmax give what their queries and keys give") {
  const Index n = 19;
  const RandomQkv<float> in(n, n, 5, 2, 21);
  const auto prepared = prepare(patternFrom("strided", R"({"stride": 4})"), squareLengths(n));
  const HeadWeights drawn(prepared, headOf(in), Base::Full);
  const HeadWeights ready(prepared, readyHead(drawn.denseRows(allOf(drawn))), Base::Full);
  const Matrix<float> expected = drawn.patternRows(allOf(drawn));
  const Matrix<float> got = ready.patternRows(allOf(ready));
  for (std::size_t x = 0; x < got.values().size(); ++x)
    CHECK(static_cast<double>(got.values()[x]) ==
          Approx(static_cast<double>(expected.values()[x])).margin(1e-6));
  const auto mass = queryMeasures(drawn).captured;
  const auto readyMass = queryMeasures(ready).captured;
  for (std::size_t i = 0; i < mass.size(); ++i)
    CHECK(readyMass[i] == Approx(mass[i]).margin(1e-5));
}

TEST_CASE("ready weights that cannot be weights are refused by name") {
  const auto prepared = prepare(Full{}, squareLengths(2));
  const auto made = [&](Matrix<float> weights) {
    return messageOf([&] { HeadWeights(prepared, readyHead(std::move(weights))); });
  };
  CHECK(made(Matrix<float>(2, 3)) == "attention is 2 × 3 and the mask 2 × 2; they must agree");
  CHECK(made(Matrix<float>(2, 2, {1, 0, -0.5F, 1})) ==
        "attention is -0.5; it must be weights that are not negative");
  CHECK(made(Matrix<float>(2, 2, {1, 0, -0.1F, 1})) ==
        "attention is -0.1; it must be weights that are not negative");
  CHECK(made(Matrix<float>(2, 2, {1, 0, std::numeric_limits<float>::quiet_NaN(), 1})) ==
        "attention is NaN; it must be weights that are not negative");
  CHECK(made(Matrix<float>(2, 2)).empty()); // zeros are weights
}

TEST_CASE(
    "the strongest keys are in descending order with the weights that the pattern gives them") {
  const std::vector<float> dense{0.1F, 0.4F, 0, 0.4F, 0.1F};
  const std::vector<float> kept{0, 0.9F, 0, 0, 0.1F};
  CHECK(topKeys(dense, kept, 3) ==
        std::vector<TopKey>{{1, 0.4F, 0.9F}, {3, 0.4F, 0}, {0, 0.1F, 0}});
  CHECK(topKeys(dense, kept, 9).size() == 4); // none without weight
  const std::vector<float> rounded{1.0000005F};
  CHECK(topKeys(rounded, rounded, 1) == std::vector<TopKey>{{0, 1, 1}}); // a probability
}

TEST_CASE("a summary names the first among equal queries") {
  const MeasureSummary of = measureSummary({0.5, 0.25, 1, 0.25, 1});
  CHECK(of.mean == Approx(0.6));
  CHECK(of.leastAt == 1);
  CHECK(of.mostAt == 2);
  CHECK(of.least == 0.25);
  CHECK(of.most == 1);
}

TEST_CASE("a stop ends the making of maps") {
  const RandomQkv<float> in(40, 40, 4, 2, 1);
  const auto prepared = prepare(Full{}, squareLengths(40));
  const HeadWeights of(prepared, headOf(in));
  std::stop_source source;
  Run run;
  run.stop = source.get_token();
  source.request_stop();
  CHECK_THROWS_AS(weightMaps(of, cellsOf(*prepared), run), Stopped);
  CHECK_THROWS_AS(queryMeasures(of, run), Stopped);
}
