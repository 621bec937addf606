// Mechanisms that lay tokens out, and LongNet (T1 – T7): what they refuse, in which words, and what
// their lists mean.
#include "core/attention/attend.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern_json.h"

#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace attention;

namespace {

using Json = nlohmann::json;

std::string codeFor(const std::string& mechanism, const Json& params, Index n) {
  return codeOf([&] {
    prepare(patternFromJson({{"mechanism", mechanism}, {"params", params}}), squareLengths(n));
  });
}

std::string refusal(const std::string& mechanism, const std::string& params, Index n) {
  try {
    prepare(patternFromJson({{"mechanism", mechanism}, {"params", Json::parse(params)}}),
            squareLengths(n));
  } catch (const Error& error) {
    return error.text();
  }
  return "accepted";
}

Index pairs(const std::string& mechanism, const std::string& params, Index n) {
  return prepare(patternFromJson({{"mechanism", mechanism}, {"params", Json::parse(params)}}),
                 squareLengths(n))
      ->pairs();
}

} // namespace

TEST_CASE("every error of the reference cases has its code", "[layouts]") {
  std::ifstream file(std::filesystem::path(ATTENTION_TEST_DATA) /
                     "golden/static/errors-static.json");
  const Json cases = Json::parse(file);
  int checked = 0;
  for (const Json& item : cases["items"]) {
    if (!item.contains("mechanism") || item.contains("export"))
      continue;
    INFO(item.dump());
    CHECK(codeFor(item["mechanism"], item["params"], item["n"]) == item["expected"]["error"]);
    ++checked;
  }
  CHECK(checked == 8);
}

TEST_CASE("required parameters, exclusive ones and misfits are refused with their codes",
          "[layouts]") {
  struct Case {
    const char* mechanism;
    const char* params;
    const char* code;
  };
  const auto c = GENERATE(
      Case{"neighborhood", R"({"kernel": 3})", "E_TYPE"},
      Case{"neighborhood", R"({"shape": [12]})", "E_TYPE"},
      Case{"neighborhood", R"({"shape": 12, "kernel": 3})", "E_TYPE"},
      Case{"neighborhood", R"({"shape": [], "kernel": 3})", "E_RANGE"},
      Case{"neighborhood", R"({"shape": [1, 1, 3, 4], "kernel": 3})", "E_RANGE"},
      Case{"neighborhood", R"({"shape": [3, 4], "kernel": 0})", "E_RANGE"},
      Case{"neighborhood", R"({"shape": [3, 4], "kernel": [3]})", "E_SHAPE"},
      Case{"neighborhood", R"({"shape": [3, 4], "kernel": 3, "causal": [true]})", "E_SHAPE"},
      Case{"neighborhood", R"({"shape": [3, 4], "kernel": 3, "causal": [1, 0]})", "E_TYPE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 3, "reading": "gym", "stride": 2})",
           "E_RANGE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 3, "reading": "gym", "dilation": 2})",
           "E_RANGE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 3, "reading": "gym", "causal": true})",
           "E_RANGE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 4, "reading": "sta"})", "E_TYPE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 4, "layout": "tile"})", "E_TYPE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 4, "reading": "sta", "tile": 5})",
           "E_RANGE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 5, "reading": "sta", "tile": 4})",
           "E_RANGE"},
      Case{"neighborhood", R"({"shape": [10], "kernel": 3, "text": 2})", "E_RANGE"},
      Case{"neighborhood", R"({"shape": [12], "kernel": 3, "reading": "swin"})", "E_RANGE"},
      Case{"block_diffusion", "{}", "E_TYPE"},
      Case{"block_diffusion", R"({"block_size": 0})", "E_RANGE"},
      Case{"block_diffusion", R"({"block_size": 2, "part": "test"})", "E_RANGE"},
      Case{"spans", "{}", "E_TYPE"}, Case{"spans", R"({"spans": [], "ids": [1]})", "E_TYPE"},
      Case{"spans", R"({"spans": [[0, 0]]})", "E_RANGE"},
      Case{"spans", R"({"spans": [[-1, 3]]})", "E_RANGE"},
      Case{"spans", R"({"spans": [[8, 5]]})", "E_RANGE"},
      Case{"spans", R"({"spans": [[5, 2], [1, 2]]})", "E_RANGE"},
      Case{"spans", R"({"spans": [[5, 2, 1]]})", "E_TYPE"},
      Case{"spans", R"({"ids": [0, 0, 1]})", "E_SHAPE"},
      Case{"spans", R"({"spans": [], "window": 0})", "E_RANGE"}, Case{"tree", "{}", "E_TYPE"},
      Case{"tree", R"({"parents": [-1], "paths": []})", "E_TYPE"},
      Case{"tree", R"({"parents": [-1, 0], "prefix": 9})", "E_RANGE"},
      Case{"tree", R"({"parents": [-2], "prefix": 11})", "E_RANGE"},
      Case{"tree", R"({"paths": [[0], [0]], "prefix": 9})", "E_RANGE"},
      Case{"tree", R"({"paths": [[0], [1, 0]], "prefix": 9})", "E_RANGE"},
      Case{"tree", R"({"paths": [[]], "prefix": 10})", "E_TYPE"},
      Case{"tree", R"({"paths": [[-1]], "prefix": 10})", "E_TYPE"},
      Case{"tree", R"({"paths": [0], "prefix": 10})", "E_TYPE"},
      Case{"radial", R"({"frames": 3})", "E_TYPE"},
      Case{"radial", R"({"frames": 3, "tokens_per_frame": 5, "reading": "token"})", "E_RANGE"},
      Case{"radial", R"({"frames": 3, "tokens_per_frame": 4, "block_size": 5})", "E_RANGE"},
      Case{"radial", R"({"frames": 3, "tokens_per_frame": 4, "block_size": 4, "decay": 0})",
           "E_RANGE"},
      Case{"radial", R"({"frames": 3, "tokens_per_frame": 4, "block_size": 4, "split": 0})",
           "E_RANGE"},
      Case{"dilated_segments", R"({"segments": [4]})", "E_TYPE"},
      Case{"dilated_segments", R"({"segments": [], "dilations": []})", "E_SHAPE"},
      Case{"dilated_segments", R"({"segments": [0], "dilations": [1]})", "E_RANGE"},
      Case{"dilated_segments", R"({"segments": [4], "dilations": [2], "head": 1})", "E_RANGE"},
      Case{"dilated_segments", R"({"segments": [4], "dilations": [2], "combine": "mean"})",
           "E_RANGE"});
  INFO(c.mechanism << " " << c.params);
  CHECK(codeFor(c.mechanism, Json::parse(c.params), 12) == c.code);
}

