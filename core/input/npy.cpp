// The .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "core/input/array_file.h"
#include "core/input/text_lines.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace attention {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// The header's dictionary, a Python literal.
struct Header {
  std::string_view descr;
  bool fortranOrder = false;
  std::vector<Index> shape;
};

// Reads just the literals that headers are made of: strings, True, False, tuples of integers.
class LiteralReader {
public:
  LiteralReader(std::string_view text, const std::string& label) : text_(text), label_(label) {}

  Header dictionary() {
    Header header;
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      bool& seen = key == "descr"           ? descr
                   : key == "fortran_order" ? order
                   : key == "shape"         ? shape
                                            : fail();
      if (seen)
        fail();
      seen = true;
      if (key == "descr")
        header.descr = type();
      else if (key == "fortran_order")
        header.fortranOrder = boolean();
      else
        header.shape = tuple();
      if (!accept(',') && peek() != '}')
        fail();
    }
    if (!descr || !order || !shape || peek() != '\0')
      fail();
    return header;
  }

private:
  [[noreturn]] bool& fail() const {
    throw Error(ErrorCode::Unsupported, label_,
                label_ + " has a damaged .npy header; it must be a dictionary of descr, "
                         "fortran_order and shape");
  }
  // The next character that is not a space; '\0' at the end.
  char peek() {
    const std::size_t begin = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(begin == std::string_view::npos ? text_.size() : begin);
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char c) {
    if (c == '\0' || peek() != c)
      return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      fail();
  }
  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      fail();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos)
      fail();
    const std::string_view inner = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return inner;
  }
  // A structured type is a list of fields.
  std::string_view type() {
    if (peek() == '[')
      throw Error(ErrorCode::Type, label_,
                  label_ + " holds records with fields; it must hold plain numbers");
    return string();
  }
  bool boolean() {
    peek();
    for (const std::string_view word : {"True", "False"})
      if (text_.substr(0, word.size()) == word) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    fail();
  }
  std::vector<Index> tuple() {
    std::vector<Index> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(integer());
      if (!accept(',') && peek() != ')')
        fail();
      if (lengths.size() > 64) // NumPy's own limit
        fail();
    }
    return lengths;
  }
  Index integer() {
    peek();
    Index value = 0;
    const auto result = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (result.ec != std::errc{})
      fail();
    text_.remove_prefix(static_cast<std::size_t>(result.ptr - text_.data()));
    accept('L'); // Python 2 wrote 3L
    return value;
  }

  std::string_view text_;
  const std::string& label_;
};

struct TypeNames {
  DType dtype;
  std::string_view names; // separated by spaces
};

// Every name that numpy.dtype accepts for the type, without the byte order sign. V2 is how NumPy
// writes bfloat16, which it does not know (ml_dtypes).
constexpr std::array<TypeNames, 13> kTypeNames{
    {{DType::Bool, "b1 ? bool bool_ bool8"},
     {DType::Int8, "i1 b int8 byte"},
     {DType::UInt8, "u1 B uint8 ubyte"},
     {DType::Int16, "i2 h int16 short"},
     {DType::UInt16, "u2 H uint16 ushort"},
     {DType::Int32, "i4 i int32 intc"},
     {DType::UInt32, "u4 I uint32 uintc"},
     {DType::Int64, "i8 l q p int64 int int_ long longlong intp"},
     {DType::UInt64, "u8 L Q P uint64 uint ulong ulonglong uintp"},
     {DType::Float16, "f2 e float16 half"},
     {DType::BFloat16, "V2 bfloat16"},
     {DType::Float32, "f4 f float32 single"},
     {DType::Float64, "f8 d float64 double float float_"}}};

// Refused types, by their usual names.
struct RefusedType {
  std::string_view name;
  std::string_view codes;
};

constexpr std::array<RefusedType, 2> kRefusedTypes{
    {{"longdouble", "f16 f12 g float128 float96 longdouble longfloat"},
     {"complex",
      "c8 c16 c24 c32 F D G complex complex64 complex128 complex192 complex256 complex_ csingle "
      "singlecomplex cdouble cfloat clongdouble clongfloat longcomplex"}}};

bool isAmong(std::string_view names, std::string_view name) {
  for (const std::string_view each : split(names, ' '))
    if (each == name)
      return true;
  return false;
}

