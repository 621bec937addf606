#include "core/pattern/mechanism/cache.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/pattern.h"
#include "core/support/number_text.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

using namespace attention;

namespace {

std::string why(const std::string& name, const std::string& params, Index n, Index i, Index j) {
  return preparedFrom(name, params, n)->why(i, j).text;
}

} // namespace

TEST_CASE("Reasons state the rule with its numbers", "[why]") {
  CHECK(why("strided", R"({"stride": 11})", 100, 97, 64) == "(97 − 64) mod 11 = 0");
  CHECK(why("local", R"({"window": 4, "causal": true})", 100, 9, 3) == "9 − 3 = 6 > 3");
  CHECK(why("causal", "{}", 100, 3, 5) == "3 − 5 = −2 < 0");
  CHECK(why("longformer", R"({"window": 2, "globals": [5]})", 100, 50, 5) == "key 5 is global");
  CHECK(why("longformer", R"({"window": 2, "globals": [5]})", 100, 5, 50) == "query 5 is global");
  CHECK(why("graph", R"({"edges": [[3, 9]]})", 10, 3, 9) == "(3, 9) is an edge");
  CHECK(why("graph", R"({"kind": "grid", "rows": 3, "cols": 4})", 12, 6, 7) ==
        "cells (1, 2) and (1, 3) are neighbours");
  CHECK(why("document", R"({"lengths": [3, 4, 5]})", 12, 9, 8) == "both in document 2 and 8 ≤ 9");
  CHECK(why("document", R"({"lengths": [3, 4, 5]})", 12, 9, 2) ==
        "query in document 2, key in document 0");
  CHECK(why("vertical_slash", R"({"vertical": [5], "slash": [6]})", 12, 9, 3) ==
        "9 − 3 = 6 is a slash offset");
  CHECK(why("expr", R"({"expr": "j <= i && (i - j) % w == 0", "vars": {"w": 4}})", 12, 9, 5) ==
        "5 <= 9 && (9 - 5) % 4 == 0 is true");
  CHECK(why("given", R"({"mask": {"pairs": [[0, 1]]}})", 2, 0, 1) ==
        "cell (0, 1) of the mask is 1");
}

TEST_CASE("Random blocks say which block row drew them", "[why]") {
  const auto p = preparedFrom("bigbird", R"({"block_size": 2, "random_blocks": 1, "seed": 5})", 16);
  // The specification's drawing: block row 1 drew block 4.
  const Explanation drawn = p->why(2, 8);
  CHECK(drawn.attends);
  CHECK(p->parts()[static_cast<std::size_t>(drawn.part)].name == "random");
  CHECK(drawn.text == "block 4 is one of the random blocks of block row 1");
  CHECK(p->why(2, 6).text.find("block 3 is not one of the random blocks of block row 1") !=
        std::string::npos);
}

TEST_CASE("BigBird as transformers evaluates it says how often a key counts", "[why]") {
  const auto p =
      preparedFrom("bigbird", R"({"block_size": 2, "random_blocks": 3, "reading": "hf_eval"})", 16);
  const std::string four = "block 0 of the key is global and, in transformers' evaluation, the "
                           "random block of every block row, 3 times: the key counts 4 times";
  CHECK(p->why(8, 1).text == four);
  CHECK(p->why(2, 1).text == four);                            // in its window too
  CHECK(p->why(1, 1).text == "block 0 of the key is global");  // of a global row
  CHECK(p->why(8, 14).text == "block 7 of the key is global"); // the last one
  CHECK(p->parts()[static_cast<std::size_t>(p->why(4, 6).part)].name == "window");
}

TEST_CASE("A route's reason names the centroid of both, or those of each", "[why]") {
  Routing routing;
  routing.k = 3;
  routing.window = 4;
  const Index n = 14;
  const PatternData data = randomData(n);
  const Routes routes = routesOf(routing, squareLengths(n), data, {});
  const auto p = prepare(routing, squareLengths(n), data);
  const auto holding = [](const std::vector<std::vector<Index>>& tokens, Index token) {
    std::vector<std::size_t> found;
    for (std::size_t c = 0; c < tokens.size(); ++c)
      if (std::binary_search(tokens[c].begin(), tokens[c].end(), token))
        found.push_back(c);
    return found;
  };
  const auto named = [](const std::vector<std::size_t>& list) {
    std::string words;
    for (const std::size_t c : list)
      words += (words.empty() ? "centroids " : ", ") + std::to_string(c);
    return words.empty() ? std::string("no centroid") : words;
  };
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const auto ofQuery = holding(routes.queries, i);
      const auto ofKey = holding(routes.keys, j);
      const auto both =
          std::find_first_of(ofQuery.begin(), ofQuery.end(), ofKey.begin(), ofKey.end());
      const std::string query = "query " + std::to_string(i);
      const std::string key = "key " + std::to_string(j);
      CHECK(p->why(i, j).text ==
            (both != ofQuery.end()
                 ? "centroid " + std::to_string(*both) + " has " + query + " and " + key +
                       " among the nearest"
                 : query + " goes to " + named(ofQuery) + ", " + key + " to " + named(ofKey)));
    }
}

