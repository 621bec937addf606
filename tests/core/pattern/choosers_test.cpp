// What ties the mechanisms of S20 – S30 to one another and to what they chose by: their limits, the
// masks of the last queries, arrays, counts in closed form, refusals.
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

namespace {

PatternData normalData(Index queries, Index keys, Index d, std::uint64_t seed) {
  const auto q = randomMatrix<double>(queries, d, seed, 0);
  const auto k = randomMatrix<double>(keys, d, seed, 1);
  return patternData<double>(q.view(), k.view());
}

MatrixSource arrayOf(const Matrix<double>& m, IndexList shape) {
  return {"", std::move(shape), m.values()};
}

void requireEqual(const Prepared& a, const Prepared& b) {
  for (Index i = 0; i < a.lengths().queries; ++i)
    for (Index j = 0; j < a.lengths().keys; ++j)
      if (a.contains(i, j) != b.contains(i, j))
        FAIL("cell (" << i << ", " << j << "): " << a.contains(i, j));
  CHECK(a.pairs() == b.pairs());
}

std::string codeOn(const std::string& name, const std::string& params, const PatternData& data,
                   const Lengths& lengths) {
  return codeOf([&] { prepare(patternFrom(name, params), lengths, data); });
}

} // namespace

TEST_CASE("Choosers of single keys are top-k", "[choosers]") {
  const Index n = GENERATE(1, 7, 30);
  const PatternData data = normalData(n, n, 4, 3);
  const auto of = [&](const char* name, const char* params) {
    return prepare(patternFrom(name, params), squareLengths(n), data);
  };
  const auto topk = of("topk", R"({"k": 5, "causal": true})");
  requireEqual(*of("dsa", R"({"k": 5, "activation": "none"})"), *topk);
  requireEqual(*of("msa", R"({"block_size": 1, "top_k": 5, "local_blocks": 0})"), *topk);
  requireEqual(*of("quest", R"({"page_size": 1, "token_budget": 5, "reading": "evaluation"})"),
               *topk);
}

TEST_CASE("The pairs of MoBA do not depend on the data", "[choosers]") {
  const Index n = GENERATE(1, 22, 64, 65);
  const Index b = GENERATE(1, 5, 8);
  const Index k = GENERATE(1, 2, 4);
  Index pairs = 0;
  for (Index i = 0; i < n; ++i)
    pairs += std::min(k - 1, i / b) * b + i % b + 1;
  CHECK(prepare(Moba{b, k}, squareLengths(n), normalData(n, n, 3, 5))->pairs() == pairs);
}

TEST_CASE("A budget that the forced blocks fill says so", "[choosers]") {
  const auto tells = [](const char* params, const char* words) {
    const PatternData data = normalData(16, 16, 3, 5);
    const auto p = prepare(patternFrom("msa", params), squareLengths(16), data);
    return p->why(13, 1).text.find(words) != std::string::npos;
  };
  CHECK(tells(R"({"block_size": 4, "top_k": 1, "local_blocks": 1})",
              "; none is taken, as those always attended fill the budget"));
  CHECK(tells(R"({"block_size": 4, "top_k": 2, "local_blocks": 1})", "the top one is attended"));
}

TEST_CASE("A streaming cache has sinks and a window", "[choosers]") {
  const Index n = GENERATE(1, 3, 40);
  const auto [order, reading] =
      GENERATE(table<const char*, const char*>({{"before", "exclusive"}, {"after", "inclusive"}}));
  Pattern cache = patternFrom("cache", R"({"policy": "streaming", "sinks": 3, "recent": 6})");
  set(cache, "order", std::string(order));
  Pattern sinks = patternFrom("sinks", R"({"sinks": 3, "window": 6})");
  set(sinks, "reading", std::string(reading));
  const auto p = prepare(cache, squareLengths(n));
  requireEqual(*p, *prepare(sinks, squareLengths(n)));
  CHECK(p->choice()->flops == 0);
}

TEST_CASE("The last queries have the rows that they have among all", "[choosers][rectangular]") {
  const auto [name, params] = GENERATE(table<const char*, const char*>(
      {{"dsa", R"({"k": 4})"},
       {"msa", R"({"block_size": 4, "top_k": 2})"},
       {"quest", R"({"page_size": 4, "token_budget": 9})"},
       {"quest", R"({"page_size": 4, "token_budget": 13, "reading": "evaluation"})"},
       {"xattention", R"({"block_size": 4, "stride": 2, "threshold": 0.6})"}}));
  INFO(name << " " << params);
  const Index n = 24;
  const Index last = 8;
  const PatternData all = normalData(n, n, 5, 7);
  Matrix<double> q(last, 5);
  for (Index i = 0; i < last; ++i)
    for (Index c = 0; c < 5; ++c)
      q(i, c) = (*all.q)(n - last + i, c);
  const Pattern pattern = patternFrom(name, params);
  const auto square = prepare(pattern, squareLengths(n), all);
  const auto some = prepare(pattern, alignedLengths(last, n, Align::BottomRight),
                            patternData<double>(std::as_const(q).view(), all.k->view()));
  for (Index i = 0; i < last; ++i)
    for (Index j = 0; j < n; ++j)
      REQUIRE(some->contains(i, j) == square->contains(n - last + i, j));
  CHECK(mayBeRectangular(pattern));
}

