// One query step by step against core's attention: over the family of patterns, for every method,
// and by hand.
#include "core/analysis/steps/branch_steps.h"
#include "core/analysis/steps/feature_steps.h"
#include "core/analysis/steps/online_steps.h"
#include "core/attention/branches.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/kernel.h"
#include "core/attention/reference.h"
#include "core/attention/weights.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/family_inputs.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/attention/some_modifiers.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>
#include <numeric>

using namespace attention;

namespace {

// Rounding errors of sums in another order, for numbers of a few units.
constexpr double kClose = 1e-12;

StepsInput stepsOf(const Prepared& pattern, const RandomQkv<double>& in, Index query,
                   const AttendOptions& options = {}) {
  return {pattern, in.qView(), in.kView(), in.vView(), query, options};
}

Attention<double> referenceOf(const Prepared& pattern, const RandomQkv<double>& in,
                              const AttendOptions& options = {}) {
  return attendReference(pattern, in.qView(), in.kView(), in.vView(), options);
}

double gapToRow(const std::vector<double>& output, const Matrix<double>& reference, Index i) {
  return largestGap(output, reference.view().row(i));
}

// The keys of the pattern, the weights and the output are those of core.
void checkSoftmax(const Prepared& pattern, const RandomQkv<double>& in, Index query,
                  const AttendOptions& options) {
  const Attention<double> reference = referenceOf(pattern, in, options);
  const SoftmaxSteps steps = softmaxSteps(stepsOf(pattern, in, query, options));
  CHECK(gapToRow(steps.output, reference.out, query) <= kClose);
  const WeightSource<double> source{pattern, in.qView(), in.kView(), reference.lse,
                                    scoringOf(options, in.q.cols(), pattern.lengths())};
  const Index keys = pattern.lengths().keys;
  const Matrix<double> weights = weightsOf(source, {query, query + 1, 0, keys}, 1);
  const double lse = reference.lse[static_cast<std::size_t>(query)];
  // For a single query core takes the difference of large logits.
  CHECK(largestGap(steps.p, weights.values()) <=
        kClose + 1e-15 * (std::isfinite(lse) ? std::abs(lse) : 0));
  const bool lone = pattern.outputs().loneLogit.has_value(); // may attend to its own key
  CHECK((lone || std::ssize(steps.visible) == pattern.rowCount(query, 0, keys)));
  for (const Index j : steps.visible)
    CHECK(((lone && j == query) || pattern.contains(query, j)));
  if (steps.max)
    CHECK(*steps.max + std::log(*steps.sum) == Approx(lse).epsilon(1e-12).margin(1e-12));
}

void checkOnline(const Prepared& pattern, const RandomQkv<double>& in, Index query, Index tile,
                 const AttendOptions& options) {
  const SoftmaxSteps whole = softmaxSteps(stepsOf(pattern, in, query, options));
  const OnlineSteps steps = onlineSteps(stepsOf(pattern, in, query, options), tile);
  CHECK(largestGap(steps.output, whole.output) <= kClose);
  std::vector<Index> seen;
  Index end = 0;
  for (const OnlineTile& of : steps.tiles) {
    CHECK(of.begin >= end);
    CHECK(of.begin % tile == 0);
    CHECK(of.end == std::min(of.begin + tile, pattern.lengths().keys));
    CHECK_FALSE(of.keys.empty());
    CHECK(of.max >= of.tileMax);
    end = of.end;
    seen.insert(seen.end(), of.keys.begin(), of.keys.end());
  }
  CHECK(seen == whole.visible);
  if (seen.empty())
    return;
  CHECK(steps.tiles.front().correction == 0);
  const OnlineTile& last = steps.tiles.back();
  if (std::isinf(steps.sinkExp.value_or(0))) // beside a lone query's self-logit of −10⁵
    return;
  CHECK(last.max + std::log(last.sum + steps.sinkExp.value_or(0)) ==
        Approx(*whole.max + std::log(*whole.sum)).epsilon(1e-12).margin(1e-12));
}

// Each branch by itself, their sum with the gates, and what every key has in it.
void checkBranchSteps(const Prepared& pattern, const RandomQkv<double>& in, Index query,
                      AttendOptions options) {
  options.bias = {}; // means have no position
  const StepsInput whole = stepsOf(pattern, in, query, options);
  const SoftmaxSteps steps = softmaxSteps(whole);
  CHECK(gapToRow(steps.output, referenceOf(pattern, in, options).out, query) <= kClose);
  CHECK(std::ssize(steps.visible) == pattern.rowCount(query, 0, pattern.lengths().keys));
  const auto outputs = attendBranches<double>(pattern, in.qView(), in.kView(), in.vView(), options);
  const std::vector<BranchInput> branches = branchInputs(whole);
  REQUIRE(branches.size() == outputs.of.size());
  for (std::size_t b = 0; b < branches.size(); ++b)
    CHECK(gapToRow(stepsOfBranch(whole, branches[b]).output, outputs.of[b], query) <= kClose);
  const Matrix<double> weights =
      impliedByPattern<double>(pattern, in.qView(), in.kView(), options).rowsAt(query, query + 1);
  CHECK(gapToRow(steps.p, weights, 0) <= kClose);
  CHECK(codeAndSubject([&] { onlineSteps(whole, 64); }) == "E_UNSUPPORTED pattern");
}

StepFeatures elu1(bool normalized = true) {
  StepFeatures features;
  features.map.map = FeatureMap::Elu1;
  features.normalized = normalized;
  return features;
}

StepFeatures positive(Index m, Index d, std::uint64_t seed) {
  StepFeatures features;
  features.w = drawProjection({ProjectionKind::Orthogonal, Norms::Chi, m, d, seed});
  return features;
}

void checkLinear(const Prepared& pattern, const RandomQkv<double>& in, Index query,
                 bool normalized) {
  const auto reference =
      kernelReference(pattern, in.qView(), in.kView(), in.vView(), {Kernel::Elu1, normalized, 1});
  const FeatureSteps steps = featureSteps(stepsOf(pattern, in, query), elu1(normalized));
  const auto at = static_cast<std::size_t>(query);
  CHECK(steps.denominator == Approx(reference.denominators[at]).epsilon(1e-12));
  // Sums that are not divided grow with the keys.
  CHECK(gapToRow(steps.output, reference.out, query) <= kClose * (1 + steps.denominator));
  CHECK(gapToRow(steps.exact, referenceOf(pattern, in).out, query) <= kClose);
  CHECK(steps.orderGap <= kClose * (1 + steps.denominator));
}

// None, or those of some_modifiers.h.
AttendOptions modified(Dice& dice, Index n) {
  const std::vector<ScoreModifiers> all = someModifiers();
  const Index chosen = dice.within(0, std::ssize(all));
  return chosen == std::ssize(all)
             ? AttendOptions()
             : optionsOf(all[static_cast<std::size_t>(chosen)], dice.within(0, 1), 2, n);
}

RandomQkv<double> widenedInput(const RandomQkv<float>& in) {
  RandomQkv<double> wide(1, 1, 1, 1, 0);
  wide.q = widened(in.q);
  wide.k = widened(in.k);
  wide.v = widened(in.v);
  return wide;
}

} // namespace

