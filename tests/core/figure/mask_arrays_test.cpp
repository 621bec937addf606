// The arrays that kernels take for a mask, turned back into cells as each library reads them.
#include "core/code/arrays/mask_arrays.h"
#include "core/input/array_file.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <filesystem>
#include <random>
#include <unistd.h>

using namespace attention;

namespace {

using Json = nlohmann::json;
using Grid = std::vector<std::vector<bool>>;

Grid cellsOf(const Prepared& mask) {
  Grid cells;
  for (Index i = 0; i < mask.lengths().queries; ++i) {
    cells.emplace_back();
    for (Index j = 0; j < mask.lengths().keys; ++j)
      cells.back().push_back(mask.contains(i, j));
  }
  return cells;
}

Grid emptyCells(Index queries, Index keys) {
  return Grid(static_cast<std::size_t>(queries), std::vector<bool>(static_cast<std::size_t>(keys)));
}

struct Mask {
  Pattern pattern;
  Lengths lengths;

  Mask(const std::string& name, const std::string& params, Index n)
      : pattern(patternFrom(name, params)), lengths(squareLengths(n)) {}
  Mask(const std::string& name, const std::string& params, const Lengths& of)
      : pattern(patternFrom(name, params)), lengths(of) {}

  std::shared_ptr<const Prepared> prepared() const { return prepare(pattern, lengths); }
  Grid cells() const { return cellsOf(*prepared()); }
  Json arrays(ArrayFormat format, const BlockSize& block = {}) const {
    return toJson(maskArrays(format, pattern, *prepared(), block));
  }
  // Nothing where the format cannot say the mask.
  std::optional<Json> arraysIfAny(ArrayFormat format) const {
    try {
      return arrays(format);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::Range);
      return std::nullopt;
    }
  }
};

std::vector<Mask> masks(Index n) {
  std::vector<Mask> all;
  for (const auto& [name, params] : {std::pair("causal", "{}"),
                                     {"full", "{}"},
                                     {"local", R"({"window": 3, "causal": true})"},
                                     {"sliding_window", R"({"left": 2, "right": 4})"},
                                     {"strided", R"({"stride": 3})"},
                                     {"sinks", R"({"sinks": 2, "window": 3})"},
                                     {"longformer", R"({"window": 2, "globals": [0]})"},
                                     {"block_local", R"({"block_size": 3, "before": 1})"},
                                     {"prefix_lm", R"({"prefix": 3})"},
                                     {"expr", R"({"expr": "(i * j) % 3 == 1"})"},
                                     {"expr", R"({"expr": "0"})"}})
    all.emplace_back(name, params, n);
  return all;
}

// ---- as libraries read them ----

Grid cellsOfTiles(const Json& arrays, const std::string& kind, Index rows, Index columns) {
  Grid tiles = emptyCells(rows, columns);
  for (std::size_t r = 0; r < tiles.size(); ++r)
    for (Index k = 0; k < arrays[kind + "kv_num_blocks"][r].get<Index>(); ++k)
      tiles[r][arrays[kind + "kv_indices"][r][static_cast<std::size_t>(k)].get<std::size_t>()] =
          true;
  return tiles;
}

Grid cellsOfBlocks(const Json& arrays, Index queries, Index keys, const BlockSize& block) {
  Grid cells = emptyCells(queries, keys);
  const Json& begins = arrays["indptr"];
  for (std::size_t row = 0; row + 1 < begins.size(); ++row)
    for (auto k = begins[row].get<std::size_t>(); k < begins[row + 1].get<std::size_t>(); ++k)
      for (Index i = 0; i < block.queries; ++i)
        for (Index j = 0; j < block.keys; ++j) {
          const Index query = static_cast<Index>(row) * block.queries + i;
          const Index key = arrays["indices"][k].get<Index>() * block.keys + j;
          const bool attends =
              arrays["blocks"][k][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
          if (query < queries)
            cells[static_cast<std::size_t>(query)][static_cast<std::size_t>(key)] = attends;
          else
            CHECK_FALSE(attends); // padding below the last query
        }
  return cells;
}

Grid cellsOfFlashMask(const Json& arrays, Index n) {
  Grid cells(static_cast<std::size_t>(n), std::vector<bool>(static_cast<std::size_t>(n), true));
  const bool causal = arrays["causal"];
  const bool ends = arrays["bounds"] == (causal ? 2 : 4);
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const std::vector<Index> x = arrays["indices"][j];
    const auto hide = [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        cells[static_cast<std::size_t>(i)][j] = false;
    };
    hide(x[0], ends ? x[1] : n);
    if (causal)
      hide(0, static_cast<Index>(j));
    else if (ends)
      hide(x[2], x[3]);
    else
      hide(0, x[1]);
  }
  return cells;
}