TEST_CASE("an error says which list does not fit, and what would", "[layouts]") {
  CHECK(refusal("neighborhood", R"({"shape": [3, 4], "kernel": [3, 3, 3]})", 12) ==
        "E_SHAPE: kernel has 3 values; it must have one, or one for each of the 2 axes of shape");
  CHECK(refusal("neighborhood", R"({"shape": [3, 5], "kernel": 3})", 12) ==
        "E_RANGE: shape is one of more than n tokens; it must be one of n = 12 tokens");
  CHECK(refusal("spans", R"({"spans": [[2, 3], [4, 2]]})", 8) ==
        "E_RANGE: spans is a list with [4, 2] after token 4; it must be ascending and without "
        "overlaps, from token 0 on");
  CHECK(refusal("tree", R"({"parents": [-1, 2, 0]})", 3) ==
        "E_RANGE: parents is a list with 2 for node 1; it must be a list of earlier nodes, −1 for "
        "a root");
  CHECK(refusal("tree", R"({"paths": [[1, 0]]})", 2) ==
        "E_RANGE: paths is a list with [1, 0] but not the path to its parent; it must be a list "
        "with every beginning of its paths");
  CHECK(refusal("block_diffusion", R"({"block_size": 2})", 7) ==
        "E_RANGE: n is 7; it must be even where part is train: a noised half and a clean half");
  CHECK(refusal("dilated_segments", R"({"segments": [4], "dilations": [1, 2]})", 8) ==
        "E_SHAPE: dilations has 2 values for 1 segment length; both must have one for each "
        "branch");
}

