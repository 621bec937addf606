// A mask file is a mask from elsewhere (S4.19): an array of 0 and 1 of any dtype, an additive array
// of 0 and −∞ (or what stands for it), a sparse matrix of SciPy or Matrix Market, or a list of
// pairs i,j. It becomes the runs of attended keys of each query, sorted and disjoint.
#pragma once

#include "core/input/array_file.h"
#include "core/pattern/mask_reference.h"
#include "core/pattern/value.h"
#include "core/support/run.h"

#include <filesystem>

namespace attention {

// Lengths of the axes before [n_q, n_k] of a file of batches × heads masks. A single axis, in an
// array of three or after an axis of length 1, counts as an axis of heads and may be one of batches
// (`oneAxis`).
struct MaskAxes {
  Index batches = 1;
  Index heads = 1;
  bool oneAxis = false;
  Index masks() const { return batches * heads; }
  // How many masks a choice leaves open; the first of these is read.
  Index leftOpenBy(const MaskPlane& chosen) const;
  bool operator==(const MaskAxes&) const = default;
};

struct MaskFile {
  Index rows = 0; // n_q
  Index cols = 0; // n_k
  // Whether the file states its shape; a list of pairs does not, so rows and cols are then the
  // smallest that hold every pair.
  bool sized = true;
  bool zeros = false;         // whether it is an array of numbers, all 0
  MaskAxes axes;              // of all masks, of which this is one
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

// One of the masks [n_q, n_k] of an array: 0 and 1 of any dtype (1 attends), or additive, every
// number 0 (attends) or at most −10⁴ or the dtype's minimum (forbidden); the numbers of the whole
// array decide which. An axis of length 1 takes any index; the first of three axes is indexed by
// the chosen head, or by the chosen batch where no head is chosen or has that index. E_TYPE:
// another value, named with its place; E_SHAPE: fewer than two axes, a length beyond 2^30; E_RANGE:
// no such batch or head; E_IO: the file was rewritten since it was opened. O(n_q n_k), or O(all
// masks) where this one holds only zeros.
MaskFile maskOf(const Tensor& tensor, const MaskPlane& plane = {}, const Run& run = {});

// E_TYPE, E_SHAPE as above.
MaskAxes maskAxes(const Tensor& tensor);

// Of a mask without cells: "no query sees a key", and that zeros might be meant as additive.
std::string wordsOfEmpty(const MaskFile& mask);

// Whether a mask may hold every number of the array. O(elements); false at the first one that it
// may not. E_IO: the file was rewritten since it was opened.
bool holdsMask(const Tensor& tensor, const Run& run = {});

// Sorts and merges `cells` (repeated ones count once). rows, cols: see MaskFile.
MaskFile maskOf(std::vector<MaskCell> cells, Index rows, Index cols, bool sized);

// The mask in a file of named arrays (.npz, .safetensors): a matrix that scipy.sparse.save_npz
// wrote, the only array, or the one called mask, attention_mask or attn_mask. E_UNKNOWN lists the
// arrays where there is no such one.
MaskFile maskOf(const ArrayFile& file, const MaskPlane& plane = {}, const Run& run = {});

// Whether a file is a mask to somebody who opens it without saying so: a sparse matrix or an array
// that is called a mask, beside no queries and no ready weights; the only array, where it is of
// bool or integers, or holds what only masks do. What the readers throw. O(elements) of an array of
// reals.
bool isMask(const ArrayFile& file, const Run& run = {});

// Likewise pairs or a table in a .csv file, and any .mtx file. E_IO.
bool isMaskText(const std::filesystem::path& file, const Run& run = {});

// Either of them.
bool isMaskFile(const std::filesystem::path& file, const Run& run = {});

// Whether scipy.sparse.save_npz wrote the file; and the matrix, of format csr, csc, coo, bsr or
// dia. Cells, sums of what is stored for them, must be 0 or 1 (E_TYPE). E_UNSUPPORTED, E_RANGE,
// E_SHAPE: it contradicts itself; E_IO as maskOf.
bool isSparse(const ArrayFile& file);
MaskFile sparseMask(const ArrayFile& file, const Run& run = {});

// Matrix Market, 1-based: `coordinate` of pattern, integer or real entries, general or symmetric,
// where stored numbers must be 0 or 1, each cell's once; or a dense `array`, see maskOf.
// E_UNSUPPORTED, E_RANGE, E_TYPE.
MaskFile parseMtxMask(std::span<const std::byte> bytes, const std::string& file,
                      const Run& run = {});

// Matrix Market `matrix array real|integer general|symmetric`: a matrix of numbers, a float64
// tensor.
Tensor parseMtxArray(std::span<const std::byte> bytes, const std::string& file,
                     const Run& run = {});

// Lines i,j (0-based). A heading says which column is the query (i, q_idx, query, row …) and which
// the key (j, kv_idx, key, col …), and may name a third one of 0 and 1 (value, data, mask); an
// index column without a name is left out. The heading may be the last comment above the rows, as
// numpy.savetxt writes it. Without a heading, four columns and more are rows of 0 and 1; so are
// three and more with the numbers or labels that pandas writes around them, and rows of True and
// False. E_UNSUPPORTED: an unclear heading; E_RANGE.
MaskFile parseCsvMask(std::span<const std::byte> bytes, const std::string& file,
                      const Run& run = {});

// Whether a .csv file is a list of pairs by its first line: a heading of queries and keys, or two
// whole numbers.
bool isPairList(std::span<const std::byte> bytes);

// What else the pairs that were read from a .csv file might be, in words that follow its name;
// empty where nothing speaks for it. Without a heading, a first line 0,1 may number the columns, as
// pandas does, and lines of 0 and 1 may be cells; indices without a 0 may count from 1. E_IO.
std::string doubtOfPairs(const std::filesystem::path& file, std::span<const QueryRun> pairs);

// The same of a file whose only array has a name such as "masked", where 1 may mark what is hidden.
// E_IO.
std::string doubtOfName(const std::filesystem::path& file);

// Whether a .csv file is rows of 0 and 1, True and False, or 0 and −∞ with the numbers or labels of
// pandas around them, which no array of numbers has. O(bytes) where it may be.
bool isMaskTable(std::span<const std::byte> bytes, const Run& run = {});

// Reads a mask by the ending of its name, in any case: .npy .npz .safetensors .mtx .csv. The name
// may end in the choice of a MaskReference.
MaskFile readMask(const std::filesystem::path& path, const Run& run = {});

// How many masks that file has, judging only by their shape; no packed array is unpacked for it.
// Throws what readArrays throws, E_UNKNOWN as maskOf does for a file, E_TYPE and E_SHAPE as for an
// array.
MaskAxes maskAxes(const std::filesystem::path& path, const Run& run = {});

} // namespace attention
