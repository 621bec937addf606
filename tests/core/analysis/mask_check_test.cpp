// The report on a mask against a look at every cell, and identification.
#include "core/analysis/check/mask_check.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <random>

using namespace attention;

namespace {

using Json = nlohmann::json;

// As T12 defines it, with a look at every cell.
MaskReport reportByCells(const Prepared& mask) {
  const Lengths& lengths = mask.lengths();
  MaskReport report;
  report.queries = lengths.queries;
  report.keys = lengths.keys;
  const Index off = lengths.keys - lengths.queries;
  std::vector<bool> used(static_cast<std::size_t>(lengths.keys));
  for (Index i = 0; i < lengths.queries; ++i) {
    Index keys = 0;
    for (Index j = 0; j < lengths.keys; ++j) {
      if (!mask.contains(i, j))
        continue;
      ++keys;
      used[static_cast<std::size_t>(j)] = true;
      if (j > i + off && report.futureCells++ == 0)
        report.firstFuture = {i, j};
    }
    report.pairs += keys;
    if (keys == 0)
      report.emptyRows.push_back(i);
    if (i + off < 0 || !mask.contains(i, i + off))
      report.rowsWithoutSelf.push_back(i);
  }
  for (Index j = 0; j < lengths.keys; ++j)
    if (!used[static_cast<std::size_t>(j)])
      report.unusedKeys.push_back(j);
  for (Index b = std::min(lengths.queries, lengths.keys); b > 1 && report.constantTile == 1; --b) {
    bool constant = true;
    for (Index i = 0; i < lengths.queries; ++i)
      for (Index j = 0; j < lengths.keys; ++j)
        constant = constant && mask.contains(i, j) == mask.contains(i / b * b, j / b * b);
    report.constantTile = constant ? b : 1;
  }
  if (lengths.queries == lengths.keys) {
    report.asymmetricPairs = 0;
    for (Index i = 0; i < lengths.queries; ++i)
      for (Index j = 0; j < i; ++j)
        if (mask.contains(i, j) != mask.contains(j, i) && (*report.asymmetricPairs)++ == 0)
          report.firstAsymmetric = {i, j};
  }
  return report;
}

void checkSame(const MaskReport& got, const MaskReport& wanted) {
  CHECK(got.pairs == wanted.pairs);
  CHECK(got.futureCells == wanted.futureCells);
  CHECK(got.firstFuture == wanted.firstFuture);
  CHECK(got.emptyRows == wanted.emptyRows);
  CHECK(got.unusedKeys == wanted.unusedKeys);
  CHECK(got.rowsWithoutSelf == wanted.rowsWithoutSelf);
  CHECK(got.constantTile == wanted.constantTile);
  CHECK(got.asymmetricPairs == wanted.asymmetricPairs);
  CHECK(got.firstAsymmetric == wanted.firstAsymmetric);
}

// "#" attends.
std::shared_ptr<const Prepared> drawn(const std::vector<std::string>& rows) {
  Json cells = Json::array();
  for (const std::string& row : rows) {
    cells.push_back(Json::array());
    for (const char c : row)
      cells.back().push_back(c == '#');
  }
  const auto pattern = patternFrom("given", Json{{"mask", cells}}.dump());
  const auto queries = static_cast<Index>(rows.size());
  const auto keys = static_cast<Index>(rows[0].size());
  return prepare(pattern, queries == keys ? squareLengths(keys)
                                          : alignedLengths(queries, keys, Align::TopLeft));
}

std::vector<std::string> randomRows(std::mt19937& random, int queries, int keys) {
  // Now and then of constant tiles, empty rows, a triangle.
  const int tile = 1 + static_cast<int>(random() % 3);
  const unsigned often = 2 + static_cast<unsigned>(random() % 4);
  const bool triangle = random() % 2 == 0;
  std::vector<std::string> rows(static_cast<std::size_t>(queries),
                                std::string(static_cast<std::size_t>(keys), '.'));
  for (int i = 0; i < queries; i += tile)
    for (int j = 0; j < keys; j += tile) {
      const char cell = random() % often == 0 ? '#' : '.';
      for (int y = i; y < std::min(i + tile, queries); ++y)
        for (int x = j; x < std::min(j + tile, keys); ++x)
          if (!triangle || x <= y)
            rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = cell;
    }
  return rows;
}

std::string namesOf(const std::shared_ptr<const Prepared>& mask) {
  std::string names;
  for (const Match& match : identify(mask))
    names += (names.empty() ? "" : " ") + match.mechanism;
  return names;
}

} // namespace

TEST_CASE("a report is what a look at every cell finds", "[check]") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 400; ++trial) {
    const int queries = 1 + static_cast<int>(random() % 9);
    const int keys = trial % 2 == 0 ? queries : 1 + static_cast<int>(random() % 9);
    const auto mask = drawn(randomRows(random, queries, keys));
    checkSame(maskReport(*mask), reportByCells(*mask));
  }
  for (const char* name : {"causal", "full", "strided", "longformer", "sinks", "bigbird"}) {
    const auto mask = prepare(patternNamed(name), squareLengths(40));
    INFO(name);
    checkSame(maskReport(*mask), reportByCells(*mask));
  }
}

