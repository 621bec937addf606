// The k largest scores against sorting all of them.
#include "core/pattern/largest_scores.h"
#include "core/support/philox.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace attention;

namespace {

// Whole numbers of a small range, so that many scores are equal.
Matrix<double> fewValues(Index rows, Index cols, std::uint32_t sub) {
  Matrix<double> m(rows, cols);
  for (Index x = 0; x < rows * cols; ++x)
    m.data()[x] =
        static_cast<double>(philox::below(
            philox::draw({9, philox::Purpose::Data, sub}, static_cast<std::uint64_t>(x)).a, 5)) -
        2;
  return m;
}

std::vector<Index> bySorting(std::vector<double> scores, Index k, const Others& others) {
  std::vector<Index> all(static_cast<std::size_t>(others.end));
  std::iota(all.begin(), all.end(), Index{0});
  std::erase(all, others.without);
  std::stable_sort(all.begin(), all.end(), [&](Index a, Index b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  all.resize(std::min(all.size(), static_cast<std::size_t>(k)));
  std::sort(all.begin(), all.end());
  return all;
}

} // namespace

TEST_CASE("The largest scores of every row are those of a sort with ties to the smaller index",
          "[topk]") {
  const Index rows = GENERATE(1, 64, 70);
  const Index n = GENERATE(1, 65, 1300); // beyond one tile and several cuts
  const Index k = GENERATE(0, 1, 7, 200, 5000);
  const bool causal = GENERATE(false, true);
  const Matrix<double> x = fewValues(rows, 3, 0);
  const Matrix<double> y = fewValues(n, 3, 1);
  const Similarities similarities(
      GENERATE(SimilarityScore::Dot, SimilarityScore::MinusSquaredDistance), y);
  const auto others = [&](Index i) {
    return Others{causal ? std::min(n, 19 * i + 1) : n, i % 2 == 0 ? i : -1};
  };
  const auto found = largestScores(similarities, x.view(), k, others, 2, {});
  REQUIRE(static_cast<Index>(found.size()) == rows);
  std::vector<double> scores(static_cast<std::size_t>(n));
  for (Index i = 0; i < rows; ++i) {
    similarities.compute(x.view().row(i), scores);
    CHECK(found[static_cast<std::size_t>(i)] == bySorting(scores, k, others(i)));
  }
}

TEST_CASE("Infinite scores are chosen like others", "[topk]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LargestScores best(2);
  best.add(0, std::vector<double>{-kInfinity, -kInfinity, -kInfinity});
  CHECK(best.take() == std::vector<Index>{0, 1});
  std::vector<double> many(300, -kInfinity);
  many[250] = kInfinity;
  best.add(0, many);
  CHECK(best.take() == std::vector<Index>{0, 250});
}

TEST_CASE("Scores of any magnitude are chosen as a sort chooses them", "[topk]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Index n = GENERATE(1, 100, 3000);
  const Index k = GENERATE(1, 5, 90, 1000);
  const int kind = GENERATE(range(0, 4));
  std::vector<double> scores;
  for (Index t = 0; t < n; ++t) {
    const double x = philox::normal({11, philox::Purpose::Data, 0}, static_cast<std::uint64_t>(t));
    const double sizes[] = {x, std::pow(10.0, 100 * x), std::round(x) * 0.0, x > 2 ? kInfinity : x};
    scores.push_back(t % 50 == 49 ? -kInfinity : sizes[kind]);
  }
  LargestScores best(k);
  for (int round = 0; round < 2; ++round) { // taking begins again
    for (Index first = 0; first < n; first += 700)
      best.add(first, std::span<const double>(scores).subspan(
                          static_cast<std::size_t>(first),
                          static_cast<std::size_t>(std::min<Index>(700, n - first))));
    CHECK(best.take() == bySorting(scores, k, {n}));
  }
}

TEST_CASE("NaN is never among the largest", "[topk]") {
  std::vector<double> scores(600, std::nan(""));
  for (std::size_t t = 0; t < scores.size(); t += 3)
    scores[t] = static_cast<double>(t);
  LargestScores best(2);
  best.add(0, scores);
  CHECK(best.take() == std::vector<Index>{594, 597});
  // Even if there is room for all.
  const double nan = std::nan("");
  const double least = -std::numeric_limits<double>::infinity();
  LargestScores roomy(5);
  roomy.add(0, std::vector<double>{nan, 3, least, nan, 1});
  CHECK(roomy.take() == std::vector<Index>{1, 2, 4});
  roomy.add(0, std::vector<double>(3, nan));
  CHECK(roomy.take().empty());
}