[[noreturn]] void failType(const std::string& label, std::string_view descr,
                           std::string_view code) {
  if (code.starts_with('O') || code == "object")
    throw Error(ErrorCode::Unsupported, label,
                label + " holds pickled Python objects, which are never loaded; it must hold "
                        "numbers");
  std::string found = excerpt(descr);
  const bool dates =
      code.starts_with("M8") || code.starts_with("m8") || code.find("time") != code.npos;
  if (dates || code.starts_with('U') || code.starts_with("str"))
    throw Error(ErrorCode::Type, label,
                label + " holds " + (dates ? "dates" : "text") + " (dtype " + found +
                    "); it must hold numbers");
  for (const RefusedType& refused : kRefusedTypes)
    if (isAmong(refused.codes, code))
      found = std::string(refused.name) + " (" + found + ")";
  throw Error(ErrorCode::Type, label,
              label + " has dtype " + found +
                  "; it must be bool, an integer of 8 to 64 bits, float16, bfloat16, float32 or "
                  "float64");
}

// Characters of NumPy's S<k> become a last axis of k bytes.
bool setText(Tensor& tensor, std::string_view code) {
  if (!code.starts_with('S') && !code.starts_with('a'))
    return false;
  const auto size = integerOf(code.substr(1));
  if (!size || *size < 1)
    return false;
  tensor.dtype = DType::Text;
  tensor.shape.push_back(*size);
  return true;
}

// For numbers; false for anything else. `code` loses its byte order character.
bool setNumbers(Tensor& tensor, std::string_view& code) {
  if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
    tensor.bigEndian = code.front() == '>';
    code.remove_prefix(1);
  }
  for (const TypeNames& known : kTypeNames)
    if (isAmong(known.names, code)) {
      tensor.dtype = known.dtype;
      return true;
    }
  return false;
}

void setType(Tensor& tensor, std::string_view descr) {
  std::string_view code = descr;
  if (!setNumbers(tensor, code) && !setText(tensor, code))
    failType(tensor.label(), descr, code);
}

[[noreturn]] void failFormat(const std::string& label, const std::string& what) {
  throw Error(ErrorCode::Unsupported, label, label + " " + what);
}

std::size_t byteAt(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<std::size_t>(bytes[at]);
}

// The header's text; `dataBegin` is set to where the numbers begin.
std::string_view headerText(std::span<const std::byte> bytes, const std::string& label,
                            std::size_t& dataBegin) {
  const std::string_view text = textOf(bytes);
  if (text.substr(0, kMagic.size()) != kMagic)
    failFormat(label, "is not a .npy file: it does not begin with \\x93NUMPY");
  if (bytes.size() < 12)
    failFormat(label, "ends within its .npy header");
  const std::size_t version = byteAt(bytes, 6);
  if (version < 1 || version > 3)
    failFormat(label, "is .npy version " + std::to_string(version) + "; it must be 1, 2 or 3");
  std::size_t length = byteAt(bytes, 8) | byteAt(bytes, 9) << 8U;
  std::size_t begin = 10;
  if (version > 1) {
    length |= byteAt(bytes, 10) << 16U | byteAt(bytes, 11) << 24U;
    begin = 12;
  }
  if (length > bytes.size() - begin)
    failFormat(label, "ends within its .npy header");
  dataBegin = begin + length;
  return text.substr(begin, length);
}

// Characters of one text, without the zeros that fill it up.
struct Texts {
  bool wide = false; // U: four bytes per character; S: one
  bool bigEndian = false;
  std::size_t characters = 0; // of each
};

std::optional<Texts> textsOf(std::string_view descr) {
  Texts texts;
  if (!descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos) {
    texts.bigEndian = descr.front() == '>';
    descr.remove_prefix(1);
  }
  if (descr.empty() || (descr.front() != 'U' && descr.front() != 'S'))
    return std::nullopt;
  texts.wide = descr.front() == 'U';
  const auto characters = integerOf(descr.substr(1));
  if (!characters || *characters < 0 || *characters > kMaxLength)
    return std::nullopt;
  texts.characters = static_cast<std::size_t>(*characters);
  return texts;
}

void appendUtf8(std::string& text, std::size_t sign) {
  const auto put = [&](std::size_t byte) { text += static_cast<char>(byte); };
  if (sign < 0x80)
    return put(sign);
  if (sign >= 0x10000) {
    put(0xF0 | sign >> 18U);
    put(0x80 | (sign >> 12U & 0x3FU));
  } else if (sign >= 0x800) {
    put(0xE0 | sign >> 12U);
  } else {
    put(0xC0 | sign >> 6U);
    return put(0x80 | (sign & 0x3FU));
  }
  put(0x80 | (sign >> 6U & 0x3FU));
  put(0x80 | (sign & 0x3FU));
}