TEST_CASE("steps of softmax, online and linear attention end in the results of core's attention") {
  const Index n = GENERATE(1, 2, 7, 40);
  Dice dice(static_cast<int>(n));
  const auto check = [&](const Prepared& pattern, const RandomQkv<float>& floats) {
    const RandomQkv<double> in = widenedInput(floats);
    const Index query = dice.within(0, n - 1);
    AttendOptions options = modified(dice, n);
    if (dice.chance(2))
      options.scale = 0.7;
    if (dice.chance(2))
      options.softcap = 1.5;
    if (pattern.branches())
      return checkBranchSteps(pattern, in, query, options);
    checkSoftmax(pattern, in, query, options);
    if (pattern.outputs().combine == Combine::Mean)
      return;
    checkOnline(pattern, in, query, dice.within(1, n + 3), options);
    // Kernels have no rule for own keys, and no single query.
    if (pattern.outputs().keys.plain() && !pattern.outputs().loneLogit)
      checkLinear(pattern, in, query, !dice.chance(3));
  };
  forEachMechanism(
      dice, n, 3, [n](std::size_t m) { return RandomQkv<float>(n, n, 5, 3, m); }, check);
}

TEST_CASE("steps follow patterns with several softmaxes") {
  const Index n = 24;
  const RandomQkv<double> in(n, n, 4, 3, 11);
  const PatternData data = patternData<double>(in.qView(), in.qView(), true);
  const std::string pattern = GENERATE(
      R"({"mechanism": "lsh", "params": {"n_buckets": 4, "n_rounds": 3, "combine": "count"}})",
      R"({"mechanism": "lsh", "params": {"n_buckets": 8, "n_rounds": 2, "combine": "mean"}})",
      R"({"mechanism": "routing", "params": {"k": 3, "combine": "scatter_mean"}})");
  INFO(pattern);
  const auto prepared = prepare(patternFrom(pattern), squareLengths(n), data);
  const bool mean = prepared->outputs().combine == Combine::Mean;
  for (Index query = 0; query < n; ++query) {
    checkSoftmax(*prepared, in, query, {});
    const SoftmaxSteps steps = softmaxSteps(stepsOf(*prepared, in, query));
    double shares = 0;
    for (const SoftmaxPart& part : steps.parts)
      shares += part.share;
    CHECK(shares == Approx(steps.visible.empty() ? 0 : 1));
    CHECK(steps.exp.empty() == mean);
    if (mean)
      CHECK(codeAndSubject([&] { onlineSteps(stepsOf(*prepared, in, query), 64); }) ==
            "E_UNSUPPORTED by");
    else
      checkOnline(*prepared, in, query, 5, {});
  }
}

