// The scores that mechanisms say they chose by (S20 – S29) against plain sums, and the choice
// against the scores.
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>

using namespace attention;

namespace {

struct Chooser {
  const char* name;
  const char* params;
  bool largest = true; // of a row, in the order of the scores
};

const std::vector<Chooser>& choosers() {
  static const std::vector<Chooser> kAll{
      {"moba", R"({"block_size": 5, "top_k": 3})"},
      {"nsa", R"({"compress_block": 4, "compress_stride": 2, "select_block": 4,
                  "select_count": 4, "window": 3})"},
      {"dsa", R"({"k": 6})"},
      {"msa", R"({"block_size": 4, "top_k": 3, "local_blocks": 1})"},
      {"quest", R"({"page_size": 4, "token_budget": 12})"},
      {"quest", R"({"page_size": 4, "token_budget": 13, "reading": "evaluation"})"},
      {"xattention", R"({"block_size": 4, "stride": 2, "threshold": 0.7})"},
      {"xattention", R"({"block_size": 4, "stride": 2, "threshold": 0.7, "first_chunk": 16})"},
      {"xattention", R"({"block_size": 4, "stride": 2, "threshold": 0.7, "causal": false})"},
      {"flexprefill", R"({"block_size": 4, "gamma": 0.5, "tau": 0})", false},
      {"flexprefill", R"({"block_size": 4, "gamma": 0.5, "tau": 10})"},
      {"sparge", R"({"block_q": 4, "block_k": 5, "similarity": 0.1, "cdf": 0.7})"},
      {"block_topk", R"({"block_size": 4, "top_k": 3, "sink_blocks": 1, "local_blocks": 1})"},
      {"topk", R"({"k": 6, "causal": true})"},
      {"topk", R"({"k": 6, "metric": "euclidean", "exclude_self": true})"}};
  return kAll;
}

struct Chosen {
  PatternData data;
  std::shared_ptr<const Prepared> pattern;
};

Chosen chosenBy(const Chooser& by, Index n, std::uint64_t seed) {
  const auto q = randomMatrix<double>(n, 4, seed, 0);
  const auto k = randomMatrix<double>(n, 4, seed, 1);
  const PatternData data = patternData<double>(q.view(), k.view());
  return {data, prepare(patternFrom(by.name, by.params), squareLengths(n), data)};
}

std::vector<double> rowOf(const Prepared& pattern, Index a) {
  const ChosenBlocks blocks(pattern);
  std::vector<double> scores(static_cast<std::size_t>(blocks.keyBlocks()), -7);
  pattern.choice()->scores->row(a, scores);
  return scores;
}

double dot(const Matrix<double>& a, Index i, const Matrix<double>& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.cols(); ++c)
    sum += a(i, c) * b(j, c);
  return sum;
}

} // namespace

TEST_CASE("What is chosen has the largest scores, and what is forced is there", "[choosers]") {
  const Chooser& by = GENERATE(from_range(choosers()));
  const Index n = GENERATE(1, 9, 33, 64);
  const std::uint64_t seed = GENERATE(1U, 2U);
  INFO(by.name << " " << by.params << ", n = " << n);
  const auto [data, pattern] = chosenBy(by, n, seed);
  REQUIRE(pattern->choice());
  REQUIRE(pattern->choice()->scores);
  const ChoiceScores& scores = *pattern->choice()->scores;
  CHECK_FALSE(scores.name.empty());
  CHECK_FALSE(scores.rule.empty());
  const ChosenBlocks blocks(*pattern);
  for (Index a = 0; a < blocks.queryBlocks(); ++a) {
    INFO("block " << a << " of queries");
    const std::vector<double> row = rowOf(*pattern, a);
    double least = std::numeric_limits<double>::infinity(); // of what is chosen
    double most = -least;                                   // of what is not
    for (Index c = 0; c < blocks.keyBlocks(); ++c) {
      const double score = row[static_cast<std::size_t>(c)];
      INFO("block " << c << " of keys: " << score);
      if (c >= blocks.candidates(a)) {
        CHECK(std::isnan(score));
        CHECK_FALSE(blocks.contains(a, c));
      } else if (scores.forced(a, c)) {
        CHECK(blocks.contains(a, c));
      } else if (blocks.contains(a, c)) {
        CHECK_FALSE(std::isnan(score));
        least = std::min(least, score);
      } else if (!std::isnan(score)) {
        most = std::max(most, score);
      }
    }
    if (by.largest && std::string(by.params).find("tau") == std::string::npos)
      CHECK(least >= most);
  }
}