TEST_CASE("a mask is found again with the parameters that it was made with", "[check]") {
  const auto found = [](const std::string& name, const std::string& params, Index n) {
    const auto mask = preparedFrom(name, params, n);
    for (const Match& match : identify(mask))
      if (match.mechanism == name)
        return Json(match.params) == Json::parse(params);
    return false;
  };
  CHECK(found("local", R"({"window": 5, "causal": true})", 40));
  CHECK(found("sliding_window", R"({"left": 3, "right": 7})", 40));
  CHECK(found("dilated", R"({"left": 3, "right": 2, "dilation": 4})", 40));
  CHECK(found("block_local", R"({"block_size": 6, "before": 1, "after": 0, "causal": true})", 40));
  CHECK(found("block_local", R"({"block_size": 6, "before": 0, "after": 2, "causal": false})", 40));
  CHECK(found("document", R"({"lengths": [7, 20, 13], "causal": true})", 40));
  CHECK(found("prefix_lm", R"({"prefix": 9})", 40));
  CHECK(found("sinks", R"({"sinks": 2, "window": 9})", 40));
  CHECK(found("strided", R"({"stride": 6, "head": "union", "causal": true})", 40));
  CHECK(found("strided", R"({"stride": 6, "head": 2, "causal": false})", 40));
  CHECK(found("fixed", R"({"stride": 8, "c": 2, "subblock": 1, "head": "union", "causal": true})",
              40));
  CHECK(found("fixed", R"({"stride": 8, "c": 2, "subblock": 0, "head": 2, "causal": true})", 44));
  CHECK(found("longformer", R"({"window": 6, "globals": [0, 17], "causal": false})", 40));
  CHECK(found("vertical_slash", R"({"vertical": [0, 9], "slash": [0, 1, 5]})", 40));
  CHECK(found("spans", R"({"spans": [[3, 5], [8, 2], [20, 9]]})", 40));
  CHECK(found("spans", R"({"spans": [[3, 5], [20, 9]], "window": 7})", 40));
  CHECK(found("block_diffusion", R"({"block_size": 3})", 40));
  CHECK(found("tree", R"({"parents": [-1, 0, 0, 1, 2, -1, 5, 4]})", 8));
}

TEST_CASE("all families that hold are listed, and masks of none have none", "[check]") {
  CHECK(namesOf(drawn({"...", "...", "..."})) == "empty");
  CHECK(namesOf(drawn({"#"})).rfind("full causal local", 0) == 0);
  CHECK(namesOf(prepare(patternNamed("causal"), squareLengths(6))) ==
        "causal local block_local strided vertical_slash");
  CHECK(namesOf(drawn({"#..#", "##..", "#.#.", ".###"})).empty());
  CHECK(codeOf([] { identify(drawn({"##", "##", "##"})); }) == "E_SHAPE");
}

TEST_CASE("long masks are checked in moments", "[check]") {
  const Index n = Index{1} << 16;
  const auto mask =
      prepare(patternFrom("sinks", R"({"sinks": 4, "window": 512})"), squareLengths(n));
  const MaskCheck check = checkMask(mask);
  CHECK(check.report.pairs == mask->pairs());
  REQUIRE_FALSE(check.matches->empty());
  CHECK(check.matches->front().mechanism == "sinks");
}

TEST_CASE("masks of too many tokens are refused", "[check]") {
  CHECK(messageOf([] { checkMask(prepare(patternNamed("causal"), squareLengths(kMaxLength))); }) ==
        "n is 1073741824; it must be at most 16777216 here");
}

TEST_CASE("masks of one shape are compared however they are aligned", "[check]") {
  const auto top = prepare(patternNamed("causal"), alignedLengths(2, 6, Align::TopLeft));
  const auto bottom = prepare(patternNamed("causal"), alignedLengths(2, 6, Align::BottomRight));
  const MaskCheck check = checkMask(top, {bottom, {}});
  CHECK(check.against->onlyFirst == 0);
  CHECK(check.against->onlySecond == 8);
  CHECK(check.against->firstKey == 1);
  CHECK_FALSE(check.matches);
  CHECK(codeOf([&] {
          checkMask(top, {prepare(patternNamed("causal"), squareLengths(6)), {}});
        }) == "E_SHAPE");
}

TEST_CASE("padding is seen by rows of other tokens, and has rows of its own", "[check]") {
  const std::vector<Index> positions{0, 3};
  const PaddingReport padding = paddingReport(*drawn({"#...", ".#.#", ".##.", "...."}), positions);
  CHECK(padding.seenCells == 1);
  CHECK(padding.firstSeen == IndexPair{1, 3});
  CHECK(padding.activeRows == std::vector<Index>{0});
  const std::vector<Index> outside{4};
  CHECK(messageOf([&] {
          paddingReport(*drawn({"#...", "....", "....", "...."}), outside);
        }) == "padding is 4; it must be a list of keys from 0 to 3");
}