TEST_CASE("steps of rectangular masks are those of the token that the query acts as") {
  const auto align = GENERATE(Align::TopLeft, Align::BottomRight);
  const Index queries = GENERATE(3, 9);
  const Index keys = GENERATE(4, 9, 20);
  const RandomQkv<double> in(queries, keys, 4, 2, 5);
  const Lengths lengths = alignedLengths(queries, keys, align);
  for (const char* name : {"full", "causal", "local"}) {
    const auto pattern = prepare(patternNamed(name), lengths);
    for (Index query = 0; query < queries; ++query) {
      checkSoftmax(*pattern, in, query, {});
      for (const Index tile : {1, 2, 5, 64})
        checkOnline(*pattern, in, query, tile, {});
      checkLinear(*pattern, in, query, true);
    }
  }
}

TEST_CASE("steps in the linear order are those of feature attention") {
  const Index n = 17;
  const RandomQkv<double> in(n, n, 6, 3, 2, 0.5);
  const bool causal = GENERATE(false, true);
  const bool normalized = GENERATE(false, true);
  StepFeatures features = positive(GENERATE(1, 6, 20), 6, 3);
  features.normalized = normalized;
  const auto pattern = prepare(patternNamed(causal ? "causal" : "full"), squareLengths(n));
  const auto reference = featureAttention(in.qView(), in.kView(), in.vView(), features.w,
                                          features.map, {causal, normalized, 1});
  for (Index query = 0; query < n; ++query) {
    const FeatureSteps steps = featureSteps(stepsOf(*pattern, in, query), features);
    const auto at = static_cast<std::size_t>(query);
    CHECK(steps.denominator == Approx(reference.denominators[at]).epsilon(1e-11));
    CHECK(gapToRow(steps.output, reference.out, query) <= 1e-11);
    const Matrix<double> phi = keyFeatures(stepsOf(*pattern, in, query), features, steps.visible);
    for (std::size_t t = 0; t < steps.visible.size(); ++t) {
      double a = 0;
      for (std::size_t f = 0; f < steps.phiQ.size(); ++f)
        a += steps.phiQ[f] * phi(static_cast<Index>(t), static_cast<Index>(f));
      CHECK(steps.kernel[t] == Approx(a).epsilon(1e-12));
    }
  }
}

