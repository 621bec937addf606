// The score board (S13, S14) against values by hand, brute force, and the metrics that it consists
// of.
#include "core/analysis/cost.h"
#include "core/analysis/score/method_cost.h"
#include "core/analysis/score/recall.h"
#include "core/analysis/score/score_board.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/linformer.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/mechanism/causal.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

using namespace attention;

namespace {

template <class T>
ScoredInput<T> inputOf(const std::vector<RandomQkv<T>>& heads, const AttendOptions& scores = {}) {
  return {heads.front().q.rows(), static_cast<Index>(heads.size()), [&heads, scores](Index h) {
            const RandomQkv<T>& in = heads[static_cast<std::size_t>(h)];
            return ScoredHead<T>{in.q, in.k, in.v, patternData<T>(in.qView(), in.kView()), scores};
          }};
}

// Q = K = rows 0, ln 2, ln 4 of one column: with scale 1 row 1 has the weights 1, e^(ln²2), … .
RandomQkv<double> threeTokens() {
  RandomQkv<double> in(3, 3, 1, 1, 0);
  in.q = Matrix<double>(3, 1, {1, 1, 1});
  in.k = Matrix<double>(3, 1, {0, std::log(2.0), std::log(4.0)});
  in.v = Matrix<double>(3, 1, {1, 2, 4});
  return in;
}

FeatureMethod linearAttentionMethod() {
  FeatureMethod method;
  method.features.map = FeatureMap::Elu1;
  return method;
}

Local window(Index l, bool causal) {
  Local local;
  local.window = l;
  local.causal = causal;
  return local;
}

// The k keys with the largest weights, one by one.
std::vector<Index> largestOf(const RandomQkv<double>& in, Index i, Index k, bool causal) {
  std::vector<double> s;
  for (Index j = 0; j < (causal ? i + 1 : in.k.rows()); ++j) {
    s.push_back(0);
    for (Index c = 0; c < in.q.cols(); ++c)
      s.back() += in.q(i, c) * in.k(j, c);
  }
  std::vector<Index> order(s.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return s[static_cast<std::size_t>(a)] > s[static_cast<std::size_t>(b)];
  });
  order.resize(static_cast<std::size_t>(std::min<Index>(k, static_cast<Index>(order.size()))));
  return order;
}

} // namespace

TEST_CASE("the score of a window over three tokens is what a hand computation gives") {
  const std::vector<RandomQkv<double>> heads{threeTokens()};
  // Weights of every row over all keys: 1/7, 2/7, 4/7. A window of two holds the token itself and
  // the one before.
  const std::vector<ScoredMethod> methods{Pattern(window(2, true)), Pattern(Full{})};
  ScoreOptions options;
  options.base = Base::Full;
  options.recallKeys = 1;
  const auto scores = scoreBoard<double>(methods, inputOf(heads, {1.0}), options);
  REQUIRE(scores.size() == 2);
  const Score& s = scores[0];
  CHECK(*s.pairs == 5);
  CHECK(*s.capturedMass == Approx((1.0 / 7 + 3.0 / 7 + 6.0 / 7) / 3));
  // Rows: {1}: 0; {1/3, 2/3} and {1/3, 2/3}: ln 3 − ⅔ ln 2.
  CHECK(*s.entropy == Approx(2 * (std::log(3.0) - 2.0 / 3 * std::log(2.0)) / 3));
  CHECK(s.recall == Approx(1.0 / 3)); // key 2 is the largest of every row
  // Outputs 1, 5/3, 10/3 instead of 3.
  const double squares = 4 + 16.0 / 9 + 1.0 / 9;
  CHECK(s.error->relativeFrobenius == Approx(std::sqrt(squares / 27)));
  CHECK(s.error->maxAbs == Approx(2));
  CHECK(s.flops == 2 * 5 + 5 * 5 + 2 * 5 + 3);
  CHECK(s.bytes == 8 * (5 + 3 * 4));
  CHECK(s.flaggedRows == 0);
  CHECK(*scores[1].capturedMass == Approx(1));
  CHECK(scores[1].error->maxAbs == Approx(0).margin(1e-14));
  CHECK(scores[1].recall == 1);
  CHECK(*scores[1].entropy ==
        Approx((std::log(7.0) - 2 * std::log(2.0) / 7 - 4 * std::log(4.0) / 7)));
}

