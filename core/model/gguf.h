// The GGUF format, versions 2 and 3 (https://github.com/ggml-org/ggml, docs/gguf.md): keys with
// values, a table of tensors, and behind it their numbers. The parser is a pure function of bytes
// and a name: it touches no file, keeps no state and can be fuzzed. Tensors point into the bytes.
#pragma once

#include "core/model/weight_matrix.h"
#include "core/support/error.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attention {

// Integers of any width and booleans of a list are 64-bit integers, floats are doubles; an integer
// beyond 63 bits is a double. monostate: a list of lists, which no key that we know has.
using GgufValue = std::variant<std::monostate, bool, Index, double, std::string, std::vector<Index>,
                               std::vector<double>, std::vector<std::string>>;

constexpr Index kMostGgufEntries = Index{1} << 26; // of one list

struct GgufTensor {
  std::string name;
  std::vector<Index> shape;     // slowest axis first: [rows, cols], as NumPy writes it
  WeightType type{};            // not set where there is a problem
  std::optional<Error> problem; // thrown when the tensor is asked for: a type that is not known
  const std::byte* data = nullptr;
};

struct GgufFile {
  std::string file; // its name in errors
  std::map<std::string, GgufValue, std::less<>> metadata;
  std::map<std::string, GgufTensor, std::less<>> tensors; // by name
  std::shared_ptr<const void> owner; // keeps the tensors' data alive; null from parseGguf

  bool has(std::string_view key) const { return metadata.find(key) != metadata.end(); }

  // Nothing where the key is absent. E_TYPE where its value is of another type; a whole number is
  // also a number, and one number also stands for a list of numbers.
  std::optional<bool> flag(std::string_view key) const;
  std::optional<Index> integer(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  // Null, or of no numbers, where it is absent. E_TYPE likewise.
  const std::vector<std::string>* texts(std::string_view key) const;
  std::vector<Index> integers(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;

  bool hasTensor(std::string_view name) const { return tensors.find(name) != tensors.end(); }
  // E_UNKNOWN where there is none; throws its problem where it has one.
  const GgufTensor& tensor(std::string_view name) const;
};

// E_UNSUPPORTED: not this format, another version, the other byte order, a damaged file: a count,
// length, offset or size that leaves the file, two keys or tensors of one name, lists nested deeper
// than four, a list of more than kMostGgufEntries. Every count is compared with the bytes that are
// left before anything is allocated for it. O(bytes of the metadata).
GgufFile parseGguf(std::span<const std::byte> bytes, const std::string& file);

// Of a file, mapped where it is large. E_IO, and E_UNSUPPORTED as above.
GgufFile readGguf(const std::filesystem::path& path);

} // namespace attention