TEST_CASE("Queries before the first key choose nothing, those after the last one among all",
          "[choosers][rectangular]") {
  const PatternData data = normalData(9, 6, 3, 11);
  for (const char* name : {"dsa", "msa", "quest"}) {
    INFO(name);
    const Pattern pattern = patternNamed(name);
    const auto early = prepare(pattern, alignedLengths(9, 6, Align::BottomRight), data);
    for (Index i = 0; i < 3; ++i)
      CHECK(early->rowCount(i, 0, 6) == 0);
    CHECK(early->rowCount(3, 0, 6) == 1);
    const auto late = prepare(pattern, alignedLengths(9, 6, Align::TopLeft), data);
    for (Index i = 5; i < 9; ++i)
      CHECK(late->rowCount(i, 0, 6) == 6);
  }
}

TEST_CASE("Without causality no alignment matters", "[choosers][rectangular]") {
  const PatternData data = normalData(9, 6, 3, 13);
  for (const char* name : {"xattention", "sparge"}) {
    Pattern pattern = patternNamed(name);
    set(pattern, "causal", false);
    CHECK(ignoresAlignment(pattern));
    const auto one = prepare(pattern, alignedLengths(9, 6, Align::TopLeft), data);
    const auto other = prepare(pattern, alignedLengths(9, 6, Align::BottomRight), data);
    requireEqual(*one, *other);
    CHECK(one->pairs() > 0);
  }
}

TEST_CASE("An indexer's arrays take the place of queries and keys", "[choosers]") {
  const Index n = 12;
  const PatternData data = normalData(n, n, 4, 17);
  PatternData swapped{data.k, data.q};
  swapped.arrays.emplace("index_q", arrayOf(*data.q, {n, 4}));
  swapped.arrays.emplace("index_k", arrayOf(*data.k, {n, 4}));
  for (const char* name : {"dsa", "msa"}) {
    const Pattern pattern = patternFrom(
        name, name == std::string("dsa") ? R"({"k": 3})" : R"({"block_size": 2, "top_k": 2})");
    const auto plain = prepare(pattern, squareLengths(n), data);
    const auto indexed = prepare(pattern, squareLengths(n), swapped);
    requireEqual(*plain, *indexed);
    CHECK(plain->why(11, 0).text.find("stand-in") != std::string::npos);
    CHECK(indexed->why(11, 0).text.find("stand-in") == std::string::npos);
    CHECK(plain->choice()->flops == indexed->choice()->flops);
  }
}

TEST_CASE("Arrays of an indexer that do not fit are refused", "[choosers]") {
  const Index n = 6;
  const auto code = [&](std::map<std::string, MatrixSource> arrays, const char* params = "{}",
                        const char* name = "dsa") {
    PatternData data = normalData(n, n, 2, 19);
    data.arrays = std::move(arrays);
    return codeOn(name, params, data, squareLengths(n));
  };
  const auto ones = [](Index rows, Index columns) {
    return arrayOf(Matrix<double>(rows, columns), {rows, columns});
  };
  CHECK(code({{"index_q", ones(n, 3)}, {"index_k", ones(n, 3)}}) == "none");
  CHECK(code({{"index_q", ones(n, 3)}}) == "E_TYPE");
  CHECK(code({{"index_k", ones(n, 3)}}) == "E_TYPE");
  CHECK(code({{"index_w", ones(n, 1)}}) == "E_TYPE");
  CHECK(code({{"index_q", ones(n, 3)}, {"index_k", ones(n, 2)}}) == "E_SHAPE");
  CHECK(code({{"index_q", ones(n - 1, 3)}, {"index_k", ones(n, 3)}}) == "E_SHAPE");
  CHECK(code({{"index_q", ones(n, 3)}, {"index_k", ones(n, 3)}, {"index_w", ones(n, 2)}}) ==
        "E_SHAPE");
  CHECK(code({{"index_q", ones(n, 3)}, {"index_k", ones(n, 3)}}, R"({"index_dim": 2})") ==
        "E_RANGE");
  CHECK(code({}, R"({"index_dim": 3})") == "E_RANGE");
  const MatrixSource twoHeads = arrayOf(Matrix<double>(n, 6), {n, 2, 3});
  CHECK(code({{"index_q", twoHeads}, {"index_k", ones(n, 3)}}) == "none");
  CHECK(code({{"index_q", twoHeads}, {"index_k", ones(n, 3)}}, "{}", "msa") == "E_SHAPE");
}