TEST_CASE("scores over heads combine the metrics of each head") {
  const Index n = 40;
  std::vector<RandomQkv<double>> heads;
  for (const std::uint64_t seed : {3U, 4U})
    heads.emplace_back(n, n, 4, 3, seed, 0.8);
  TopK topk;
  topk.k = 5;
  Strided strided;
  strided.stride = 6;
  const std::vector<ScoredMethod> methods{Pattern(topk), Pattern(strided)};
  const auto scores = scoreBoard<double>(methods, inputOf(heads), {});
  CHECK(scores[0].base == Base::Full);
  CHECK(scores[1].base == Base::Causal);
  CHECK(*scores[0].pairs == 2 * 5 * n);
  CHECK(scores[0].recall == Approx(0.5)); // 5 of the 10 largest
  for (std::size_t m = 0; m < methods.size(); ++m) {
    double mass = 0;
    double entropy = 0;
    double recall = 0;
    OutputErrorSums error;
    for (const auto& in : heads) {
      const auto pattern = prepare(std::get<Pattern>(methods[m]), squareLengths(n),
                                   patternData<double>(in.qView(), in.kView()));
      const Base base = scores[m].base;
      const auto out = attend(*pattern, in.qView(), in.kView(), in.vView());
      error.add(out.out, attend(*baseOf(base, *pattern), in.qView(), in.kView(), in.vView()).out);
      mass += capturedMass(pattern, in.qView(), in.kView(), base).mean / 2;
      for (const double h : rowEntropies<double>(*pattern, in.qView(), in.kView(), out.lse))
        entropy += h / static_cast<double>(2 * n);
      for (Index i = 0; i < n; ++i) {
        const auto largest = largestOf(in, i, 10, base == Base::Causal);
        for (const Index j : largest)
          recall += (pattern->contains(i, j) ? 1.0 : 0.0) / static_cast<double>(largest.size()) /
                    static_cast<double>(2 * n);
      }
    }
    CHECK(*scores[m].capturedMass == Approx(mass));
    CHECK(*scores[m].entropy == Approx(entropy));
    CHECK(scores[m].recall == Approx(recall));
    CHECK(scores[m].error->relativeFrobenius == Approx(error.error().relativeFrobenius));
    CHECK(scores[m].error->maxAbs == Approx(error.error().maxAbs));
  }
}

TEST_CASE("random features have the scores of their implied matrix and no mask") {
  const bool causal = GENERATE(false, true);
  const Index n = 30;
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(n, n, 4, 3, 5, 0.7)};
  const auto& in = heads.front();
  FeatureMethod method;
  method.projection = {ProjectionKind::Orthogonal, Norms::Chi, 16, 4, 7};
  FeatureMethod trig = method;
  trig.features.map = FeatureMap::Trig;
  const std::vector<ScoredMethod> methods{method, trig};
  ScoreOptions options;
  options.base = causal ? Base::Causal : Base::Full;
  options.recallKeys = 4;
  const auto scores = scoreBoard<double>(methods, inputOf(heads), options);
  const Score& s = scores.front();
  CHECK_FALSE(s.pairs);
  CHECK_FALSE(s.capturedMass);
  const Matrix<double> w = drawProjection(method.projection);
  // Row i of Â is what attention gives for each basis vector as values.
  Matrix<double> identity(n, n);
  for (Index i = 0; i < n; ++i)
    identity(i, i) = 1;
  const auto a = featureAttention<double>(in.qView(), in.kView(), std::as_const(identity).view(), w,
                                          method.features, {causal, true, 1})
                     .out;
  double entropy = 0;
  double recall = 0;
  for (Index i = 0; i < n; ++i) {
    const Index keys = causal ? i + 1 : n;
    std::vector<Index> order(static_cast<std::size_t>(keys));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index x, Index y) { return a(i, x) > a(i, y); });
    order.resize(std::min<std::size_t>(order.size(), 4));
    const auto largest = largestOf(in, i, 4, causal);
    for (const Index j : largest)
      recall += std::find(order.begin(), order.end(), j) != order.end()
                    ? 1.0 / static_cast<double>(largest.size())
                    : 0.0;
    for (Index j = 0; j < keys; ++j)
      entropy -= a(i, j) * std::log(a(i, j));
  }
  CHECK(*s.entropy == Approx(entropy / n));
  CHECK(s.recall == Approx(recall / n));
  const auto dense =
      attend(*baseOf(*options.base, squareLengths(n)), in.qView(), in.kView(), in.vView());
  const auto out = featureAttention<double>(in.qView(), in.kView(), in.vView(), w, method.features,
                                            {causal, true, 1});
  CHECK(s.error->relativeFrobenius == Approx(outputError(out.out, dense.out).relativeFrobenius));
  CHECK(s.flops == randomFeatureCost(n, 4, 3, 16, 16).flops);
  CHECK_FALSE(scores[1].entropy); // trigonometric features have negative weights
}