TEST_CASE("The rank in a reason of top k is among the candidates of the query", "[why]") {
  static const std::regex kRank(" ranks ([0-9]+) of ([0-9]+); ");
  const Index n = 12;
  const PatternData data = randomData(n);
  for (const bool causal : {false, true})
    for (const bool excludeSelf : {false, true}) {
      TopK topk;
      topk.k = 3;
      topk.causal = causal;
      topk.excludeSelf = excludeSelf;
      const auto p = prepare(topk, squareLengths(n), data);
      for (const Index i : {Index{1}, Index{6}, n - 1}) {
        const Index candidates = (causal ? i + 1 : n) - (excludeSelf ? 1 : 0);
        std::set<Index> ranks;
        for (Index j = 0; j < n; ++j) {
          const Explanation why = p->why(i, j);
          std::smatch found;
          const bool candidate = (!causal || j <= i) && (!excludeSelf || j != i);
          REQUIRE(std::regex_search(why.text, found, kRank) == candidate);
          if (!candidate)
            continue;
          CHECK(found[2] == std::to_string(candidates));
          ranks.insert(std::stoll(found[1]));
          CHECK((std::stoll(found[1]) <= topk.k) == why.attends);
        }
        CHECK(static_cast<Index>(ranks.size()) == candidates); // each has its own
      }
    }
}

TEST_CASE("Reasons of hashing say which chunks are adjacent and which wrap", "[why]") {
  Lsh lsh;
  lsh.buckets = IndexList{2};
  lsh.rounds = 2;
  lsh.chunk = 3;
  lsh.within = Lsh::Within::Chunk;
  lsh.lookback = Lsh::Lookback::WrapAll;
  const Index n = 12;
  const auto p = prepare(lsh, squareLengths(n), randomData(n));
  static const std::regex kChunks("chunk ([0-9]+) (sees|does not see) chunk ([0-9]+)");
  Index beside = 0;
  Index wrapped = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Explanation why = p->why(i, j);
      INFO(why.text);
      for (std::sregex_iterator at(why.text.begin(), why.text.end(), kChunks), end; at != end;
           ++at) {
        const Index query = std::stoll((*at)[1]);
        const Index key = std::stoll((*at)[3]);
        CHECK((key == query || key == query - 1) == ((*at)[2] == "sees"));
        ++beside;
      }
      if (why.text.find("look-back wraps into the last chunk of the round before") !=
          std::string::npos) {
        CHECK(why.attends);
        ++wrapped;
      }
    }
  CHECK(beside > 0);
  CHECK(wrapped > 0);
}

namespace {

// The weights that query i gives to the keys that `p` has there, in their order.
std::vector<std::pair<Index, double>> weightsOf(const Prepared& p, const PatternData& data,
                                                Index i) {
  std::vector<std::pair<Index, double>> weights;
  double sum = 0;
  for (Index j = 0; j <= i; ++j) {
    if (!p.contains(i, j))
      continue;
    double score = 0;
    for (Index c = 0; c < data.q->cols(); ++c)
      score += (*data.q)(i, c) * (*data.k)(j, c);
    weights.emplace_back(j, std::exp(score / std::sqrt(static_cast<double>(data.q->cols()))));
    sum += weights.back().second;
  }
  for (auto& [key, weight] : weights)
    weight /= sum;
  return weights;
}

} // namespace