TEST_CASE("running sums after the last visible key are those of all, and grow by one key") {
  const Index n = 9;
  const RandomQkv<double> in(n, n, 3, 2, 4);
  const auto pattern = prepare(patternNamed("causal"), squareLengths(n));
  for (const StepFeatures& features : {elu1(), positive(5, 3, 1)}) {
    const StepsInput input = stepsOf(*pattern, in, 6);
    const FeatureSteps steps = featureSteps(input, features);
    const std::vector<Index> keys{2, 3, 6};
    const RunningSums sums = runningSums(input, features, keys, 16);
    REQUIRE(sums.state.size() == keys.size());
    CHECK(sums.state.back() == steps.state);
    CHECK(std::equal(steps.total.begin(), steps.total.end(), sums.total.view().row(2).begin()));
    const Matrix<double> phi = keyFeatures(input, features, std::span(keys).subspan(1, 1));
    for (Index f = 0; f < phi.cols(); ++f) {
      CHECK(sums.total(1, f) == Approx(sums.total(0, f) + phi(0, f)));
      for (Index c = 0; c < 2; ++c)
        CHECK(sums.state[1](f, c) == Approx(sums.state[0](f, c) + phi(0, f) * in.vView()(3, c)));
    }
    CHECK(runningSums(input, features, keys, 2).state.back() == blockMeans(steps.state, 2));
  }
}

TEST_CASE("means of blocks are those of equal parts, and the matrix itself where it is small") {
  const Matrix<double> x(3, 4, {1, 3, 5, 7, 2, 4, 6, 8, 0, 0, 1, 1});
  CHECK(blockMeans(x, 4) == x);
  CHECK(blockMeans(x, 2) == Matrix<double>(2, 2, {2, 6, 1.5, 4}));
  CHECK(blockMeans(x, 1)(0, 0) == Approx(38.0 / 12));
}

TEST_CASE("features take the scale of the scores, whatever its sign") {
  const RandomQkv<double> in(5, 5, 4, 2, 8);
  const auto pattern = prepare(patternNamed("full"), squareLengths(5));
  const StepFeatures features = positive(4000, 4, 1);
  AttendOptions options;
  options.scale = GENERATE(0.2, -0.3);
  const FeatureSteps steps = featureSteps(stepsOf(*pattern, in, 2, options), features);
  CHECK(largestGap(steps.output, steps.exact) < 0.1);
  CHECK(largestGap(steps.exact, referenceOf(*pattern, in, options).out.view().row(2)) <= kClose);
}

TEST_CASE("every number of a small example is the one worked out by hand") {
  RandomQkv<double> in(3, 3, 2, 1, 0);
  in.q = {3, 2, {0, 0, 0, 0, 1, 2}};
  in.k = {3, 2, {2, 1, 0, 1, -1, 0}};
  in.v = {3, 1, {3, 5, 7}};
  const auto pattern = prepare(patternFrom("local", R"({"window": 2})"), squareLengths(3));
  AttendOptions options;
  options.scale = 0.5;
  const SoftmaxSteps steps = softmaxSteps(stepsOf(*pattern, in, 2, options));
  CHECK(steps.visible == std::vector<Index>{1, 2});
  CHECK(steps.dot == std::vector<double>{4, 2, -1});
  CHECK(steps.scaled == std::vector<double>{2, 1, -0.5});
  CHECK(steps.masked[0] == -std::numeric_limits<double>::infinity());
  CHECK(*steps.max == 1);
  CHECK(steps.exp[0] == 0);
  CHECK(steps.exp[1] == 1);
  CHECK(steps.exp[2] == std::exp(-1.5));
  CHECK(*steps.sum == 1 + std::exp(-1.5));
  CHECK(steps.output[0] == Approx((5 + 7 * std::exp(-1.5)) / (1 + std::exp(-1.5))));
  const OnlineSteps online = onlineSteps(stepsOf(*pattern, in, 2, options), 2);
  REQUIRE(online.tiles.size() == 2);
  CHECK(online.tiles[0].output == std::vector<double>{5});
  CHECK(online.tiles[1].correction == 1);
  CHECK(online.tiles[1].output[0] == Approx(5 + 7 * std::exp(-1.5)));
  const FeatureSteps linear = featureSteps(stepsOf(*pattern, in, 2, options), elu1());
  CHECK(linear.phiQ == std::vector<double>{2, 3});
  CHECK(linear.kernel[0] == 2 * 1 + 3 * 2);
  CHECK(linear.kernel[1] == Approx(2 * std::exp(-1.0) + 3));
  CHECK(linear.total[1] == 2 + 1);
}