TEST_CASE("Linformer with its own drawn matrices is measured against all keys") {
  const Index n = 24;
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(n, n, 4, 3, 5)};
  const auto& in = heads.front();
  const std::vector<ScoredMethod> methods{LinformerMethod{6, 9}};
  const auto scores = scoreBoard<double>(methods, inputOf(heads), {});
  const Matrix<double> e = drawLinformer(6, n, 9, LinformerSide::Keys);
  const Matrix<double> f = drawLinformer(6, n, 9, LinformerSide::Values);
  const auto out = linformer(in.qView(), in.kView(), in.vView(), std::as_const(e).view(),
                             std::as_const(f).view());
  const auto dense =
      attend(*baseOf(Base::Full, squareLengths(n)), in.qView(), in.kView(), in.vView());
  CHECK(scores[0].error->maxAbs == Approx(outputError(out.out, dense.out).maxAbs));
  CHECK(scores[0].flops == linformerCost(n, 4, 3, 6).flops);
  CHECK(scores[0].bytes == 8 * (n * 14 + n * 6 + 2 * 6 * n));
  ScoreOptions causal;
  causal.base = Base::Causal;
  CHECK(codeAndSubject([&] { scoreBoard<double>(methods, inputOf(heads), causal); }) ==
        "E_UNSUPPORTED base");
}

TEST_CASE("random features are causal if all patterns on the board are") {
  const std::vector<RandomQkv<float>> heads{RandomQkv<float>(20, 20, 4, 3, 5)};
  const std::vector<ScoredMethod> past{linearAttentionMethod(), Pattern(Causal{})};
  std::vector<std::size_t> heard;
  const auto scores = scoreBoard<float>(past, inputOf(heads), {},
                                        [&](std::size_t k, const Score&) { heard.push_back(k); });
  CHECK(scores[0].base == Base::Causal);
  CHECK(heard == std::vector<std::size_t>{1, 0});
  const std::vector<ScoredMethod> all{linearAttentionMethod(), Pattern(Full{}), Pattern(Causal{})};
  CHECK(scoreBoard<float>(all, inputOf(heads), {})[0].base == Base::Full);
  CHECK(scoreBoard<float>(std::span(all).first(1), inputOf(heads), {})[0].base == Base::Full);
}

TEST_CASE("hashing is measured against attention with the keys that it makes of the queries") {
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(32, 32, 4, 3, 5)};
  Lsh lsh;
  lsh.buckets = IndexList{4};
  lsh.self = Lsh::Self::Allow;
  const std::vector<ScoredMethod> methods{Pattern(lsh)};
  const Score s = scoreBoard<double>(methods, inputOf(heads), {})[0];
  CHECK(s.ownKeys);
  const auto& in = heads.front();
  const auto pattern = prepare(lsh, squareLengths(32), patternData<double>(in.qView(), in.kView()));
  CHECK(*s.capturedMass == Approx(capturedMass(pattern, in.qView(), in.kView(), Base::Full).mean));
  const LshCost cost = lshCost(32, 4, 3, {1, 2, chunkOf(lsh, 32), 1, 0});
  CHECK(s.flops == cost.sparse.flops + cost.hashFlops + cost.sortComparisons);
  CHECK(seedOf(methods[0]) == std::optional<std::uint64_t>(0));
}

TEST_CASE("the largest keys follow the sign of the scale") {
  const RandomQkv<double> in(12, 12, 4, 1, 8);
  const PatternData data = patternData<double>(in.qView(), in.kView());
  RandomQkv<double> opposite = in;
  for (Index i = 0; i < 12; ++i)
    for (Index c = 0; c < 4; ++c)
      opposite.q(i, c) = -in.q(i, c);
  const auto most = largestKeys(data, {}, Base::Full, 3);
  const auto least = largestKeys(data, {}, Base::Full, 3, {Scoring{-1}});
  const auto ties = largestKeys(data, {}, Base::Full, 3, {Scoring{0}});
  for (Index i = 0; i < 12; ++i) {
    for (const Index j : largestOf(in, i, 3, false))
      CHECK(most->contains(i, j));
    for (const Index j : largestOf(opposite, i, 3, false))
      CHECK(least->contains(i, j));
    for (Index j = 0; j < 3; ++j)
      CHECK(ties->contains(i, j));
  }
}

