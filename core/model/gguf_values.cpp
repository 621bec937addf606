// Values of a GGUF file: numbers, texts, and lists of them.
#include "core/model/gguf_cursor.h"
#include "core/support/number_text.h"

#include <array>

namespace attention {
namespace {

constexpr std::size_t kMostDepth = 4; // of lists in lists

// The types of values, by their numbers in the file.
enum class ValueType : std::uint32_t {
  UInt8,
  Int8,
  UInt16,
  Int16,
  UInt32,
  Int32,
  Float32,
  Bool,
  Text,
  List,
  UInt64,
  Int64,
  Float64,
};

ValueType valueType(GgufCursor& cursor) {
  const auto number = cursor.number<std::uint32_t>("the type of a value");
  if (number > static_cast<std::uint32_t>(ValueType::Float64))
    cursor.fail("has a value of type " + std::to_string(number) + "; it must be at most 12");
  return static_cast<ValueType>(number);
}

// The fewest bytes of a value.
std::size_t bytesOf(ValueType type) {
  constexpr std::array<std::size_t, 13> kBytes{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

bool isReal(ValueType type) {
  return type == ValueType::Float32 || type == ValueType::Float64;
}

double real(GgufCursor& cursor, ValueType type) {
  return type == ValueType::Float32 ? static_cast<double>(cursor.number<float>("a number"))
                                    : cursor.number<double>("a number");
}

// Of a whole number or boolean; `beyond` where 63 bits do not hold it.
Index whole(GgufCursor& cursor, ValueType type, bool& beyond) {
  constexpr const char* kWhat = "an integer";
  switch (type) {
  case ValueType::UInt8:
  case ValueType::Bool:
    return cursor.number<std::uint8_t>(kWhat);
  case ValueType::Int8:
    return cursor.number<std::int8_t>(kWhat);
  case ValueType::UInt16:
    return cursor.number<std::uint16_t>(kWhat);
  case ValueType::Int16:
    return cursor.number<std::int16_t>(kWhat);
  case ValueType::UInt32:
    return cursor.number<std::uint32_t>(kWhat);
  case ValueType::Int32:
    return cursor.number<std::int32_t>(kWhat);
  default: {
    const auto value = cursor.number<std::uint64_t>(kWhat);
    beyond = type == ValueType::UInt64 && value >> 63U != 0;
    return static_cast<Index>(value);
  }
  }
}

GgufValue listOf(GgufCursor& cursor, std::size_t depth) {
  const ValueType type = valueType(cursor);
  const std::size_t count = cursor.count(bytesOf(type), "a list");
  if (count > static_cast<std::size_t>(kMostGgufEntries))
    cursor.fail("has a list of " + countText(count, "entry") + "; it must have at most " +
                std::to_string(kMostGgufEntries));
  if (type == ValueType::List) {
    if (depth == kMostDepth)
      cursor.fail("has lists nested deeper than " + std::to_string(kMostDepth));
    for (std::size_t i = 0; i < count; ++i)
      listOf(cursor, depth + 1);
    return {};
  }
  if (type == ValueType::Text) {
    std::vector<std::string> texts(count);
    for (std::string& text : texts)
      text = cursor.text("a text");
    return texts;
  }
  if (isReal(type)) {
    std::vector<double> numbers(count);
    for (double& number : numbers)
      number = real(cursor, type);
    return numbers;
  }
  std::vector<Index> numbers(count);
  for (Index& number : numbers) {
    bool beyond = false;
    number = whole(cursor, type, beyond);
    if (beyond)
      cursor.fail("has a list with an integer of more than 63 bits; it must fit in 63 bits");
  }
  return numbers;
}

} // namespace

GgufValue readGgufValue(GgufCursor& cursor) {
  const ValueType type = valueType(cursor);
  if (type == ValueType::List)
    return listOf(cursor, 1);
  if (type == ValueType::Text)
    return cursor.text("a text");
  if (isReal(type))
    return real(cursor, type);
  bool beyond = false;
  const Index number = whole(cursor, type, beyond);
  if (type == ValueType::Bool)
    return number != 0;
  if (beyond)
    return static_cast<double>(static_cast<std::uint64_t>(number));
  return number;
}

} // namespace attention
