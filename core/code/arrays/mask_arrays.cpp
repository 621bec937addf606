#include "core/code/arrays/mask_arrays.h"

#include "core/code/arrays/array_makers.h"
#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/pattern/row_runs.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <ostream>

namespace attention {
namespace {

using Written = nlohmann::ordered_json;

constexpr std::array kFormats{
    ArrayFormatName{ArrayFormat::BlockMask, "blockmask", "FlexAttention's BlockMask"},
    ArrayFormatName{ArrayFormat::Bsr, "bsr", "block sparse rows (FlashInfer)"},
    ArrayFormatName{ArrayFormat::FlashMask, "flashmask", "FlashMask (PaddlePaddle)"},
    ArrayFormatName{ArrayFormat::Magi, "magi", "MagiAttention's slices"},
    ArrayFormatName{ArrayFormat::CuSeqlens, "cu_seqlens", "offsets of packed documents"},
};

Index valuesOf(const MaskArray& array) {
  return std::visit([](const auto& values) { return static_cast<Index>(values.size()); },
                    array.values);
}

Written valueAt(const MaskArray& array, Index at) {
  const auto k = static_cast<std::size_t>(at);
  if (const auto* integers = std::get_if<std::vector<Index>>(&array.values))
    return (*integers)[k];
  return std::get<std::vector<std::uint8_t>>(array.values)[k] != 0;
}

// The part along the axes from `axis` on that begins at value `at`, which moves behind it.
Written nested(const MaskArray& array, std::size_t axis, Index& at) {
  if (axis == array.shape.size())
    return valueAt(array, at++);
  Written list = Written::array();
  for (Index k = 0; k < array.shape[axis]; ++k)
    list.push_back(nested(array, axis + 1, at));
  return list;
}

// Integers have 32 bits, as all these libraries take them.
NpzMember memberOf(const MaskArray& array) {
  if (const auto* truths = std::get_if<std::vector<std::uint8_t>>(&array.values))
    return {array.name, npyBytes<std::uint8_t>(array.shape, *truths)};
  std::vector<std::int32_t> narrow;
  for (const Index value : std::get<std::vector<Index>>(array.values)) {
    if (value != static_cast<std::int32_t>(value))
      throwRange(array.name, std::to_string(value), "below 2^31 in an .npz, as kernels take it");
    narrow.push_back(static_cast<std::int32_t>(value));
  }
  return {array.name, npyBytes<std::int32_t>(array.shape, narrow)};
}

} // namespace

std::span<const ArrayFormatName> arrayFormats() {
  return kFormats;
}

std::optional<ArrayFormat> arrayFormatNamed(std::string_view name) {
  for (const ArrayFormatName& format : kFormats)
    if (sameName(format.name, name))
      return format.format;
  return std::nullopt;
}

MaskArray integerArray(std::string name, std::vector<Index> shape, std::vector<Index> values) {
  return {std::move(name), std::move(shape), std::move(values)};
}

MaskArray truthArray(std::string name, std::vector<Index> shape, std::vector<std::uint8_t> values) {
  return {std::move(name), std::move(shape), std::move(values)};
}

MaskArrays maskArrays(ArrayFormat format, const Pattern& pattern, const Prepared& prepared,
                      const BlockSize& block, const Run& run) {
  requireFewRows(prepared.lengths());
  switch (format) {
  case ArrayFormat::BlockMask:
    return blockMask(prepared, block, run);
  case ArrayFormat::Bsr:
    return blockRows(prepared, block, run);
  case ArrayFormat::FlashMask:
    return flashMask(prepared, run);
  case ArrayFormat::Magi:
    return magiSlices(pattern, prepared);
  case ArrayFormat::CuSeqlens:
    break;
  }
  return sequenceOffsets(prepared, run);
}

Written toJson(const MaskArrays& arrays) {
  Index values = 0;
  for (const MaskArray& array : arrays)
    values += valuesOf(array);
  if (values > kMostJsonValues)
    throwRange("output", "JSON of " + std::to_string(values) + " values",
               "at most " + std::to_string(kMostJsonValues) + ", or a .npz file");
  Written json = Written::object();
  for (const MaskArray& array : arrays) {
    Index at = 0;
    json[array.name] = nested(array, 0, at);
  }
  return json;
}

void writeMaskArrays(const MaskArrays& arrays, const std::filesystem::path& path) {
  if (endingOf(path) == ".npz") {
    std::vector<NpzMember> members;
    for (const MaskArray& array : arrays)
      members.push_back(memberOf(array));
    return writeNpz(path, members);
  }
  if (endingOf(path) != ".json")
    throw Error(ErrorCode::Unsupported, path.string(),
                path.string() + " ends in neither .json nor .npz");
  const Written json = toJson(arrays);
  replaceFile(path, [&](std::ostream& out) { out << json.dump() << '\n'; });
}

void requireSquare(const Prepared& pattern, std::string_view format) {
  const Lengths& lengths = pattern.lengths();
  if (lengths.queries != lengths.keys)
    throw Error(ErrorCode::Shape, "n-q",
                "the mask is " + std::to_string(lengths.queries) + " × " +
                    std::to_string(lengths.keys) + "; for " + std::string(format) +
                    " it must be square");
}

void requireFewValues(const std::string& name, double values) {
  if (values > static_cast<double>(kMostArrayValues))
    throwRange("block", "too small: " + name + " would have " + shortest(values) + " values",
               "large enough for at most 2^30");
}

} // namespace attention
