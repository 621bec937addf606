// Patterns through the C interface are those of core: the same cells, counts, rows and pictures.
#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/pattern.h"
#include "core/pattern/pattern_json.h"
#include "core/support/json_text.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/c/opened.h"
#include "tests/core/c/plain.h"
#include "tests/core/pattern/random_pattern.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace attention;

namespace {

std::vector<uint8_t> maskOf(const attnx_pattern* pattern, const attnx_rect* rect, Index size) {
  std::vector<uint8_t> mask(static_cast<std::size_t>(size), 2);
  attnx_error error;
  REQUIRE(attnx_pattern_mask(pattern, rect, mask.data(), size, &error) == ATTNX_OK);
  return mask;
}

int64_t countOf(const attnx_pattern* pattern, const attnx_rect* rect) {
  int64_t pairs = -1;
  REQUIRE(attnx_pattern_count(pattern, rect, 1, &pairs, nullptr) == ATTNX_OK);
  return pairs;
}

void requireSame(const attnx_pattern* pattern, const Prepared& core) {
  const Rect all = core.bounds();
  const std::vector<uint8_t> mask = maskOf(pattern, nullptr, all.cells());
  for (Index i = 0; i < all.rowEnd; ++i)
    for (Index j = 0; j < all.keyEnd; ++j)
      REQUIRE((mask[static_cast<std::size_t>(i * all.keyEnd + j)] == 1) == core.contains(i, j));
  REQUIRE(countOf(pattern, nullptr) == core.pairs());
  REQUIRE(std::count(mask.begin(), mask.end(), 1) == core.pairs());
}

} // namespace

TEST_CASE("patterns of index arithmetic have core's cells and counts through C") {
  constexpr Index kTokens = 33;
  Dice dice(5);
  for (std::size_t m = 0; m < allMechanisms().size(); ++m) {
    const Pattern pattern = randomPattern(dice, m, kTokens);
    if (needsData(pattern))
      continue;
    INFO(shortText(pattern));
    const OpenPattern open = opened(toJson(pattern).dump(), kTokens);
    const auto core = prepare(pattern, squareLengths(kTokens));
    requireSame(open.get(), *core);
    const Rect rect = dice.rect(kTokens, kTokens);
    const attnx_rect part{rect.rowBegin, rect.rowEnd, rect.keyBegin, rect.keyEnd};
    CHECK(countOf(open.get(), &part) == core->count(rect));
    const auto mask = maskOf(open.get(), &part, rect.cells());
    CHECK(std::count(mask.begin(), mask.end(), 1) == core->count(rect));
  }
}

TEST_CASE("data-dependent patterns read rows with gaps through C") {
  constexpr Index kTokens = 24;
  Matrix<float> q = randomMatrix<float>(kTokens, 5, 3, 0);
  const Matrix<float> k = randomMatrix<float>(kTokens, 5, 3, 1);
  const std::string json = R"({"mechanism": "topk", "params": {"k": 4}})";
  Matrix<float> wide(kTokens, 9); // the same queries with gaps between the rows
  for (Index i = 0; i < kTokens; ++i)
    std::copy_n(q.view().row(i).data(), 5, wide.view().row(i).data());
  const attnx_tensor queries{wide.data(), 1, kTokens, 5, 0, 9};
  const attnx_tensor keys = tensorOf(k);
  TopK topk;
  topk.k = 4;
  const auto data = [&](const Matrix<float>& of) {
    return patternData<float>(std::as_const(q).view(), of.view());
  };
  const OpenPattern both = opened(json, {kTokens, kTokens, ATTNX_TOP_LEFT}, &queries, &keys);
  const OpenPattern shared = opened(json, {kTokens, kTokens, ATTNX_TOP_LEFT}, &queries);
  const auto ofBoth = prepare(topk, squareLengths(kTokens), data(k));
  const auto ofQueries = prepare(topk, squareLengths(kTokens), data(q));
  wide = Matrix<float>(); // the choice stays
  requireSame(both.get(), *ofBoth);
  requireSame(shared.get(), *ofQueries);
}

TEST_CASE("a row comes through C as ranges, or as their number if they do not fit") {
  const OpenPattern open = opened(R"({"mechanism": "strided", "params": {"stride": 8}})", 64);
  const auto core = prepare(patternNamed("strided"), squareLengths(64));
  attnx_range ranges[4];
  int64_t count = 0;
  REQUIRE(attnx_pattern_row(open.get(), 63, ranges, 4, &count, nullptr) == ATTNX_OK);
  KeyRanges row;
  core->row(63, row);
  REQUIRE(count == static_cast<int64_t>(row.size()));
  REQUIRE(count >= 2);
  for (std::size_t k = 0; k < row.size(); ++k)
    CHECK(KeyRange{ranges[k].begin, ranges[k].end, ranges[k].period, ranges[k].width} == row[k]);
  int64_t without = 0;
  REQUIRE(attnx_pattern_row(open.get(), 63, nullptr, 0, &without, nullptr) == ATTNX_OK);
  CHECK(without == count);
  attnx_range first{-7, -7, -7, -7};
  attnx_range two[2] = {first, first};
  REQUIRE(attnx_pattern_row(open.get(), 63, two, 1, &without, nullptr) == ATTNX_OK);
  CHECK(two[0].begin == ranges[0].begin);
  CHECK(two[1].begin == -7);
}