TEST_CASE("one value stands for all axes, and lists are written as they were given", "[layouts]") {
  const auto written = [](const char* params) {
    return toJson(patternFromJson(
        {{"mechanism", "neighborhood"}, {"params", Json::parse(params)}}))["params"]
        .dump();
  };
  CHECK(written(R"({"shape": [3, 4], "kernel": 3, "causal": [true, false]})") ==
        R"({"shape":[3,4],"kernel":3,"causal":[true,false]})");
  CHECK(written(R"({"shape": [3, 4], "kernel": [3, 1], "causal": true, "tile": 1})") ==
        R"({"shape":[3,4],"kernel":[3,1],"causal":true,"tile":1})");
  CHECK(pairs("neighborhood", R"({"shape": [3, 4], "kernel": 3})", 12) ==
        pairs("neighborhood", R"({"shape": [3, 4], "kernel": [3, 3]})", 12));
  const Json paths{{"mechanism", "tree"}, {"params", {{"paths", {{0}, {0, 1}}}, {"prefix", 4}}}};
  CHECK(Json(toJson(patternFromJson(paths))) == paths);
}

TEST_CASE("unsorted paths and recurring ids have the cells of the specification", "[layouts]") {
  // Medusa: the root, then [0], [1], [0, 0].
  CHECK(parentsOf(Tree{{}, PathList{{0, 0}, {1}, {0}}}) == std::vector<Index>{-1, 0, 0, 1});
  const Spans recurring{{}, IndexList{0, -1, 0, 0}, {}};
  CHECK(prepare(recurring, squareLengths(4))->pairs() == 10 + 3); // (0, 2), (0, 3), (2, 3)
  // Two tokens are not more than the window, though they are further apart.
  const Spans apart{{}, IndexList{0, -1, -1, 0}, 2, Spans::Reading::Drop};
  CHECK(prepare(apart, squareLengths(4))->contains(3, 0));
}

TEST_CASE("LongNet's figure counts shared keys as often as branches have them", "[layouts]") {
  DilatedSegments of{IndexList{4, 8, 16}, IndexList{1, 2, 4}};
  const auto p = prepare(of, squareLengths(16));
  REQUIRE(p->parts().size() == 3);
  CHECK(p->outputs().combine == Combine::Lse);
  CHECK(p->pairs() == 88);
  // Key 0 is in all three branches of query 0, key 2 in two, key 1 in one.
  CHECK(p->why(0, 0).text == "both in segment 0 of 4, at positions that are 0 mod 1, in 3 "
                             "branches: the key counts as often");
  CHECK(p->why(0, 1).text == "both in segment 0 of 4, at positions that are 0 mod 1");
  KeyRanges ranges;
  p->repeatRow(0, 0, 0, ranges);
  CHECK(ranges == KeyRanges{{0, 3, 2, 1}});
  of.combine = Combine::Union;
  CHECK(prepare(of, squareLengths(16))->outputs() == Outputs{});
}

TEST_CASE("reasons of layouts insert the numbers of the cell", "[layouts]") {
  const auto why = [](const std::string& mechanism, const std::string& params, Index n, Index i,
                      Index j) {
    return prepare(patternFromJson({{"mechanism", mechanism}, {"params", Json::parse(params)}}),
                   squareLengths(n))
        ->why(i, j)
        .text;
  };
  const std::string canvas = R"({"shape": [4, 8], "kernel": 3})";
  CHECK(why("neighborhood", canvas, 32, 9, 18) ==
        "query at (1, 1), key at (2, 2); axis 0: 2 within 0 … 2; axis 1: 2 within 0 … 2");
  CHECK(why("neighborhood", canvas, 32, 9, 13) == "query at (1, 1), key at (1, 5); axis 1: 5 > 2");
  CHECK(why("neighborhood", R"({"shape": [12], "kernel": 3, "dilation": 2})", 12, 4, 5) ==
        "5 mod 2 ≠ 4 mod 2");
  CHECK(why("block_diffusion", R"({"block_size": 2})", 12, 4, 8) ==
        "noised block 2, clean block 1: 1 < 2");
  CHECK(why("block_diffusion", R"({"block_size": 2})", 12, 8, 4) ==
        "a clean query sees no noised key");
  CHECK(why("spans", R"({"spans": [[2, 4]]})", 8, 3, 5) == "both in span 0");
  CHECK(why("tree", R"({"parents": [-1, 0, 0], "prefix": 2})", 5, 4, 3) ==
        "key 3 is a node after the prefix of 2 (prefix); node 1 is no ancestor of node 2 at "
        "depth 2 (tree)");
  CHECK(why("radial", R"({"frames": 4, "tokens_per_frame": 3, "split": 2, "block_size": 1,
                          "reading": "token"})",
            12, 9, 5) == "frames 3 and 1, positions 0 and 2: 2 > 1");
}

