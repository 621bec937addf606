// What attnx lsh reports, computed again from the buckets that it names (S6, S13).
#include "tests/app/cli/run_cli.h"

#include "core/input/generators.h"
#include "core/input/npy_writer.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attention;
using namespace attention::cli;

namespace {

constexpr Index kN = 24;
constexpr Index kD = 4;
constexpr std::size_t kRounds = 3;
constexpr std::size_t kClosest = 5;
using Keys = std::set<Index>;

Matrix<double> queries() {
  RandomInput random;
  random.n = kN;
  random.d = kD;
  random.heads = 2;
  random.seed = 3;
  return randomMatrix<double>(random, Role::Query, 1, 1);
}

// Logits of shared queries and keys whose length is √d: x_i·x_j / |x_j|, softmax over all keys.
Matrix<double> denseWeights() {
  const Matrix<double> x = queries();
  Matrix<double> weights(kN, kN);
  for (Index i = 0; i < kN; ++i) {
    double sum = 0;
    for (Index j = 0; j < kN; ++j) {
      double dot = 0;
      double square = 0;
      for (Index c = 0; c < kD; ++c) {
        dot += x(i, c) * x(j, c);
        square += x(j, c) * x(j, c);
      }
      sum += weights(i, j) = std::exp(dot / std::sqrt(square + kD * 1e-6));
    }
    for (Index j = 0; j < kN; ++j)
      weights(i, j) /= sum;
  }
  return weights;
}

// The largest of a row except the query's own.
Keys closestOthers(const Matrix<double>& weights, Index i) {
  std::vector<Index> others;
  for (Index j = 0; j < kN; ++j)
    if (j != i)
      others.push_back(j);
  std::sort(others.begin(), others.end(),
            [&](Index a, Index b) { return weights(i, a) > weights(i, b); });
  return {others.begin(), others.begin() + kClosest};
}

// The others in a query's bucket of a round.
Keys sharing(const nlohmann::json& buckets, Index i) {
  Keys keys;
  for (Index j = 0; j < kN; ++j)
    if (j != i &&
        buckets.at(static_cast<std::size_t>(j)) == buckets.at(static_cast<std::size_t>(i)))
      keys.insert(j);
  return keys;
}

double massOf(const Matrix<double>& weights, Index i, const Keys& keys) {
  double mass = 0;
  for (const Index j : keys)
    mass += weights(i, j);
  return mass / kN;
}

} // namespace

TEST_CASE("lsh reports what its buckets show, round by round and together", "[cli]") {
  const auto said = attnx("lsh --random gaussian --n 24 --d 4 --heads 2 --seed 3 --head-index 1 "
                          "--n-buckets 8 --n-rounds 3 --within bucket --recall-keys 5 --json")
                        .json();
  const Matrix<double> weights = denseWeights();
  std::size_t pairs = 0;
  double mass = 0;
  double recall = 0;
  for (Index i = 0; i < kN; ++i) {
    Keys seen;
    for (const auto& buckets : said["buckets"])
      seen.merge(sharing(buckets, i));
    REQUIRE_FALSE(seen.empty()); // no query falls back to itself
    pairs += seen.size();
    mass += massOf(weights, i, seen);
    for (const Index j : closestOthers(weights, i))
      recall += seen.count(j) > 0 ? 1.0 / (kClosest * kN) : 0;
  }
  CHECK(said["pairs"] == pairs);
  CHECK(said["empty_rows"].empty());
  CHECK(said["captured_mass"].get<double>() == Approx(mass).epsilon(1e-9));
  CHECK(said["recall"].get<double>() == Approx(recall));
  REQUIRE(said["rounds"].size() == kRounds);
  std::size_t alone = 0;
  for (std::size_t r = 0; r < kRounds; ++r) {
    std::size_t shown = 0;
    double kept = 0;
    for (Index i = 0; i < kN; ++i) {
      const Keys keys = sharing(said["buckets"][r], i);
      alone += keys.empty() ? 1U : 0U;
      shown += keys.size();
      kept += massOf(weights, i, keys);
    }
    CHECK(said["rounds"][r]["pairs"] == shown);
    CHECK(said["rounds"][r]["captured_mass"].get<double>() == Approx(kept).epsilon(1e-9));
  }
  CHECK(alone > 0); // a query that a round leaves without other keys has none in it
}

TEST_CASE("lsh needs values for outputs only", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.npy");
  writeNpy<double>(file, queries());
  const std::string line = "lsh --n-buckets 4 --q " + file + " --k " + file;
  const auto without = attnx(line + " --json").json();
  const auto with = attnx(line + " --json --v " + file).json();
  CHECK(without["output_error"].is_null());
  CHECK(with["output_error"]["max_abs"].get<double>() > 0);
  for (const char* same : {"pairs", "captured_mass", "recall", "empty_rows", "rounds"})
    CHECK(without[same] == with[same]);
  CHECK(attnx(line).out.find("output error") == std::string::npos);
  CHECK(attnx(line + " --v " + file).out.find("output error") != std::string::npos);
  const Said refused = attnx(line + " -o " + folder.file("out.npy"));
  CHECK(refused.code == 2);
  CHECK(refused.err.find("E_TYPE: v is missing; ") != std::string::npos);
  CHECK(attnx(line + " -o " + folder.file("report.json")).code == 0);
}