TEST_CASE("a mask's bytes are the pattern of its cells") {
  constexpr Index kRows = 5;
  constexpr Index kCols = 7;
  std::vector<uint8_t> mask(static_cast<std::size_t>(kRows * kCols), 0);
  for (const std::size_t cell : {0U, 1U, 6U, 7U, 20U, 28U, 34U}) // ends of rows; row 3 is empty
    mask[cell] = 1;
  const attnx_lengths lengths{kRows, kCols, ATTNX_TOP_LEFT};
  attnx_pattern* open = nullptr;
  attnx_error error;
  REQUIRE(attnx_pattern_open_mask(mask.data(), kRows, kCols, &lengths, &open, &error) == ATTNX_OK);
  const OpenPattern pattern(open, &attnx_pattern_close);
  std::vector<uint8_t> found(mask.size(), 9);
  REQUIRE(attnx_pattern_mask(pattern.get(), nullptr, found.data(), std::ssize(found), nullptr) ==
          ATTNX_OK);
  CHECK(found == mask);
  CHECK(countOf(pattern.get(), nullptr) == 7);
}

TEST_CASE("rectangular lengths are aligned through C as they are in core") {
  const std::string json = R"({"mechanism": "causal"})";
  CHECK(countOf(opened(json, {4, 8, ATTNX_TOP_LEFT}).get(), nullptr) == 1 + 2 + 3 + 4);
  CHECK(countOf(opened(json, {4, 8, ATTNX_BOTTOM_RIGHT}).get(), nullptr) == 5 + 6 + 7 + 8);
}

TEST_CASE("a picture through C holds every pair at any length and any number of threads") {
  const Index n = GENERATE(Index{300}, Index{1} << 24);
  const OpenPattern open = opened(R"({"mechanism": "longformer", "params": {"window": 6}})", n);
  std::vector<int64_t> counts(std::size_t{40} * 30, -1);
  std::vector<int64_t> threaded = counts;
  int32_t exact = 0;
  REQUIRE(attnx_pattern_coverage(open.get(), nullptr, 40, 30, 1, counts.data(), &exact, nullptr) ==
          ATTNX_OK);
  CHECK(exact == 1);
  int64_t sum = 0;
  for (const int64_t count : counts)
    sum += count;
  CHECK(sum == countOf(open.get(), nullptr));
  const attnx_rect corner{0, n / 40, 0, n / 30};
  CHECK(counts.front() == countOf(open.get(), &corner));
  REQUIRE(attnx_pattern_coverage(open.get(), nullptr, 40, 30, 3, threaded.data(), &exact,
                                 nullptr) == ATTNX_OK);
  CHECK(threaded == counts);
}

TEST_CASE("a picture through C is the sum of the planes of core") {
  const char* const json =
      GENERATE(R"({"mechanism": "bigbird"})",
               R"({"mechanism": "expr", "params": {"expr": "(i + j) % 3 == 0"}})",
               R"({"mechanism": "causal"})");
  const Index n = GENERATE(Index{77}, Index{20000});
  const OpenPattern open = opened(json, n);
  const auto core = prepare(patternFromJson(parseJson(json, "the pattern")), squareLengths(n));
  const Coverage coverage = computeCoverage(*core, latticeOver(core->bounds(), 19, 23));
  std::vector<int64_t> counts(std::size_t{19} * 23, -1);
  int32_t exact = -1;
  REQUIRE(attnx_pattern_coverage(open.get(), nullptr, 19, 23, 2, counts.data(), &exact, nullptr) ==
          ATTNX_OK);
  CHECK(exact == (coverage.exact ? 1 : 0));
  for (Index a = 0; a < 19; ++a)
    for (Index b = 0; b < 23; ++b)
      REQUIRE(counts[static_cast<std::size_t>(a * 23 + b)] == coverage.total(a, b));
}

TEST_CASE("a program in C gets attention over a pattern") {
  float out[8];
  int64_t pairs = 0;
  attnx_error error;
  REQUIRE(plain_c_attention(out, &pairs, &error) == ATTNX_OK);
  CHECK(std::strlen(error.message) == 0);
  CHECK(pairs == 10);
  CHECK(out[0] == 0.0F);
  const float share = 1 / (1 + std::exp(1 / std::sqrt(2.0F))); // of token 0 in row 1
  CHECK(out[2] == Approx(1 - share).epsilon(1e-5));
  for (int i = 0; i < 4; ++i)
    CHECK(out[2 * i + 1] == Approx(1).epsilon(1e-5));
}