TEST_CASE("recall among the other keys leaves out the query's own key") {
  const RandomQkv<double> in(12, 12, 4, 1, 8);
  const PatternData data = patternData<double>(in.qView(), in.qView(), true);
  const Lengths lengths = squareLengths(12);
  LargestOptions others;
  others.excludeSelf = true;
  const auto own = prepare(Pattern(window(1, true)), lengths);
  for (const Base& base : {Base::Full, Base::Causal}) {
    const auto all = largestKeys(data, {true, KeyNorm::Unit}, base, 3);
    const auto closest = largestKeys(data, {true, KeyNorm::Unit}, base, 3, others);
    for (Index i = 0; i < 12; ++i) {
      CHECK(all->contains(i, i)); // among unit keys the query's own has the largest product
      CHECK_FALSE(closest->contains(i, i));
    }
    CHECK(recallOf(*own, *all) > 0.3);
    CHECK(recallOf(*own, *closest) == 0);
    CHECK(recallOf(*closest, *closest) == Approx(1)); // the first query, without keys, left out
  }
  CHECK(recallOf(*own, *largestKeys(data, {}, Base::Full, 0)) == 1); // nothing searches for keys
}

TEST_CASE("the score board refuses what it cannot measure") {
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(8, 8, 4, 3, 5)};
  const std::vector<ScoredMethod> features{
      FeatureMethod{{}, {ProjectionKind::Iid, Norms::Chi, 4, 4, 0}}};
  const auto refused = [&](const AttendOptions& scores) {
    return codeAndSubject([&] { scoreBoard<double>(features, inputOf(heads, scores), {}); });
  };
  CHECK(refused({1.0}) == "E_RANGE scale");
  AttendOptions modified;
  modified.temperature = 2;
  CHECK(refused(modified) == "E_RANGE temperature");
  modified = {};
  modified.sink = 0;
  CHECK(refused(modified) == "E_UNSUPPORTED sink");
  modified = {};
  modified.bias.before = 1;
  CHECK(refused(modified) == "E_UNSUPPORTED bias");
  ScoreOptions none;
  none.recallKeys = 0;
  CHECK(codeAndSubject([&] { scoreBoard<double>(features, inputOf(heads), none); }) ==
        "E_RANGE recall-keys");
}

TEST_CASE("scores other than seconds are the same bits at any number of threads") {
  const std::vector<RandomQkv<float>> heads{RandomQkv<float>(150, 150, 8, 8, 5)};
  const std::vector<ScoredMethod> methods{
      Pattern(window(9, false)), FeatureMethod{{}, {ProjectionKind::Iid, Norms::Chi, 16, 8, 0}},
      LinformerMethod{8, 0}};
  ScoreOptions one;
  one.threads = 1;
  ScoreOptions three;
  three.threads = 3;
  const auto a = scoreBoard<float>(methods, inputOf(heads), one);
  const auto b = scoreBoard<float>(methods, inputOf(heads), three);
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK(a[k].recall == b[k].recall);
    CHECK(a[k].entropy == b[k].entropy);
    CHECK(a[k].capturedMass == b[k].capturedMass);
    CHECK(a[k].error->relativeFrobenius == b[k].error->relativeFrobenius);
  }
}

TEST_CASE("rows of an implied matrix without weights find no key") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  // The largest key of every row is the first one, as ties would make it.
  const Matrix<double> rows(5, 5, {nan, nan, nan, nan, nan, 0,   0, 0,   0, 0, nan, 0,  nan,
                                   0,   nan, inf, inf, inf, inf, 0, 0.5, 0, 0, 0,   0.5});
  const ImpliedMatrix<double> matrix{5, 5, [&](Index begin, Index end) {
                                       Matrix<double> block(end - begin, 5);
                                       std::copy(rows.data() + begin * 5, rows.data() + end * 5,
                                                 block.data());
                                       return block;
                                     }};
  TopK one;
  one.k = 1;
  Matrix<double> q(5, 1, {1, 1, 1, 1, 1});
  Matrix<double> k(5, 1, {5, 4, 3, 2, 1});
  const auto first = prepare(one, squareLengths(5),
                             patternData<double>(std::as_const(q).view(), std::as_const(k).view()));
  CHECK(sumsOf(matrix, *first, false, 1).recall == 1); // only the last row
}