TEST_CASE("heads of LongNet take turns with the shift", "[layouts]") {
  const DilatedSegments of{IndexList{8}, IndexList{4}, 2, 4};
  const auto p = prepare(of, squareLengths(16));
  CHECK(p->contains(2, 6));
  CHECK_FALSE(p->contains(0, 4));
  CHECK(p->pairs() == 2 * 4);
}

namespace {

// How often each query of a pattern counts each key.
using Times = std::function<Index(Index i, Index j)>;

void checkCountedAttention(const Pattern& pattern, Index n, const Times& times) {
  INFO(shortText(pattern) << ", n = " << n);
  const auto p = prepare(pattern, squareLengths(n));
  const RandomQkv<double> in(n, n, 4, 2, 5);
  const Attention<double> result = attend(*p, in.qView(), in.kView(), in.vView());
  for (Index i = 0; i < n; ++i) {
    std::array<double, 2> out{};
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      CHECK(p->contains(i, j) == (times(i, j) > 0));
      double score = 0;
      for (Index c = 0; c < 4; ++c)
        score += in.q(i, c) * in.k(j, c) / 2;
      const double weight = static_cast<double>(times(i, j)) * std::exp(score);
      sum += weight;
      for (Index c = 0; c < 2; ++c)
        out[static_cast<std::size_t>(c)] += weight * in.v(j, c);
    }
    for (Index c = 0; c < 2; ++c)
      CHECK(result.out(i, c) ==
            Approx(sum > 0 ? out[static_cast<std::size_t>(c)] / sum : 0.0).margin(1e-12));
    if (sum > 0)
      CHECK(result.lse[static_cast<std::size_t>(i)] == Approx(std::log(sum)).margin(1e-12));
  }
}

} // namespace

TEST_CASE("BigBird as transformers evaluates it counts block 0 once more for each random block",
          "[layouts]") {
  const Index n = GENERATE(24, 23, 8);
  BigBird bigbird;
  bigbird.reading = BigBird::Reading::HfEval;
  bigbird.blockSize = 4;
  bigbird.windowBlocks = GENERATE(1, 3, 5); // from 3 on, block 0 is in the window of row 1
  bigbird.randomBlocks = GENERATE(0, 1, 3);
  const Index last = (n - 1) / 4;
  checkCountedAttention(bigbird, n, [&](Index i, Index j) -> Index {
    const Index row = i / 4;
    const Index block = j / 4;
    if (row == 0 || row == last)
      return 1;
    if (block == 0)
      return 1 + bigbird.randomBlocks;
    return block == last || std::abs(row - block) <= bigbird.windowBlocks / 2 ? 1 : 0;
  });
  BigBird plain = bigbird;
  plain.reading = BigBird::Reading::Paper;
  plain.randomBlocks = 0;
  CHECK(prepare(bigbird, squareLengths(n))->pairs() == prepare(plain, squareLengths(n))->pairs());
}

TEST_CASE("LongNet's branches count shared keys whether or not they nest", "[layouts]") {
  const Index n = 61;
  struct Case {
    IndexList segments;
    IndexList dilations;
  };
  const auto& [segments, dilations] =
      GENERATE(Case{{4, 8, 16, 32}, {1, 2, 4, 8}}, Case{{8, 16, 32}, {1, 4, 6}},
               Case{{2, 4, 8, 16, 32}, {1, 2, 4, 6, 12}}, Case{{9, 14, 40}, {2, 3, 4}},
               Case{{6, 6}, {2, 3}});
  DilatedSegments of{segments, dilations};
  of.causal = GENERATE(false, true);
  checkCountedAttention(of, n, [&](Index i, Index j) {
    Index times = 0;
    for (std::size_t k = 0; k < segments.size(); ++k) {
      const Index w = segments[k];
      const Index r = dilations[k];
      times += i / w == j / w && i % w % r == 0 && j % w % r == 0 && (j <= i || !of.causal) ? 1 : 0;
    }
    return times;
  });
}