std::string textAt(std::span<const std::byte> bytes, const Texts& texts, const std::string& label) {
  constexpr std::size_t kLastSign = 0x10FFFF;
  std::string text;
  std::size_t end = 0; // of everything before the zeros
  for (std::size_t k = 0; k < texts.characters; ++k) {
    std::size_t sign = 0;
    for (std::size_t b = 0; b < (texts.wide ? 4U : 1U); ++b)
      sign |= byteAt(bytes, texts.wide ? 4 * k + b : k) << 8U * (texts.bigEndian ? 3 - b : b);
    if (!texts.wide) {
      text += static_cast<char>(sign);
    } else {
      if (sign > kLastSign || (sign >= 0xD800 && sign < 0xE000))
        throw Error(ErrorCode::Type, label,
                    label + " holds the number " + std::to_string(sign) +
                        " as a character; it must be text of Unicode");
      appendUtf8(text, sign);
    }
    end = sign == 0 ? end : text.size();
  }
  return text.substr(0, end);
}

} // namespace

std::optional<std::string> textOfNpy(std::span<const std::byte> bytes, const std::string& file,
                                     const std::string& array, bool asList) {
  Tensor tensor;
  tensor.file = file;
  tensor.name = array;
  const std::string label = tensor.label();
  std::size_t begin = 0;
  const Header header = LiteralReader(headerText(bytes, label, begin), label).dictionary();
  const auto texts = textsOf(header.descr);
  if (!texts) {
    std::string_view code = header.descr;
    if (!header.shape.empty() || !setNumbers(tensor, code) ||
        bytes.size() - begin != itemSize(tensor.dtype))
      return std::nullopt;
    tensor.shape = {1};
    tensor.data = bytes.data() + begin;
    const double only = number(tensor, 0);
    if (tensor.dtype == DType::Bool) // as JSON has them, which are no numbers
      return only == 1 ? "true" : "false";
    return shortest(only);
  }
  const std::size_t each = texts->characters * (texts->wide ? 4 : 1);
  std::size_t count = 1;
  for (const Index length : header.shape)
    count *= static_cast<std::size_t>(std::clamp<Index>(length, 0, kMaxLength));
  if (header.shape.size() > 1 || count * each != bytes.size() - begin)
    return std::nullopt; // whoever asks for the array is told
  if (header.shape.empty() || (count == 1 && !asList))
    return textAt(bytes.subspan(begin), *texts, label);
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t k = 0; k < count; ++k)
    list.push_back(textAt(bytes.subspan(begin + k * each, each), *texts, label));
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

namespace {

// Without its numbers, which begin at `begin`.
Tensor shapeOfNpy(std::span<const std::byte> bytes, const std::string& file,
                  const std::string& array, std::size_t& begin) {
  Tensor tensor;
  tensor.file = file;
  tensor.name = array;
  const std::string label = tensor.label();
  Header header = LiteralReader(headerText(bytes, label, begin), label).dictionary();
  tensor.shape = std::move(header.shape);
  setType(tensor, header.descr);
  tensor.fortranOrder = header.fortranOrder;
  checkedBytes(label, tensor.shape, tensor.dtype);
  return tensor;
}

} // namespace

Tensor parseNpyShape(std::span<const std::byte> bytes, const std::string& file,
                     const std::string& array) {
  std::size_t begin = 0;
  return shapeOfNpy(bytes, file, array, begin);
}

Tensor parseNpy(std::span<const std::byte> bytes, const std::string& file,
                const std::string& array) {
  std::size_t begin = 0;
  Tensor tensor = shapeOfNpy(bytes, file, array, begin);
  const std::string label = tensor.label();
  const std::size_t needed = checkedBytes(label, tensor.shape, tensor.dtype);
  const std::size_t found = bytes.size() - begin;
  if (needed != found)
    failFormat(label, "has " + countText(found, "byte") + " of data; its shape " +
                          shapeText(tensor.shape) + " of " + std::string(name(tensor.dtype)) +
                          " needs " + std::to_string(needed));
  tensor.data = bytes.data() + begin;
  return tensor;
}

} // namespace attention
