// A mask file is somebody else's mask (S4.19): a boolean .npy array, a Matrix Market pattern, or a
// list of pairs i,j. It becomes the runs of attended keys of each query, sorted and disjoint.
#pragma once

#include "core/input/tensor.h"
#include "core/pattern/value.h"
#include "core/support/run.h"

#include <filesystem>

namespace attention {

struct MaskFile {
  Index rows = 0; // n_q
  Index cols = 0; // n_k
  // Whether the file states its shape; a list of pairs does not, then rows and cols are the least
  // ones that hold every pair.
  bool sized = true;
  std::vector<QueryRun> runs; // sorted, disjoint, not touching; queries without keys have none

  std::span<const QueryRun> row(Index i) const; // the runs of query i; O(log runs)
  Index pairs() const;                          // attended cells; O(runs)
  bool operator==(const MaskFile&) const = default;
};

// A cell of a list of pairs.
struct MaskCell {
  Index query = 0;
  Index key = 0;
  auto operator<=>(const MaskCell&) const = default;
};

// A 2-D tensor of bool, or of uint8 with 0 and 1. E_TYPE: another dtype or value; E_SHAPE: not 2-D.
MaskFile maskOf(const Tensor& tensor, const Run& run = {});

// Sorts and merges `cells` (repeated ones count once). rows, cols: see MaskFile.
MaskFile maskOf(std::vector<MaskCell> cells, Index rows, Index cols, bool sized);

// Matrix Market `matrix coordinate pattern|integer|real general|symmetric`: 1-based entries; stored
// numbers must be 0 or 1, entries that are 0 are no cells. E_UNSUPPORTED, E_RANGE, E_TYPE.
MaskFile parseMtxMask(std::span<const std::byte> bytes, const std::string& file,
                      const Run& run = {});

// Matrix Market `matrix array real|integer general`: a matrix of numbers, a float64 tensor.
Tensor parseMtxArray(std::span<const std::byte> bytes, const std::string& file,
                     const Run& run = {});

// Lines i,j (0-based), with or without the heading i,j. E_UNSUPPORTED, E_RANGE.
MaskFile parsePairs(std::span<const std::byte> bytes, const std::string& file, const Run& run = {});

// Reads a mask by the ending of its name, in small letters or capitals: .npy, .mtx, .csv.
MaskFile readMask(const std::filesystem::path& path, const Run& run = {});

} // namespace attention