Grid cellsOfSlices(const Json& arrays, Index n) {
  Grid cells = emptyCells(n, n);
  for (const std::vector<Index> s : arrays["slices"]) {
    const Index type = s[4];
    for (Index i = s[0]; i < s[1]; ++i)
      for (Index j = s[2]; j < s[3]; ++j) {
        const Index d = j - i;
        if ((type & 1) != 0 && d > s[3] - s[1])
          continue;
        if ((type & 2) != 0 && d < s[2] - s[0])
          continue;
        CHECK_FALSE(cells[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
        cells[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = true;
      }
  }
  return cells;
}

} // namespace

TEST_CASE("a BlockMask has the tiles of the mask, by rows and by columns", "[arrays]") {
  for (const Index n : {1, 7, 12})
    for (const Mask& mask : masks(n))
      for (const BlockSize block : {BlockSize{2, 3}, {3, 2}, {1, 1}, {128, 128}}) {
        INFO(shortText(mask.pattern)
             << ", n " << n << ", " << block.queries << " x " << block.keys);
        const Json arrays = mask.arrays(ArrayFormat::BlockMask, block);
        const Index rows = ceilDiv(n, block.queries);
        const Index columns = ceilDiv(n, block.keys);
        const Grid partial = cellsOfTiles(arrays, "", rows, columns);
        const Grid full = cellsOfTiles(arrays, "full_", rows, columns);
        for (Index r = 0; r < rows; ++r)
          for (Index c = 0; c < columns; ++c) {
            const Index pairs = mask.prepared()->count(
                {r * block.queries, (r + 1) * block.queries, c * block.keys, (c + 1) * block.keys});
            const auto row = static_cast<std::size_t>(r);
            const auto column = static_cast<std::size_t>(c);
            CHECK(full[row][column] == (pairs == block.queries * block.keys));
            CHECK(partial[row][column] == (pairs > 0 && pairs < block.queries * block.keys));
          }
        // Every line lists all tiles, and columns hold the same ones as rows.
        for (const std::string kind : {"", "full_"}) {
          std::size_t byColumns = 0;
          for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
            CHECK(arrays[kind + "q_indices"][c].size() == static_cast<std::size_t>(rows));
            byColumns += arrays[kind + "q_num_blocks"][c].get<std::size_t>();
          }
          std::size_t byRows = 0;
          for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
            byRows += arrays[kind + "kv_num_blocks"][r].get<std::size_t>();
          CHECK(byRows == byColumns);
        }
      }
}

TEST_CASE("block sparse rows hold the cells of the mask", "[arrays]") {
  for (const Mask& mask : masks(12))
    for (const BlockSize block : {BlockSize{5, 3}, {1, 1}, {4, 12}}) {
      INFO(shortText(mask.pattern));
      CHECK(cellsOfBlocks(mask.arrays(ArrayFormat::Bsr, block), 12, 12, block) == mask.cells());
    }
  const Mask wide("causal", "{}", alignedLengths(3, 8, Align::BottomRight));
  CHECK(cellsOfBlocks(wide.arrays(ArrayFormat::Bsr, {2, 4}), 3, 8, {2, 4}) == wide.cells());
}

TEST_CASE("FlashMask's rows are the masked ones, in the first form that fits", "[arrays]") {
  int fitting = 0;
  for (const Index n : {1, 2, 7, 12})
    for (const Mask& mask : masks(n)) {
      INFO(shortText(mask.pattern) << ", n " << n);
      const auto arrays = mask.arraysIfAny(ArrayFormat::FlashMask);
      if (arrays)
        CHECK(cellsOfFlashMask(*arrays, n) == mask.cells());
      fitting += arrays ? 1 : 0;
    }
  CHECK(fitting > 30);
  const auto form = [](const std::string& name, const std::string& params) {
    const Json arrays = Mask(name, params, 8).arrays(ArrayFormat::FlashMask);
    return std::pair(arrays["causal"].get<bool>(), arrays["bounds"].get<int>());
  };
  CHECK(form("local", R"({"window": 3, "causal": true})") == std::pair(true, 1));
  CHECK(form("expr", R"({"expr": "j <= i && (i == 7 || i - j < 2) == 1"})") == std::pair(true, 2));
  CHECK(form("sliding_window", R"({"left": 2, "right": 1})") == std::pair(false, 2));
  CHECK(form("longformer", R"({"window": 2, "globals": [3]})") == std::pair(false, 4));
}

TEST_CASE("random columns of at most two masked runs survive FlashMask", "[arrays]") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 9);
    Json rows = Json::array();
    for (int i = 0; i < n; ++i) {
      rows.push_back(Json::array());
      for (int j = 0; j < n; ++j)
        rows.back().push_back(random() % 4 != 0);
    }
    const Mask mask("given", Json{{"mask", rows}}.dump(), n);
    const auto fits = [&] {
      for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
        int runs = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
          runs += !rows[i][j] && (i == 0 || rows[i - 1][j]) ? 1 : 0;
        if (runs > 2)
          return false;
      }
      return true;
    }();
    INFO(rows.dump());
    if (fits)
      CHECK(cellsOfFlashMask(mask.arrays(ArrayFormat::FlashMask), n) == mask.cells());
    else
      CHECK(codeOf([&] { mask.arrays(ArrayFormat::FlashMask); }) == "E_RANGE");
  }
}

