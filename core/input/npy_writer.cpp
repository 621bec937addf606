#include "core/input/npy_writer.h"

#include "core/input/replace_file.h"
#include "core/support/error.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace attention {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

constexpr std::size_t kAlignment = 64;               // of the data, as NumPy pads
constexpr std::size_t kBlock = std::size_t{1} << 20; // bytes between two checks of the stop token

template <class T>
constexpr std::string_view descr() {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return "|b1";
  else if constexpr (std::is_same_v<T, float>)
    return "<f4";
  else if constexpr (std::is_same_v<T, double>)
    return "<f8";
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return "<i4";
  else
    return "<i8";
}

void writeHeader(std::ostream& out, std::string_view descr, std::span<const Index> shape) {
  std::string text = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
  for (const Index length : shape)
    text += std::to_string(length) + ", ";
  // One dimension keeps its comma, as Python's tuples do.
  if (!shape.empty())
    text.resize(text.size() - (shape.size() == 1 ? 1 : 2));
  text += "), }";
  constexpr std::size_t kPrefix = 10;
  const std::size_t end = (kPrefix + text.size() + kAlignment) / kAlignment * kAlignment;
  text.resize(end - kPrefix - 1, ' ');
  text += '\n';
  const auto length = static_cast<unsigned>(text.size());
  out.write("\x93NUMPY\x01\x00", 8);
  out.put(static_cast<char>(length & 0xFFU));
  out.put(static_cast<char>(length >> 8U));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

[[maybe_unused]] Index elementsOf(std::span<const Index> shape) {
  Index elements = 1;
  for (const Index length : shape)
    elements *= length;
  return elements;
}

template <class T>
void checkCells(const std::filesystem::path& path, std::span<const Index> shape) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    double cells = 1.0;
    for (const Index length : shape)
      cells *= static_cast<double>(length);
    if (cells > static_cast<double>(kMaxMaskCells))
      throwRange(path.string(), "a mask of more than 2^32 cells", "at most 2^32 in a .npy file");
  }
}

} // namespace

template <class T>
void writeNpyRows(const std::filesystem::path& path, std::span<const Index> shape,
                  const std::function<void(Index row, std::span<T> values)>& fill, const Run& run) {
  checkCells<T>(path, shape);
  Index rows = 1;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
    rows *= shape[axis];
  std::vector<T> values(static_cast<std::size_t>(shape.back()));
  const std::size_t rowBytes = std::max<std::size_t>(values.size() * sizeof(T), 1);
  const auto rowsPerLook = static_cast<Index>(std::max<std::size_t>(kBlock / rowBytes, 1));
  replaceFile(path, [&](std::ostream& out) {
    writeHeader(out, descr<T>(), shape);
    for (Index row = 0; row < rows && out; ++row) {
      if (row % rowsPerLook == 0)
        run.report(static_cast<double>(row) / static_cast<double>(rows));
      std::fill(values.begin(), values.end(), T{});
      fill(row, std::span<T>(values));
      out.write(reinterpret_cast<const char*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(T)));
    }
  });
}

template <class T>
void writeNpy(const std::filesystem::path& path, std::span<const Index> shape,
              std::span<const T> values) {
  assert(elementsOf(shape) == static_cast<Index>(values.size()));
  checkCells<T>(path, shape);
  replaceFile(path, [&](std::ostream& out) {
    writeHeader(out, descr<T>(), shape);
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size_bytes()));
  });
}

template <class T>
std::string npyBytes(std::span<const Index> shape, std::span<const T> values) {
  assert(elementsOf(shape) == static_cast<Index>(values.size()));
  std::ostringstream out;
  writeHeader(out, descr<T>(), shape);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size_bytes()));
  return std::move(out).str();
}

#define ATTENTION_NPY_TYPE(T)                                                                      \
  template void writeNpyRows<T>(const std::filesystem::path&, std::span<const Index>,              \
                                const std::function<void(Index, std::span<T>)>&, const Run&);      \
  template void writeNpy<T>(const std::filesystem::path&, std::span<const Index>,                  \
                            std::span<const T>);                                                   \
  template std::string npyBytes<T>(std::span<const Index>, std::span<const T>);
ATTENTION_NPY_TYPE(std::uint8_t)
ATTENTION_NPY_TYPE(float)
ATTENTION_NPY_TYPE(double)
ATTENTION_NPY_TYPE(std::int32_t)
ATTENTION_NPY_TYPE(std::int64_t)
#undef ATTENTION_NPY_TYPE

} // namespace attention