TEST_CASE("What a mechanism of blocks cannot be is refused by its code", "[choosers]") {
  const PatternData data = normalData(8, 8, 2, 23);
  const auto code = [&](const char* name, const char* params) {
    return codeOn(name, params, data, squareLengths(8));
  };
  CHECK(code("cache", R"({"policy": "tova", "heavy": 3})") == "E_UNKNOWN");
  CHECK(code("cache", R"({"policy": "tova", "reading": "drop"})") == "E_UNKNOWN");
  CHECK(code("cache", R"({"heavy": 0, "recent": 0})") == "E_RANGE");
  CHECK(code("cache", R"({"reading": "masked", "recent": 0})") == "E_RANGE");
  CHECK(code("cache", R"({"policy": "snapkv", "budget": 4, "window": 4})") == "E_RANGE");
  CHECK(code("cache", R"({"policy": "streaming", "sinks": 0, "recent": 0})") == "E_RANGE");
  CHECK(code("sparge", R"({"cdf": 0.9, "ratio": 0.5})") == "E_RANGE");
  CHECK(code("nsa", R"({"gates": [1, 2]})") == "E_SHAPE");
  CHECK(code("nsa", R"({"gates": [1, 2, "3"]})") == "E_TYPE");
  CHECK(code("moba", R"({"causal": true})") == "E_UNKNOWN");
  const Lengths wide = alignedLengths(4, 8, Align::BottomRight);
  const PatternData some = normalData(4, 8, 2, 29);
  for (const char* name : {"moba", "nsa", "flexprefill", "block_topk", "cache"})
    CHECK(codeOn(name, "{}", some, wide) == "E_SHAPE");
  CHECK(codeOn("sparge", R"({"causal": true})", some, wide) == "E_SHAPE");
  CHECK(codeOn("xattention", "{}", some, wide) == "E_SHAPE"); // 4 more keys are no whole block
  CHECK(codeOn("xattention", R"({"block_size": 4, "stride": 2})", some, wide) == "none");
  CHECK(codeOn("xattention", R"({"block_size": 4, "stride": 2})", some,
               alignedLengths(4, 8, Align::TopLeft)) == "E_SHAPE");
}

TEST_CASE("Parameters of another policy are dropped where the policy is changed", "[choosers]") {
  Pattern cache = patternFrom("cache", R"({"heavy": 3, "recent": 2})");
  set(cache, "policy", std::string("streaming"));
  CHECK(codeOf([&] { check(cache, squareLengths(8)); }) == "E_UNKNOWN");
  dropUnread(cache);
  CHECK(cache == patternFrom("cache", R"({"policy": "streaming", "recent": 2})"));
}

TEST_CASE("Every attended cell of a chooser is in one part", "[choosers]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  for (int seed = 0; seed < 10; ++seed) {
    Dice dice(800000 + 100 * mechanism + seed);
    const Index n = dice.within(1, 30);
    const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
    const auto p = prepare(pattern, squareLengths(n), randomData(n));
    if (!p->choice() || pattern.is<Nsa>()) // the parts of nsa may overlap
      return;
    INFO(shortText(pattern) << ", n = " << n);
    const ChosenBlocks blocks(*p);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        int parts = 0;
        for (std::size_t part = 0; part < p->parts().size(); ++part)
          parts += p->contains(part, i, j) ? 1 : 0;
        REQUIRE(parts == (p->contains(i, j) ? 1 : 0));
        const Index a = i / p->choice()->queryBlock;
        const Index c = j / p->choice()->keyBlock;
        const bool permitted = !p->choice()->causal || j <= i;
        REQUIRE(p->contains(i, j) == (permitted && blocks.contains(a, c)));
        REQUIRE((!permitted || c < blocks.candidates(a)));
      }
  }
}

TEST_CASE("Evictions are the first queries that miss a key", "[choosers]") {
  const auto p =
      preparedFrom("cache", R"({"policy": "streaming", "sinks": 1, "recent": 3, "prompt": 2})", 9);
  CHECK(evictedAt(*p) == std::vector<Index>{-1, 4, 5, 6, 7, 8, -1, -1, -1});
}