TEST_CASE("MagiAttention's slices cover the mask once", "[arrays]") {
  int sliced = 0;
  for (const Index n : {1, 2, 5, 12}) {
    std::vector<Mask> all = masks(n);
    for (Index a = 0; a < 5; ++a)
      for (Index b = 0; b < 5; ++b)
        all.emplace_back("sliding_window",
                         Json{{"left", a == 4 ? -1 : a}, {"right", b == 4 ? n : b}}.dump(), n);
    all.emplace_back("document", Json{{"lengths", {n - 1, 0, 1}}}.dump(), n);
    all.emplace_back("block_local", R"({"block_size": 2, "before": 1, "after": 2})", n);
    all.emplace_back("block_local", R"({"block_size": 4, "before": 1, "causal": true})", n);
    for (Index b = 1; n % 2 == 0 && b < 5; ++b)
      all.emplace_back("block_diffusion", Json{{"block_size", b}}.dump(), n);
    for (const Mask& mask : all) {
      INFO(shortText(mask.pattern) << ", n " << n);
      const auto arrays = mask.arraysIfAny(ArrayFormat::Magi);
      if (arrays)
        CHECK(cellsOfSlices(*arrays, n) == mask.cells());
      sliced += arrays ? 1 : 0;
    }
  }
  CHECK(sliced > 120);
}

TEST_CASE("offsets are those of contiguous documents", "[arrays]") {
  const auto offsets = [](const std::string& params) {
    return Mask("document", params, 6).arrays(ArrayFormat::CuSeqlens);
  };
  CHECK(offsets(R"({"lengths": [2, 0, 4]})") ==
        Json::parse(R"({"cu_seqlens": [0, 2, 6], "max_seqlen": 4, "causal": true})"));
  CHECK(offsets(R"({"ids": [5, 5, 5, 1, 1, 1], "causal": false})") ==
        Json::parse(R"({"cu_seqlens": [0, 3, 6], "max_seqlen": 3, "causal": false})"));
  CHECK(codeOf([&] { offsets(R"({"ids": [0, 1, 0, 1, 0, 1]})"); }) == "E_RANGE");
  CHECK(codeOf([&] { offsets(R"({"lengths": [3, 3], "prefix": 2})"); }) == "E_RANGE");
}