TEST_CASE("Query-aware blocks of all rows together have the largest scores", "[choosers]") {
  const auto [data, pattern] =
      chosenBy({"flexprefill", R"({"block_size": 4, "gamma": 0.5, "tau": 10})"}, 64, 3);
  const ChosenBlocks blocks(*pattern);
  double least = 1;
  double most = 0;
  for (Index a = 0; a < blocks.queryBlocks(); ++a)
    for (Index c = 0; c <= a; ++c) {
      if (pattern->choice()->scores->forced(a, c))
        continue;
      const double score = rowOf(*pattern, a)[static_cast<std::size_t>(c)];
      if (blocks.contains(a, c))
        least = std::min(least, score);
      else
        most = std::max(most, score);
    }
  CHECK(least >= most);
}

TEST_CASE("Scores of MoBA are products with mean keys", "[choosers]") {
  const auto [data, pattern] = chosenBy(choosers().front(), 23, 5);
  for (Index i = 0; i < 23; ++i) {
    const std::vector<double> row = rowOf(*pattern, i);
    REQUIRE(row.size() == 5);
    for (Index c = 0; c < 5; ++c) {
      double mean = 0;
      for (Index j = 5 * c; j < std::min<Index>(23, 5 * c + 5); ++j)
        mean += dot(*data.q, i, *data.k, j) / 5;
      if (c < i / 5)
        CHECK(row[static_cast<std::size_t>(c)] == Approx(mean));
      else
        CHECK(std::isnan(row[static_cast<std::size_t>(c)]));
    }
  }
}

TEST_CASE("Scores of top-k and of the indexer are products", "[choosers]") {
  const auto [name, relu] = GENERATE(table<const char*, bool>({{"topk", false}, {"dsa", true}}));
  const auto [data, pattern] =
      chosenBy({name, relu ? R"({"k": 3})" : R"({"k": 3, "causal": true})"}, 12, 7);
  for (Index i = 0; i < 12; ++i) {
    const std::vector<double> row = rowOf(*pattern, i);
    for (Index j = 0; j <= i; ++j) {
      const double product = dot(*data.q, i, *data.k, j);
      CHECK(row[static_cast<std::size_t>(j)] == Approx(relu ? std::max(product, 0.0) : product));
    }
  }
}

TEST_CASE("Mechanisms that rank nothing of a row have no scores there", "[choosers]") {
  const auto empty = [](const std::vector<double>& row) {
    return std::all_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
  };
  const auto [data, own] = chosenBy({"moba", R"({"block_size": 5, "top_k": 1})"}, 23, 5);
  CHECK(empty(rowOf(*own, 22)));
  CHECK(own->choice()->scores->rule == "none");
  const auto kernel = chosenBy({"quest", R"({"page_size": 4, "token_budget": 12})"}, 23, 5);
  CHECK(empty(rowOf(*kernel.pattern, 11))); // three pages: all fit
  CHECK_FALSE(empty(rowOf(*kernel.pattern, 12)));
  const auto dense = chosenBy({"flexprefill", R"({"block_size": 16})"}, 23, 5);
  CHECK(empty(rowOf(*dense.pattern, 1)));
  CHECK(dense.pattern->choice()->scores->forced(1, 0));
}
