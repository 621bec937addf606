// The .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "core/input/array_file.h"
#include "core/input/text_lines.h"

#include <array>
#include <charconv>

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
  // The next sign that is no space; '\0' at the end.
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

// Every name that numpy.dtype takes for the type, without the byte order sign. V2 is how NumPy
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

// What is refused, by the name that people know it by.
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
  for (const RefusedType& refused : kRefusedTypes)
    if (isAmong(refused.codes, code))
      found = std::string(refused.name) + " (" + found + ")";
  if (code.starts_with('U') || code.starts_with("str"))
    found = "text (" + found + ")";
  if (code.starts_with("M8") || code.starts_with("m8") || code.find("time") != code.npos)
    found = "dates (" + found + ")";
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

void setType(Tensor& tensor, std::string_view descr) {
  std::string_view code = descr;
  if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
    tensor.bigEndian = code.front() == '>';
    code.remove_prefix(1);
  }
  for (const TypeNames& known : kTypeNames)
    if (isAmong(known.names, code)) {
      tensor.dtype = known.dtype;
      return;
    }
  if (!setText(tensor, code))
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

} // namespace

Tensor parseNpy(std::span<const std::byte> bytes, const std::string& file,
                const std::string& array) {
  Tensor tensor;
  tensor.file = file;
  tensor.name = array;
  const std::string label = tensor.label();
  std::size_t begin = 0;
  Header header = LiteralReader(headerText(bytes, label, begin), label).dictionary();
  tensor.shape = std::move(header.shape);
  setType(tensor, header.descr);
  tensor.fortranOrder = header.fortranOrder;
  const std::size_t needed = checkedBytes(label, tensor.shape, tensor.dtype);
  const std::size_t found = bytes.size() - begin;
  if (needed != found)
    failFormat(label, "has " + std::to_string(found) + " bytes of data; its shape " +
                          shapeText(tensor.shape) + " of " + std::string(name(tensor.dtype)) +
                          " needs " + std::to_string(needed));
  tensor.data = bytes.data() + begin;
  return tensor;
}

} // namespace attention