TEST_CASE("A cache says before which query a key was evicted, and what it lost against", "[why]") {
  const Index n = 30;
  const auto q = randomMatrix<double>(n, 3, 7, 0);
  const auto k = randomMatrix<double>(n, 3, 7, 1);
  const PatternData data = patternData<double>(q.view(), k.view(), false);
  Cache cache;
  cache.policy = GENERATE(Cache::Policy::H2O, Cache::Policy::Tova);
  const bool sums = cache.policy == Cache::Policy::H2O;
  cache.prompt = 6;
  if (sums)
    cache.heavy = cache.recent = 3;
  else
    cache.budget = 5;
  const auto p = prepare(cache, squareLengths(n), data);
  int evicted = 0;
  std::vector<double> received(static_cast<std::size_t>(n));
  for (Index i = 0; i + 1 < n; ++i) {
    const auto weights = weightsOf(*p, data, i);
    for (const auto& [key, weight] : weights)
      received[static_cast<std::size_t>(key)] += weight;
    if (i < *cache.prompt - 1)
      continue;
    const auto weighed = [&](Index key, double weight) {
      return sums ? received[static_cast<std::size_t>(key)] : weight;
    };
    Index rival = -1; // of the keys that stay, without the recent ones
    double least = 0;
    for (const auto& [key, weight] : weights)
      if (p->contains(i + 1, key) && !(sums && key > i - *cache.recent) &&
          (rival < 0 || weighed(key, weight) <= least)) {
        rival = key;
        least = weighed(key, weight);
      }
    for (const auto& [key, weight] : weights) {
      if (p->contains(i + 1, key))
        continue;
      ++evicted;
      const std::string text =
          ": evicted before query " + std::to_string(i + 1) + ": its " +
          (sums ? std::string("summed weight ") : "weight from query " + std::to_string(i) + ", ") +
          readableNumber(weighed(key, weight)) + " < " + readableNumber(least) + " of key " +
          std::to_string(rival) + ", the lightest that stayed";
      for (const Index later : {i + 1, n - 1})
        CHECK(p->why(later, key).text == "key " + std::to_string(key) +
                                             " is not in the cache at query " +
                                             std::to_string(later) + text);
    }
  }
  CHECK(evicted > 15);
}

TEST_CASE("Before the first eviction a key that is not recent is not called so", "[why]") {
  Cache cache;
  cache.heavy = 4;
  cache.recent = 3;
  cache.prompt = 2;
  const auto p = prepare(cache, squareLengths(20), randomData(20));
  CHECK(p->why(5, 2).text == "key 2 is in the cache at query 5: recent");
  CHECK(p->why(5, 1).text == "key 1 is in the cache at query 5: nothing has been evicted yet");
  CHECK(p->why(7, 0).text == "key 0 is in the cache at query 7: nothing has been evicted yet");
  CHECK(p->why(19, 18).text == "key 18 is in the cache at query 19: recent");
  cache.reading = Cache::Reading::Masked;
  const auto masked = prepare(cache, squareLengths(20), randomData(20));
  CHECK(masked->why(5, 3).text == "key 3 is in the cache at query 5: recent");
  CHECK(masked->why(5, 2).text == "key 2 is in the cache at query 5: nothing is hidden yet");
}

TEST_CASE("Caches that weigh nothing, or hide keys only, say so", "[why]") {
  Cache streaming;
  streaming.policy = Cache::Policy::Streaming;
  streaming.sinks = 2;
  streaming.recent = 4;
  CHECK(prepare(streaming, squareLengths(20))->why(15, 5).text ==
        "key 5 is not in the cache at query 15: evicted before query 9: it is neither one of the "
        "first 2 nor of the latest 4");
  const PatternData data = randomData(20);
  Cache snap;
  snap.policy = Cache::Policy::SnapKv;
  snap.prompt = 12;
  snap.budget = 6;
  snap.window = 2;
  const auto snapped = prepare(snap, squareLengths(20), data);
  Cache masked;
  masked.reading = Cache::Reading::Masked;
  masked.heavy = masked.recent = 3;
  const auto hidden = prepare(masked, squareLengths(20), data);
  int told = 0;
  for (Index i = 12; i < 20; ++i)
    for (Index j = 0; j < i; ++j) {
      if (!snapped->contains(i, j))
        CHECK(snapped->why(i, j).text.find(": evicted before query 12: its pooled weight ") !=
              std::string::npos);
      if (!hidden->contains(i, j)) {
        const std::string text = hidden->why(i, j).text;
        CHECK(text.find(": hidden since query ") != std::string::npos);
        told += text.find("its summed weight ") != std::string::npos ? 1 : 0;
      }
    }
  CHECK(told > 0);
}
