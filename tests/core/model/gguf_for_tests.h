// GGUF files made of bytes, for tests of their reader.
#pragma once

#include "tests/core/input/input_files_for_tests.h"

#include <string>

namespace attention::test {

inline std::string ggufText(const std::string& text) {
  return littleEndian(text.size(), 8) + text;
}

// A key with a value of a type by its number in the format.
inline std::string ggufKey(const std::string& key, unsigned type, const std::string& value) {
  return ggufText(key) + littleEndian(type, 4) + value;
}
inline std::string ggufInteger(const std::string& key, std::uint64_t value) {
  return ggufKey(key, 4, littleEndian(value, 4));
}
inline std::string ggufWord(const std::string& key, const std::string& value) {
  return ggufKey(key, 8, ggufText(value));
}

// An entry of the table of tensors; `shape` has the fastest axis first, as the file has it.
inline std::string ggufTensor(const std::string& name, const std::vector<std::uint64_t>& shape,
                              unsigned type, std::uint64_t offset) {
  std::string entry = ggufText(name) + littleEndian(shape.size(), 4);
  for (const std::uint64_t length : shape)
    entry += littleEndian(length, 8);
  return entry + littleEndian(type, 4) + littleEndian(offset, 8);
}

// The parts of a file, and its bytes with the data aligned to 32.
struct GgufParts {
  std::vector<std::string> keys;
  std::vector<std::string> tensors;
  std::string data;
  unsigned version = 3;

  std::string bytes() const {
    std::string file = "GGUF" + littleEndian(version, 4) + littleEndian(tensors.size(), 8) +
                       littleEndian(keys.size(), 8);
    for (const std::string& key : keys)
      file += key;
    for (const std::string& tensor : tensors)
      file += tensor;
    file.resize((file.size() + 31) / 32 * 32, '\0');
    return file + data;
  }
};

} // namespace attention::test