TEST_CASE("the score board refuses before any work starts") {
  std::vector<RandomQkv<double>> heads{RandomQkv<double>(8, 8, 4, 3, 5)};
  const auto refused = [&](ScoredMethod method, const ScoreOptions& options,
                           const AttendOptions& scores = {}) {
    const std::vector<ScoredMethod> methods{Pattern(Full{}), std::move(method)};
    int heard = 0;
    const std::string error = codeAndSubject([&] {
      scoreBoard<double>(methods, inputOf(heads, scores), options,
                         [&](std::size_t, const Score&) { ++heard; });
    });
    CHECK(heard == 0);
    return error;
  };
  ScoreOptions causal;
  causal.base = Base::Causal;
  CHECK(refused(LinformerMethod{4, 0}, causal) == "E_UNSUPPORTED base");
  ScoreOptions causalHead;
  causalHead.headBases = {Base::Causal};
  CHECK(refused(LinformerMethod{4, 0}, causalHead) == "E_UNSUPPORTED base");
  CHECK(refused(LinformerMethod{0, 0}, {}) == "E_RANGE k");
  FeatureMethod features{{}, {ProjectionKind::Iid, Norms::Chi, 4, 4, 0}};
  CHECK(refused(features, {}, {1.0}) == "E_RANGE scale");
  features.features.eps = -1;
  CHECK(refused(features, {}) == "E_RANGE eps");
  Strided strided;
  strided.stride = 0;
  CHECK(refused(Pattern(strided), {}) == "E_RANGE stride");
}

TEST_CASE("features that do not approximate exp take any scale") {
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(8, 8, 4, 3, 5)};
  FeatureMethod relu{{}, {ProjectionKind::Iid, Norms::Chi, 4, 4, 0}};
  relu.features.map = FeatureMap::Relu;
  const std::vector<ScoredMethod> methods{linearAttentionMethod(), relu};
  CHECK(scoreBoard<double>(methods, inputOf(heads, {1.0}), {}).size() == 2);
}

TEST_CASE("the score board reports progress within one method of one head") {
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(400, 400, 4, 3, 5)};
  const std::vector<ScoredMethod> methods{
      Pattern(window(9, true)), FeatureMethod{{}, {ProjectionKind::Iid, Norms::Chi, 4, 4, 0}},
      LinformerMethod{8, 0}};
  for (const ScoredMethod& method : methods) {
    std::mutex mutex; // shares come from any thread, so those of one step may come in any order
    std::vector<double> shares;
    Run run;
    run.progress = [&](double share) {
      const std::scoped_lock lock(mutex);
      shares.push_back(share);
    };
    scoreBoard<double>(std::span(&method, 1), inputOf(heads), {}, {}, run);
    std::sort(shares.begin(), shares.end());
    CHECK(shares.front() >= 0);
    shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
    CHECK(shares.size() > 15);
    CHECK(shares.back() == Approx(1));
  }
}

TEST_CASE("methods are named by what they hold") {
  MaskSource mask;
  mask.file = "folder/cells.csv";
  GivenMask given;
  given.mask = mask;
  CHECK(methodText(Pattern(given)) == "given, mask cells.csv");
  Lsh lsh;
  lsh.seed = 7;
  const Pattern both = Compose(Operation::Union, {Pattern(Causal{}), Pattern(lsh)});
  CHECK(seedOf(both) == std::optional<std::uint64_t>(7));
  CHECK_FALSE(seedOf(Pattern(Compose(Operation::Union, {Pattern(Causal{}), Pattern(Full{})}))));
}

TEST_CASE("a NaN in an output shows up in its error") {
  Matrix<double> out(1, 2, {std::numeric_limits<double>::quiet_NaN(), 0});
  const OutputError error = outputError(out, Matrix<double>(1, 2, {1, 0}));
  CHECK(std::isnan(error.relativeFrobenius));
  CHECK(std::isinf(error.maxAbs));
}

TEST_CASE("kernels on the board score like attention computed with them", "[score]") {
  const std::vector<RandomQkv<double>> heads{RandomQkv<double>(24, 24, 4, 3, 5)};
  const std::vector<ScoredMethod> methods{Pattern(Causal{}), KernelMethod{Kernel::Softmax},
                                          KernelMethod{Kernel::Elu1, true},
                                          linearAttentionMethod()};
  const auto scores = scoreBoard<double>(methods, inputOf(heads), {});
  CHECK(scores[1].base == Base::Causal); // like all patterns
  CHECK(scores[1].error->relativeFrobenius == Approx(0).margin(1e-12));
  CHECK(scores[1].recall == Approx(1));
  CHECK(*scores[1].entropy == Approx(*scores[0].entropy));
  CHECK_FALSE(scores[1].pairs);
  CHECK(scores[1].flops == sparseCost(24, 4, 3, 300).flops);
  CHECK(scores[2].error->relativeFrobenius ==
        Approx(scores[3].error->relativeFrobenius)); // elu1 in both directions
  CHECK(scores[2].flops == scores[3].flops);
  CHECK(methodText(methods[2]) == "elu1 kernel, causal");
  CHECK(codeAndSubject([&] {
          scoreBoard<double>({&methods[1], 1}, inputOf(heads, {2.0}), {});
        }) == "E_RANGE scale");
}
