#include "core/input/tensor.h"

#include "core/input/allocate.h"
#include "core/input/mapped_file.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <utility>

namespace attention {
namespace {

constexpr Index kRowsBetweenChecks = 256; // of a stop

struct DTypeInfo {
  std::string_view name;
  std::size_t size;
  bool isFloat;
};

const DTypeInfo& info(DType dtype) {
  static constexpr std::array<DTypeInfo, 14> kInfos{{{"bool", 1, false},
                                                     {"int8", 1, false},
                                                     {"uint8", 1, false},
                                                     {"int16", 2, false},
                                                     {"uint16", 2, false},
                                                     {"int32", 4, false},
                                                     {"uint32", 4, false},
                                                     {"int64", 8, false},
                                                     {"uint64", 8, false},
                                                     {"float16", 2, true},
                                                     {"bfloat16", 2, true},
                                                     {"float32", 4, true},
                                                     {"float64", 8, true},
                                                     {"text", 1, false}}};
  return kInfos[static_cast<std::size_t>(dtype)];
}

// The bits of one element, whatever its address and byte order.
template <std::unsigned_integral U>
U loadBits(const std::byte* p, bool bigEndian) {
  std::array<std::byte, sizeof(U)> bytes;
  std::memcpy(bytes.data(), p, sizeof(U));
  if (bigEndian != (std::endian::native == std::endian::big))
    std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<U>(bytes);
}

// IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits.
float floatOfHalf(std::uint16_t bits) {
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  const int exponent = (bits >> 10) & 0x1F;
  const auto fraction = static_cast<float>(bits & 0x3FFU);
  if (exponent == 0x1F)
    return fraction != 0.0F ? std::numeric_limits<float>::quiet_NaN()
                            : sign * std::numeric_limits<float>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024.0F + fraction, exponent - 25);
}

float floatOfBFloat(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

double loadNumber(DType dtype, const std::byte* p, bool bigEndian) {
  switch (dtype) {
  case DType::Bool:
  case DType::UInt8:
  case DType::Text:
    return static_cast<double>(std::to_integer<std::uint8_t>(*p));
  case DType::Int8:
    return std::to_integer<std::int8_t>(*p);
  case DType::Int16:
    return std::bit_cast<std::int16_t>(loadBits<std::uint16_t>(p, bigEndian));
  case DType::UInt16:
    return loadBits<std::uint16_t>(p, bigEndian);
  case DType::Int32:
    return std::bit_cast<std::int32_t>(loadBits<std::uint32_t>(p, bigEndian));
  case DType::UInt32:
    return loadBits<std::uint32_t>(p, bigEndian);
  case DType::Int64:
    return static_cast<double>(std::bit_cast<std::int64_t>(loadBits<std::uint64_t>(p, bigEndian)));
  case DType::UInt64:
    return static_cast<double>(loadBits<std::uint64_t>(p, bigEndian));
  case DType::Float16:
    return floatOfHalf(loadBits<std::uint16_t>(p, bigEndian));
  case DType::BFloat16:
    return floatOfBFloat(loadBits<std::uint16_t>(p, bigEndian));
  case DType::Float32:
    return std::bit_cast<float>(loadBits<std::uint32_t>(p, bigEndian));
  case DType::Float64:
    return std::bit_cast<double>(loadBits<std::uint64_t>(p, bigEndian));
  }
  return 0.0;
}

// Elements from one index of axis `axis` to the next.
Index strideOf(const Tensor& tensor, std::size_t axis) {
  if (!tensor.strides.empty())
    return tensor.strides[axis];
  Index stride = 1;
  if (tensor.fortranOrder)
    for (std::size_t a = 0; a < axis; ++a)
      stride *= tensor.shape[a];
  else
    for (std::size_t a = axis + 1; a < tensor.shape.size(); ++a)
      stride *= tensor.shape[a];
  return stride;
}

const std::byte* address(const Tensor& tensor, Index flat) {
  Index element = flat;
  if (tensor.fortranOrder || !tensor.strides.empty()) {
    element = 0;
    for (std::size_t a = tensor.shape.size(); a-- > 0;) {
      element += flat % tensor.shape[a] * strideOf(tensor, a);
      flat /= tensor.shape[a];
    }
  }
  return tensor.data + static_cast<std::size_t>(element) * itemSize(tensor.dtype);
}

// One plane of a tensor: where it begins and how to walk it, in elements.
struct Plane {
  Index offset = 0;
  Index rows = 0;
  Index cols = 0;
  Index rowStride = 0;
  Index colStride = 0;
};

void requireIndex(const Tensor& tensor, const char* what, Index index, Index length) {
  if (index < 0 || index >= length)
    throwRange(what, std::to_string(index),
               "0 to " + std::to_string(length - 1) + " (" + tensor.label() + " has shape " +
                   shapeText(tensor.shape) + ")");
}

Plane planeOf(const Tensor& tensor, Index batch, Index head) {
  const std::size_t dims = tensor.shape.size();
  if (dims < 2)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) +
                    "; it must be [n, d], [heads, n, d] or [batch, heads, n, d]");
  if (!isFloat(tensor.dtype))
    throwDType(tensor, "one of float16, bfloat16, float32 and float64");
  requireIndex(tensor, "batch", batch, tensor.fromEnd(3));
  requireIndex(tensor, "head", head, tensor.fromEnd(2));
  Plane plane{0, tensor.fromEnd(1), tensor.fromEnd(0), strideOf(tensor, dims - 2),
              strideOf(tensor, dims - 1)};
  if (dims > 2)
    plane.offset += head * strideOf(tensor, dims - 3);
  if (dims > 3)
    plane.offset += batch * strideOf(tensor, dims - 4);
  return plane;
}

