// The .safetensors format: https://github.com/huggingface/safetensors#format
#include "core/input/array_file.h"
#include "core/input/text_lines.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace attention {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxHeader = 100'000'000; // bytes; the format's own limit

[[noreturn]] void failSafetensors(const std::string& subject, const std::string& what) {
  throw Error(ErrorCode::Unsupported, subject, subject + " " + what);
}

struct TypeCode {
  std::string_view code;
  std::size_t bits;
  std::optional<DType> dtype; // absent where we do not compute with it
};

constexpr std::array<TypeCode, 15> kTypeCodes{{{"BOOL", 8, DType::Bool},
                                               {"U8", 8, DType::UInt8},
                                               {"I8", 8, DType::Int8},
                                               {"F8_E5M2", 8, {}},
                                               {"F8_E4M3", 8, {}},
                                               {"I16", 16, DType::Int16},
                                               {"U16", 16, DType::UInt16},
                                               {"F16", 16, DType::Float16},
                                               {"BF16", 16, DType::BFloat16},
                                               {"I32", 32, DType::Int32},
                                               {"U32", 32, DType::UInt32},
                                               {"F32", 32, DType::Float32},
                                               {"I64", 64, DType::Int64},
                                               {"U64", 64, DType::UInt64},
                                               {"F64", 64, DType::Float64}}};

const TypeCode* typeOf(const json& code) {
  if (code.is_string())
    for (const TypeCode& known : kTypeCodes)
      if (known.code == code.get_ref<const std::string&>())
        return &known;
  return nullptr;
}

// The JSON header; `data` is set to the bytes behind it.
json headerOf(std::span<const std::byte> bytes, const std::string& file,
              std::span<const std::byte>& data) {
  if (bytes.size() < 8)
    failSafetensors(file, "is not a .safetensors file: it has fewer than 8 bytes");
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;)
    length = length << 8U | std::to_integer<std::uint64_t>(bytes[i]);
  const std::string says = "says that its header has " + countText(length, "byte");
  if (length > kMaxHeader)
    failSafetensors(file, says + "; it must be at most " + std::to_string(kMaxHeader));
  if (length > bytes.size() - 8)
    failSafetensors(file, says + "; there are only " + std::to_string(bytes.size() - 8) +
                              ", as a cut download leaves");
  const auto headerLength = static_cast<std::size_t>(length);
  data = bytes.subspan(8 + headerLength);
  try {
    json header = parseJson(textOf(bytes.subspan(8, headerLength)), file + ": the header");
    if (!header.is_object())
      failSafetensors(file, "has a header that is not a JSON object");
    return header;
  } catch (const Error& error) {
    throw Error(ErrorCode::Unsupported, file, error.what());
  }
}

std::map<std::string, std::string> metadataOf(const json& entries, const std::string& file) {
  if (!entries.is_object())
    failSafetensors(file, "has a __metadata__ that is not a JSON object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : entries.items()) {
    if (!value.is_string())
      failSafetensors(file, "has metadata that is not text: " + excerpt(key));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// [begin, end) in the data; not negative, in order, inside.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t array = 0; // index in the file
};

Range rangeOf(const json& entry, const std::string& label, std::size_t size) {
  const auto found = entry.find("data_offsets");
  if (found == entry.end() || !found->is_array() || found->size() != 2 ||
      !(*found)[0].is_number_unsigned() || !(*found)[1].is_number_unsigned())
    failSafetensors(label, "has no data_offsets; it must be two integers of at least 0");
  const auto begin = (*found)[0].get<std::uint64_t>();
  const auto end = (*found)[1].get<std::uint64_t>();
  if (begin > end || end > size)
    failSafetensors(label, "lies at bytes " + std::to_string(begin) + " to " + std::to_string(end) +
                               "; the file has " + std::to_string(size));
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end), 0};
}

std::vector<Index> shapeOf(const json& entry, const std::string& label) {
  const auto found = entry.find("shape");
  if (found == entry.end() || !found->is_array())
    failSafetensors(label, "has no shape; it must be a list of integers of at least 0");
  std::vector<Index> shape;
  for (const auto& length : *found) {
    if (!length.is_number_unsigned() || length.get<std::uint64_t>() > std::uint64_t{1} << 62U)
      failSafetensors(label, "has a shape that is not a list of integers of at least 0");
    shape.push_back(length.get<Index>());
  }
  return shape;
}

