// A tensor is an array of at most four dimensions as stored in a file: element type, shape, byte
// order, memory order, and a pointer into a mapped file or a buffer that it keeps alive. Nothing is
// converted until a matrix is requested: `slice` turns one [n, d] plane of [n, d], [heads, n, d] or
// [batch, heads, n, d] into floats or doubles.
#pragma once

#include "core/support/error.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

enum class DType : std::uint8_t {
  Bool,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float16,
  BFloat16, // the upper half of a float32
  Float32,
  Float64,
  Text, // bytes; NumPy's S3 has a last axis of 3 of them
};

std::size_t itemSize(DType dtype);  // bytes
std::string_view name(DType dtype); // "float32"
bool isFloat(DType dtype);

constexpr std::size_t kMaxDimensions = 4; // command line contract, 'Limits'

struct Tensor {
  std::string file; // its name in errors: "minilm.npz"
  std::string name; // of the array in the file; empty if the file is one array
  DType dtype = DType::Float32;
  std::vector<Index> shape;
  bool bigEndian = false;
  bool fortranOrder = false; // first index fastest
  // Elements from one index of an axis to the next; empty if the memory order determines them.
  std::vector<Index> strides = {};
  const std::byte* data = nullptr;
  std::shared_ptr<const void> owner; // keeps `data` alive

  Index elements() const; // product of the shape
  // The length of axis `axis` counted from the end: 0 is the last one; 1 where there is no such
  // axis.
  Index fromEnd(std::size_t axis) const;
  // Its name in errors: `minilm.npz: array "k"` or `k.npy`.
  std::string label() const;
};

// E_TYPE: "`label` has dtype int32; it must be `wanted`", or "holds text; it must hold numbers".
[[noreturn]] void throwDType(const Tensor& tensor, const std::string& wanted);

// "(12, 128, 32)".
std::string shapeText(std::span<const Index> shape);

// An axis of length 0: an error for readers of numbers, and nothing to read for readers of lists of
// entries.
class NoElements : public Error {
public:
  using Error::Error;
};

// Bytes of `shape` elements of `dtype`. E_SHAPE names `label`: more than 4 dimensions or none, an
// empty (NoElements) or negative axis, more bytes than 63 bits hold.
std::size_t checkedBytes(const std::string& label, std::span<const Index> shape, DType dtype);

// Element at `flat`, counted in C order whatever the memory order; true is 1. O(dimensions).
double number(const Tensor& tensor, Index flat);
// The same for an array of integers or booleans, exactly; E_TYPE for others, E_RANGE beyond 63
// bits.
std::int64_t integer(const Tensor& tensor, Index flat);

// Rows and columns of numbers that come from no file; `file` and `name` for errors.
Tensor tensorOf(Matrix<double> rows, std::string file, std::string name);

// The same numbers with the axes `a` and `b`, counted from the end, swapped: [batch, n, heads, d]
// seen as [batch, heads, n, d] with 1 and 2. Nothing is copied.
Tensor withSwappedAxes(Tensor tensor, std::size_t a, std::size_t b);

// The plane [n, d] at (batch, head) as a row-major matrix; axes that the tensor lacks have
// length 1. T is float or double. E_TYPE: not an array of floating point numbers; E_SHAPE: fewer
// than 2 dimensions; E_RANGE: no such batch or head, or more numbers than memory can hold;
// E_NONFINITE names file, array and index (also where a float64 is too large for a float); E_IO:
// the file was rewritten since it was opened. O(n d).
template <class T>
Matrix<T> slice(const Tensor& tensor, Index batch = 0, Index head = 0, const Run& run = {});

extern template Matrix<float> slice<float>(const Tensor&, Index, Index, const Run&);
extern template Matrix<double> slice<double>(const Tensor&, Index, Index, const Run&);

} // namespace attention