[[noreturn]] void failNonFinite(const Tensor& tensor, double value, Index batch, Index head,
                                Index row, Index col) {
  std::vector<Index> index{row, col};
  if (tensor.shape.size() > 2)
    index.insert(index.begin(), head);
  if (tensor.shape.size() > 3)
    index.insert(index.begin(), batch);
  const std::string found = std::isnan(value)   ? "NaN"
                            : std::isinf(value) ? (value > 0 ? "infinity" : "-infinity")
                                                : shortest(value);
  throw Error(ErrorCode::NonFinite, tensor.label(),
              tensor.label() + " holds " + found + " at " + shapeText(index) +
                  (std::isfinite(value)
                       ? ", which is beyond float32; every number must be at most 3.4·10³⁸ in size "
                         "(float64 goes further)"
                       : "; every number must be finite"));
}

template <class T>
Matrix<T> readPlane(const Tensor& tensor, Index batch, Index head, const Run& run) {
  const Plane plane = planeOf(tensor, batch, head);
  const std::size_t size = itemSize(tensor.dtype);
  Matrix<T> matrix = allocated<T>(plane.rows, plane.cols, tensor.label());
  for (Index i = 0; i < plane.rows; ++i) {
    if (i % kRowsBetweenChecks == 0)
      run.check();
    for (Index j = 0; j < plane.cols; ++j) {
      const Index element = plane.offset + i * plane.rowStride + j * plane.colStride;
      const double value = loadNumber(
          tensor.dtype, tensor.data + static_cast<std::size_t>(element) * size, tensor.bigEndian);
      matrix(i, j) = static_cast<T>(value);
      if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<T>::max())))
        failNonFinite(tensor, value, batch, head, i, j);
    }
  }
  return matrix;
}

} // namespace

std::size_t itemSize(DType dtype) {
  return info(dtype).size;
}

std::string_view name(DType dtype) {
  return info(dtype).name;
}

bool isFloat(DType dtype) {
  return info(dtype).isFloat;
}

Index Tensor::elements() const {
  Index product = 1;
  for (const Index length : shape)
    product *= length;
  return product;
}

Index Tensor::fromEnd(std::size_t axis) const {
  return axis < shape.size() ? shape[shape.size() - 1 - axis] : 1;
}

std::string Tensor::label() const {
  return name.empty() ? file : file + ": array " + excerpt(name);
}

