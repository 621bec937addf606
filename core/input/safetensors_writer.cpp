#include "core/input/safetensors_writer.h"

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include <bit>
#include <cassert>
#include <cmath>
#include <ostream>

namespace attention {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

constexpr std::size_t kAlignment = 8; // of the data, as the library pads

nlohmann::ordered_json entryOf(const SafetensorsArray& array, std::size_t begin, std::size_t end) {
  return {{"dtype", array.dtype == DType::Float16 ? "F16" : "F32"},
          {"shape", array.shape},
          {"data_offsets", {begin, end}}};
}

} // namespace

SafetensorsWriter::SafetensorsWriter(std::ostream& out, std::vector<SafetensorsArray> arrays,
                                     const std::map<std::string, std::string>& metadata)
    : out_(out), arrays_(std::move(arrays)) {
  nlohmann::ordered_json header{{"__metadata__", metadata}};
  std::size_t at = 0;
  for (const SafetensorsArray& array : arrays_) {
    assert(array.dtype == DType::Float32 || array.dtype == DType::Float16);
    begins_.push_back(static_cast<std::streamoff>(at));
    const std::size_t end = at + checkedBytes(array.name, array.shape, array.dtype);
    header[array.name] = entryOf(array, at, end);
    at = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  const std::uint64_t length = text.size();
  out_.write(reinterpret_cast<const char*>(&length), sizeof length);
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  for (std::streamoff& begin : begins_)
    begin += static_cast<std::streamoff>(sizeof length + text.size());
}

void SafetensorsWriter::write(std::size_t array, Index first, std::span<const float> values) {
  const bool halves = arrays_[array].dtype == DType::Float16;
  const Index size = halves ? 2 : 4;
  out_.seekp(begins_[array] + static_cast<std::streamoff>(first * size));
  if (!halves) {
    out_.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size_bytes()));
    return;
  }
  std::vector<Eigen::half> stored;
  stored.reserve(values.size());
  for (const float value : values) {
    const auto half = static_cast<Eigen::half>(value);
    if (!(Eigen::numext::isfinite)(half) && std::isfinite(value))
      throwRange(arrays_[array].name, "a number beyond float16", "stored as float32");
    stored.push_back(half);
  }
  out_.write(reinterpret_cast<const char*>(stored.data()),
             static_cast<std::streamsize>(2 * stored.size()));
}

} // namespace attention