TEST_CASE("masks and blocks that a format cannot say are refused in a sentence", "[arrays]") {
  const auto message = [](const Mask& mask, ArrayFormat format, const BlockSize& block = {}) {
    return messageOf([&] { mask.arrays(format, block); });
  };
  CHECK(message(Mask("strided", R"({"stride": 2, "head": 2})", 9), ArrayFormat::FlashMask) ==
        "mask is one whose rows that do not see key 1 form more than two runs; it must be one with "
        "at most two per key for flashmask");
  CHECK(message(Mask("causal", "{}", 9), ArrayFormat::Bsr, {2, 4}) ==
        "block is 4 in keys; it must be a divisor of their number, 9, for bsr");
  CHECK(message(Mask("causal", "{}", 9), ArrayFormat::BlockMask, {0, 4}) ==
        "block is 0; it must be at least 1 in both directions");
  CHECK(message(Mask("causal", "{}", Index{1} << 20), ArrayFormat::BlockMask, {1, 1})
            .find("block is too small: kv_indices would have 1099511627776 values") == 0);
  CHECK(message(Mask("strided", "{}", 9), ArrayFormat::Magi).find("mask is strided") == 0);
  CHECK(message(Mask("causal", "{}", kMaxLength), ArrayFormat::CuSeqlens) ==
        "n is 1073741824; it must be at most 16777216 here");
  const Mask wide("causal", "{}", alignedLengths(2, 6, Align::BottomRight));
  for (const ArrayFormat format :
       {ArrayFormat::FlashMask, ArrayFormat::Magi, ArrayFormat::CuSeqlens})
    CHECK(codeOf([&] { wide.arrays(format); }) == "E_SHAPE");
}

TEST_CASE("an .npz of arrays is read back with the same numbers", "[arrays]") {
  const auto path = std::filesystem::temp_directory_path() /
                    ("attention_arrays_" + std::to_string(::getpid()) + ".npz");
  const Mask mask("local", R"({"window": 3, "causal": true})", 12);
  writeMaskArrays(maskArrays(ArrayFormat::Bsr, mask.pattern, *mask.prepared(), {5, 3}), path);
  const ArrayFile file = readArrays(path);
  const Json json = mask.arrays(ArrayFormat::Bsr, {5, 3});
  const Tensor blocks = file.get("blocks");
  CHECK(blocks.shape == std::vector<Index>{static_cast<Index>(json["blocks"].size()), 5, 3});
  CHECK(static_cast<std::size_t>(file.get("indices").elements()) == json["indices"].size());
  CHECK(number(file.get("indptr"), 1) == json["indptr"][1].get<double>());
  CHECK(number(blocks, 0) == 1);
  std::filesystem::remove(path);
}

TEST_CASE("an .npz of arrays has the int32 that kernels take, or says why it cannot", "[arrays]") {
  const auto path = std::filesystem::temp_directory_path() /
                    ("attention_int32_" + std::to_string(::getpid()) + ".npz");
  const Mask mask("causal", "{}", 300);
  for (const ArrayFormat format : {ArrayFormat::BlockMask, ArrayFormat::Bsr, ArrayFormat::FlashMask,
                                   ArrayFormat::Magi, ArrayFormat::CuSeqlens}) {
    const MaskArrays arrays = maskArrays(format, mask.pattern, *mask.prepared(), {100, 100});
    writeMaskArrays(arrays, path);
    const ArrayFile file = readArrays(path);
    for (const MaskArray& array : arrays) {
      INFO(array.name);
      if (array.shape.empty())
        continue; // readers of arrays take no single numbers
      const bool integers = std::holds_alternative<std::vector<Index>>(array.values);
      CHECK(file.get(array.name).dtype == (integers ? DType::Int32 : DType::Bool));
    }
  }
  const Index large = Index{1} << 31;
  CHECK(codeOf([&] { writeMaskArrays({integerArray("indptr", {1}, {large})}, path); }) ==
        "E_RANGE");
  CHECK_NOTHROW(writeMaskArrays({integerArray("indptr", {1}, {large - 1})}, path));
  std::filesystem::remove(path);
}
