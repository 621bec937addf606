// A mask as the arrays that kernels take instead of a function or a boolean matrix (spec T9):
//
//   blockmask   FlexAttention's BlockMask: tiles by row and by column, partial ones and full ones
//               (PyTorch create_block_mask)
//   bsr         block sparse rows with the cells of every block (FlashInfer)
//   flashmask   masked rows of every key (PaddlePaddle's FlashMask)
//   magi        slices of queries and keys with a mask type (MagiAttention)
//   cu_seqlens  offsets of packed documents (variable length FlashAttention)
//
// array_makers.h says what is in the arrays of each. All but the slices come from rows of key
// ranges, never from a matrix of n × n cells.
#pragma once

#include "core/analysis/tiles/tile_counts.h"
#include "core/pattern/pattern.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attention {

enum class ArrayFormat { BlockMask, Bsr, FlashMask, Magi, CuSeqlens };

struct ArrayFormatName {
  ArrayFormat format;
  std::string_view name;  // "blockmask"
  std::string_view title; // "FlexAttention BlockMask"
};
std::span<const ArrayFormatName> arrayFormats();
// Nothing where there is none of that name; '-' and '_' are the same.
std::optional<ArrayFormat> arrayFormatNamed(std::string_view name);

// An array of integers or of truth values, 0 or 1, in C order; without a shape a single value.
struct MaskArray {
  std::string name;
  std::vector<Index> shape;
  std::variant<std::vector<Index>, std::vector<std::uint8_t>> values;
};
using MaskArrays = std::vector<MaskArray>;

MaskArray integerArray(std::string name, std::vector<Index> shape, std::vector<Index> values);
MaskArray truthArray(std::string name, std::vector<Index> shape, std::vector<std::uint8_t> values);

constexpr Index kMostArrayValues = Index{1} << 30; // of one array
constexpr Index kMostJsonValues = 10'000'000;      // of all together, as text

// `prepared` is the pattern for its lengths; the block matters to blockmask and bsr. E_RANGE where
// the format cannot say the mask, or would need more than kMostArrayValues; E_SHAPE where it must
// be square.
MaskArrays maskArrays(ArrayFormat format, const Pattern& pattern, const Prepared& prepared,
                      const BlockSize& block = {}, const Run& run = {});

// {name: nested lists}. E_RANGE: more than kMostJsonValues.
nlohmann::ordered_json toJson(const MaskArrays& arrays);

// .json, or .npz with int32 and bool members. E_IO; E_UNSUPPORTED: another ending; E_RANGE: an
// integer that needs more than 32 bits.
void writeMaskArrays(const MaskArrays& arrays, const std::filesystem::path& path);

// E_SHAPE where the mask has not as many queries as keys.
void requireSquare(const Prepared& pattern, std::string_view format);
// E_RANGE where an array would have more than kMostArrayValues values.
void requireFewValues(const std::string& name, double values);

} // namespace attention