// Bytes that `shape` needs, scalars and empty arrays included; nothing where 64 bits do not hold
// it.
std::optional<std::size_t> bytesOf(const std::vector<Index>& shape, std::size_t bits) {
  if (std::find(shape.begin(), shape.end(), Index{0}) != shape.end())
    return 0;
  std::size_t bytes = bits / 8;
  for (const Index length : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(length), &bytes))
      return std::nullopt;
  return bytes;
}

NamedArray arrayOf(const json& entry, Tensor tensor, const Range& range,
                   std::span<const std::byte> data) {
  const std::string label = tensor.label();
  tensor.shape = shapeOf(entry, label);
  const auto code = entry.find("dtype");
  const TypeCode* type = code == entry.end() ? nullptr : typeOf(*code);
  NamedArray array{std::move(tensor), {}, {}};
  if (type != nullptr && bytesOf(array.tensor.shape, type->bits) != range.end - range.begin)
    failSafetensors(label, "has " + countText(range.end - range.begin, "byte") +
                               " of data, which does not fit its shape " +
                               shapeText(array.tensor.shape) + " of " + std::string(type->code));
  if (type == nullptr || !type->dtype) {
    const std::string found = code == entry.end() ? "no dtype"
                              : code->is_string() ? "dtype " + excerpt(code->get<std::string>())
                                                  : "a dtype that is not text";
    array.problem = Error(ErrorCode::Type, label,
                          label + " has " + found +
                              "; it must be BOOL, an integer (I8 to U64), F16, BF16, F32 or F64");
    return array;
  }
  array.tensor.dtype = *type->dtype;
  array.tensor.data = data.data() + range.begin;
  try {
    checkedBytes(label, array.tensor.shape, array.tensor.dtype);
  } catch (const Error& error) {
    array.problem = error;
  }
  return array;
}

// Every byte belongs to exactly one array.
void checkRanges(std::vector<Range> ranges, const ArrayFile& file, std::size_t size) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::size_t end = 0;
  for (const Range& range : ranges) {
    const std::string label = file.arrays[range.array].tensor.label();
    if (range.begin < end)
      failSafetensors(label, "overlaps another array at byte " + std::to_string(range.begin));
    if (range.begin > end)
      failSafetensors(label, "begins at byte " + std::to_string(range.begin) + "; it must be " +
                                 std::to_string(end) + ", where the array before it ends");
    end = range.end;
  }
  if (end != size)
    failSafetensors(file.file, "has " + countText(size, "byte") + " of data; its arrays have " +
                                   std::to_string(end));
}

// Numbers may be an array or metadata; which of the two would count?
void requireOnePlace(const ArrayFile& file) {
  for (const char* key : {"scale", "softcap", "ids", "layers", "heads"})
    if (const auto text = file.metadata.find(key);
        file.has(key) && text != file.metadata.end() && trimmed(text->second) != "null")
      failSafetensors(file.file, "has an array and metadata that are both called \"" +
                                     std::string(key) + "\"; one of the two must be left out");
}

} // namespace

ArrayFile parseSafetensors(std::span<const std::byte> bytes, const std::string& file) {
  std::span<const std::byte> data;
  const json header = headerOf(bytes, file, data);
  ArrayFile result;
  result.file = file;
  std::vector<Range> ranges;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      result.metadata = metadataOf(entry, file);
      continue;
    }
    Tensor tensor;
    tensor.file = file;
    tensor.name = name;
    if (!entry.is_object())
      failSafetensors(tensor.label(), "is not described by a JSON object");
    Range range = rangeOf(entry, tensor.label(), data.size());
    range.array = result.arrays.size();
    ranges.push_back(range);
    result.arrays.push_back(arrayOf(entry, std::move(tensor), range, data));
  }
  checkRanges(std::move(ranges), result, data.size());
  requireOnePlace(result);
  return result;
}

} // namespace attention
