// A matrix of a model's weights as its file stores it: quantised or in half precision, in memory
// that is mapped or owned. Nothing is converted until rows are asked for.
//
// The stored types are those of GGUF (ggml's block formats: 32 numbers per block for Q4_0 … Q8_0,
// 256 for Q2_K … Q6_K; https://github.com/ggml-org/ggml, docs/gguf.md) and of safetensors.
#pragma once

#include "core/support/integers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace attention {

enum class WeightType : std::uint8_t {
  F32,
  F16,
  BF16,
  Q4_0,
  Q4_1,
  Q5_0,
  Q5_1,
  Q8_0,
  Q2_K,
  Q3_K,
  Q4_K,
  Q5_K,
  Q6_K,
};

std::string_view name(WeightType type); // "Q4_1"

// `numbers` consecutive numbers are stored in `bytes` bytes.
struct WeightBlock {
  Index numbers = 1;
  Index bytes = 4;
};
WeightBlock blockOf(WeightType type);

// A view of rows × cols numbers: copies are cheap and keep the file open. As a linear map it is
// y = W x with rows outputs and cols inputs.
//
// Fused matrices are split by views. Row r stands at row
// first + (r / groupRows) · groupStride + r % groupRows of the stored matrix: GPT-NeoX's queries
// of head h are rows 3 d h … 3 d h + d − 1. Where `transposed` (GPT-2's [inputs, outputs]), the
// view's rows are the stored columns in the same way; only the types of one number per block.
struct WeightMatrix {
  WeightType type = WeightType::F32;
  Index rows = 0;
  Index cols = 0;
  const std::byte* data = nullptr; // of the stored matrix
  Index stored = 0;                // numbers in one of its rows
  Index first = 0;
  Index groupRows = 0; // 0: all rows are one group
  Index groupStride = 0;
  bool transposed = false;
  std::shared_ptr<const void> owner = {}; // keeps `data` alive

  bool empty() const { return rows == 0; }
};

// Rows [begin, end) of it.
WeightMatrix rowsOf(WeightMatrix matrix, Index begin, Index end);
// Groups of `groupRows` rows, one every `groupStride` rows, `groups` in all, from row `begin` on.
WeightMatrix rowGroups(WeightMatrix matrix, Index begin, Index groupRows, Index groupStride,
                       Index groups);

// Row r as floats; `out` has cols numbers. O(cols).
void readRow(const WeightMatrix& matrix, Index r, std::span<float> out);

// Numbers [begin, begin + out.size()) of column c of a transposed matrix without groups, which
// stand side by side in the file.
void readColumn(const WeightMatrix& matrix, Index c, Index begin, std::span<float> out);

// Bytes that the view's numbers take where they are stored.
Index storedBytes(const WeightMatrix& matrix);

} // namespace attention