TEST_CASE("equal keys share the weight, and the largest score is never exceeded") {
  const Index n = 9;
  RandomQkv<double> in(n, n, 3, 2, 4);
  for (Index j = 0; j < n; ++j)
    for (Index c = 0; c < 3; ++c)
      in.k(j, c) = 1e150; // squares of these overflow
  const auto pattern = prepare(patternNamed("causal"), squareLengths(n));
  const SoftmaxSteps steps = softmaxSteps(stepsOf(*pattern, in, 5));
  for (const Index j : steps.visible)
    CHECK(steps.p[static_cast<std::size_t>(j)] == Approx(1.0 / 6));
  CHECK(*steps.sum == Approx(6));
}

TEST_CASE("a query without a key has zeros, no maximum and no tile") {
  const RandomQkv<double> in(4, 2, 3, 2, 6);
  const auto pattern =
      prepare(patternNamed("causal"), alignedLengths(4, 2, Align::BottomRight)); // tokens from −2
  const SoftmaxSteps steps = softmaxSteps(stepsOf(*pattern, in, 0));
  CHECK(steps.visible.empty());
  CHECK_FALSE(steps.max);
  CHECK(*steps.sum == 0);
  CHECK(steps.output == std::vector<double>{0, 0});
  CHECK(steps.p == std::vector<double>{0, 0});
  CHECK(onlineSteps(stepsOf(*pattern, in, 0), 64).tiles.empty());
  CHECK(onlineSteps(stepsOf(*pattern, in, 0), 64).output == std::vector<double>{0, 0});
  const FeatureSteps linear = featureSteps(stepsOf(*pattern, in, 0), elu1());
  CHECK(linear.denominator == 0);
  CHECK(linear.output == std::vector<double>{0, 0});
  CHECK(linear.divided == std::vector<double>{0, 0});
}

TEST_CASE("partial products add up to the dot product, one by one where columns are few") {
  const Matrix<double> x = randomMatrix<double>(2, 13, 1, 0);
  const auto q = x.view().row(0);
  const auto k = x.view().row(1);
  const double dot = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
  for (const std::size_t parts : {1U, 4U, 8U, 13U, 20U}) {
    const std::vector<double> sums = partialProducts(q, k, parts);
    CHECK(sums.size() == std::min<std::size_t>(parts, 13));
    CHECK(std::accumulate(sums.begin(), sums.end(), 0.0) == Approx(dot));
  }
  CHECK(partialProducts(q, k, 13)[4] == q[4] * k[4]);
}

TEST_CASE("steps refuse what they cannot compute") {
  const RandomQkv<double> in(4, 4, 3, 2, 6);
  const auto pattern = prepare(patternNamed("full"), squareLengths(4));
  const auto softmax = [&](Index query, const AttendOptions& options = {}) {
    return codeAndSubject([&] { softmaxSteps(stepsOf(*pattern, in, query, options)); });
  };
  CHECK(softmax(4) == "E_RANGE query");
  CHECK(softmax(-1) == "E_RANGE query");
  AttendOptions options;
  options.softcap = 0;
  CHECK(softmax(0, options) == "E_RANGE softcap");
  CHECK(codeAndSubject([&] { onlineSteps(stepsOf(*pattern, in, 0), 0); }) == "E_RANGE key-tile");
  const auto features = [&](const AttendOptions& modified, const StepFeatures& of) {
    return codeAndSubject([&] { featureSteps(stepsOf(*pattern, in, 0, modified), of); });
  };
  for (const StepFeatures& of : {positive(4, 3, 0), elu1()}) {
    AttendOptions modified;
    modified.softcap = 30;
    CHECK(features(modified, of) == "E_UNSUPPORTED softcap");
    modified = {};
    modified.sink = 1;
    CHECK(features(modified, of) == "E_UNSUPPORTED sink");
    modified = {};
    modified.bias.before = 1;
    CHECK(features(modified, of) == "E_UNSUPPORTED bias");
    modified = {};
    modified.scale = 2; // which a comparison with softmax has
    CHECK_NOTHROW(featureSteps(stepsOf(*pattern, in, 0, modified), of));
  }
  RandomQkv<double> large(4, 4, 3, 2, 6, 1e200);
  CHECK(codeAndSubject([&] { softmaxSteps(stepsOf(*pattern, large, 0)); }) == "E_NONFINITE scores");
}