void throwDType(const Tensor& tensor, const std::string& wanted) {
  throw Error(ErrorCode::Type, tensor.label(),
              tensor.label() + (tensor.dtype == DType::Text
                                    ? " holds text; it must hold numbers"
                                    : " has dtype " + std::string(name(tensor.dtype)) +
                                          "; it must be " + wanted));
}

std::string shapeText(std::span<const Index> shape) {
  std::string text = "(";
  for (std::size_t a = 0; a < shape.size(); ++a)
    text += (a == 0 ? "" : ", ") + std::to_string(shape[a]);
  return text + ")";
}

std::size_t checkedBytes(const std::string& label, std::span<const Index> shape, DType dtype) {
  const auto fail = [&](const std::string& allowed) {
    throw Error(ErrorCode::Shape, label,
                label + " has shape " + shapeText(shape) + "; it must have " + allowed);
  };
  if (shape.empty() || shape.size() > kMaxDimensions)
    fail("1 to 4 dimensions");
  Index bytes = static_cast<Index>(itemSize(dtype));
  for (const Index length : shape) {
    if (length == 0)
      throw NoElements(ErrorCode::Shape, label,
                       label + " has shape " + shapeText(shape) +
                           "; it must have at least one element along every axis");
    if (length < 0)
      fail("at least one element along every axis");
    if (length > std::numeric_limits<Index>::max() / bytes)
      fail("no more elements than a file can hold");
    bytes *= length;
  }
  return static_cast<std::size_t>(bytes);
}

double number(const Tensor& tensor, Index flat) {
  return loadNumber(tensor.dtype, address(tensor, flat), tensor.bigEndian);
}

std::int64_t integer(const Tensor& tensor, Index flat) {
  if (isFloat(tensor.dtype) || tensor.dtype == DType::Text)
    throwDType(tensor, "bool or an integer");
  const std::byte* p = address(tensor, flat);
  if (tensor.dtype == DType::Int64)
    return std::bit_cast<std::int64_t>(loadBits<std::uint64_t>(p, tensor.bigEndian));
  if (tensor.dtype == DType::UInt64) {
    const std::uint64_t bits = loadBits<std::uint64_t>(p, tensor.bigEndian);
    if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw Error(ErrorCode::Range, tensor.label(),
                  tensor.label() + " holds " + std::to_string(bits) +
                      "; it must be an integer below 2^63");
    return static_cast<std::int64_t>(bits);
  }
  return static_cast<std::int64_t>(loadNumber(tensor.dtype, p, tensor.bigEndian));
}

Tensor tensorOf(Matrix<double> rows, std::string file, std::string name) {
  const auto kept = std::make_shared<const Matrix<double>>(std::move(rows));
  Tensor tensor;
  tensor.file = std::move(file);
  tensor.name = std::move(name);
  tensor.dtype = DType::Float64;
  tensor.shape = {kept->rows(), kept->cols()};
  tensor.bigEndian = std::endian::native == std::endian::big;
  tensor.data = reinterpret_cast<const std::byte*>(kept->data());
  tensor.owner = kept;
  return tensor;
}

Tensor withSwappedAxes(Tensor tensor, std::size_t a, std::size_t b) {
  const std::size_t dims = tensor.shape.size();
  if (a >= dims || b >= dims)
    return tensor;
  std::vector<Index> strides;
  for (std::size_t axis = 0; axis < dims; ++axis)
    strides.push_back(strideOf(tensor, axis));
  std::swap(strides[dims - 1 - a], strides[dims - 1 - b]);
  std::swap(tensor.shape[dims - 1 - a], tensor.shape[dims - 1 - b]);
  tensor.strides = std::move(strides);
  return tensor;
}

template <class T>
Matrix<T> slice(const Tensor& tensor, Index batch, Index head, const Run& run) {
  return readUnchanged(tensor.data, [&] { return readPlane<T>(tensor, batch, head, run); });
}

template Matrix<float> slice<float>(const Tensor&, Index, Index, const Run&);
template Matrix<double> slice<double>(const Tensor&, Index, Index, const Run&);

} // namespace attention
