// The table of tensors of a GGUF file.
#include "core/model/gguf_cursor.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <limits>

namespace attention {
namespace {

constexpr std::uint32_t kMostTensorAxes = 4;

struct StoredType {
  std::uint32_t number = 0;
  std::string_view name;
  std::optional<WeightType> type = {}; // absent where we do not compute with it
};

constexpr std::array<StoredType, 35> kStoredTypes{{{0, "F32", WeightType::F32},
                                                   {1, "F16", WeightType::F16},
                                                   {2, "Q4_0", WeightType::Q4_0},
                                                   {3, "Q4_1", WeightType::Q4_1},
                                                   {6, "Q5_0", WeightType::Q5_0},
                                                   {7, "Q5_1", WeightType::Q5_1},
                                                   {8, "Q8_0", WeightType::Q8_0},
                                                   {9, "Q8_1"},
                                                   {10, "Q2_K", WeightType::Q2_K},
                                                   {11, "Q3_K", WeightType::Q3_K},
                                                   {12, "Q4_K", WeightType::Q4_K},
                                                   {13, "Q5_K", WeightType::Q5_K},
                                                   {14, "Q6_K", WeightType::Q6_K},
                                                   {15, "Q8_K"},
                                                   {16, "IQ2_XXS"},
                                                   {17, "IQ2_XS"},
                                                   {18, "IQ3_XXS"},
                                                   {19, "IQ1_S"},
                                                   {20, "IQ4_NL"},
                                                   {21, "IQ3_S"},
                                                   {22, "IQ2_S"},
                                                   {23, "IQ4_XS"},
                                                   {24, "I8"},
                                                   {25, "I16"},
                                                   {26, "I32"},
                                                   {27, "I64"},
                                                   {28, "F64"},
                                                   {29, "IQ1_M"},
                                                   {30, "BF16", WeightType::BF16},
                                                   {34, "TQ1_0"},
                                                   {35, "TQ2_0"},
                                                   {39, "MXFP4"},
                                                   {40, "NVFP4"},
                                                   {41, "Q1_0"},
                                                   {42, "Q2_0"}}};

std::string readableTypes() {
  std::string names;
  for (const StoredType& stored : kStoredTypes)
    if (stored.type)
      names += (names.empty() ? "" : " ") + std::string(stored.name);
  return names;
}

// A tensor as the table has it; its data are not there yet.
struct Entry {
  GgufTensor tensor;
  std::uint64_t offset = 0; // behind the table
  std::uint64_t bytes = 0;
};

std::vector<Index> shapeOf(GgufCursor& cursor, const std::string& label) {
  const auto axes = cursor.number<std::uint32_t>("the axes of a tensor");
  if (axes < 1 || axes > kMostTensorAxes)
    cursor.fail(label, "has " + countText(axes, "axis") + "; it must have 1 to 4");
  std::vector<Index> shape(axes);
  Index numbers = 1;
  for (Index& length : shape) {
    length = cursor.number<Index>("the shape of a tensor");
    if (length < 1)
      cursor.fail(label, "has an axis of length " +
                             std::to_string(static_cast<std::uint64_t>(length)) +
                             "; it must be from 1 to 2^60");
    if (__builtin_mul_overflow(numbers, length, &numbers) ||
        numbers > std::numeric_limits<Index>::max() / 8)
      cursor.fail(label, "has axes of so many numbers that they cannot be counted; there must be "
                         "fewer than 2^60");
  }
  std::reverse(shape.begin(), shape.end());
  return shape;
}

void setType(GgufCursor& cursor, std::uint32_t number, const std::string& label, Entry& entry) {
  const auto* found = std::find_if(kStoredTypes.begin(), kStoredTypes.end(),
                                   [&](const StoredType& type) { return type.number == number; });
  if (found == kStoredTypes.end() || !found->type) {
    const std::string stored =
        found == kStoredTypes.end() ? "type " + std::to_string(number) : std::string(found->name);
    entry.tensor.problem =
        Error(ErrorCode::Unsupported, label,
              label + " is stored as " + stored + "; it must be one of " + readableTypes());
    return;
  }
  entry.tensor.type = *found->type;
  const WeightBlock block = blockOf(*found->type);
  Index numbers = 1;
  for (const Index length : entry.tensor.shape)
    numbers *= length;
  if (entry.tensor.shape.back() % block.numbers != 0)
    cursor.fail(label, "has rows of " + countText(entry.tensor.shape.back(), "number") + "; of " +
                           std::string(found->name) + " it must be a multiple of " +
                           std::to_string(block.numbers));
  // Below 2^63: numbers < 2^60, and no type has more than 4 bytes per number.
  entry.bytes = static_cast<std::uint64_t>(numbers / block.numbers * block.bytes);
}

Entry entryOf(GgufCursor& cursor, const std::string& file) {
  Entry entry;
  entry.tensor.name = cursor.text("the name of a tensor");
  const std::string label = file + ": tensor " + excerpt(entry.tensor.name);
  entry.tensor.shape = shapeOf(cursor, label);
  const auto type = cursor.number<std::uint32_t>("the type of a tensor");
  entry.offset = cursor.number<std::uint64_t>("the offset of a tensor");
  setType(cursor, type, label, entry);
  return entry;
}

std::size_t alignmentOf(const GgufFile& gguf, const GgufCursor& cursor) {
  const Index alignment = gguf.integer("general.alignment").value_or(32);
  if (alignment < 1 || alignment > 1 << 30 || (alignment & (alignment - 1)) != 0)
    cursor.fail("has general.alignment " + std::to_string(alignment) +
                "; it must be a power of two of at most 2^30");
  return static_cast<std::size_t>(alignment);
}

} // namespace

void readGgufTensors(GgufCursor& cursor, std::size_t count, std::span<const std::byte> bytes,
                     GgufFile& gguf) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < count; ++i)
    entries.push_back(entryOf(cursor, gguf.file));
  const std::size_t alignment = alignmentOf(gguf, cursor);
  const std::size_t padding = (alignment - cursor.position() % alignment) % alignment;
  const std::size_t begin = std::min(bytes.size(), cursor.position() + padding);
  const std::span<const std::byte> data = bytes.subspan(begin);
  for (Entry& entry : entries) {
    const std::string label = gguf.file + ": tensor " + excerpt(entry.tensor.name);
    if (entry.offset > data.size() || entry.bytes > data.size() - entry.offset)
      cursor.fail(label, "needs " + countText(entry.bytes, "byte") + " at offset " +
                             std::to_string(entry.offset) + ", but the data has only " +
                             std::to_string(data.size()));
    if (entry.offset % alignment != 0)
      cursor.fail(label, "begins at byte " + std::to_string(entry.offset) +
                             "; it must be a multiple of " + std::to_string(alignment));
    entry.tensor.data = data.data() + entry.offset;
    std::string name = entry.tensor.name;
    if (!gguf.tensors.emplace(std::move(name), std::move(entry.tensor)).second)
      cursor.fail(label, "is stored twice; it must be stored once");
  }
}

} // namespace attention
