// Files made of bytes, for tests of readers: whole ones to read and broken ones to refuse.
#pragma once

#include "core/support/error.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

namespace attention::test {

inline std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// The bytes of `values` as in memory.
template <class T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::string littleEndian(std::uint64_t value, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes += i < sizeof value ? static_cast<char>(value >> (8 * i) & 0xFFU) : '\0';
  return bytes;
}

// A .npy file: `dictionary` is the header's text.
inline std::string npyOf(const std::string& dictionary, const std::string& data, int version = 1) {
  const std::string header = dictionary + "\n";
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         littleEndian(header.size(), version == 1 ? 2 : 4) + header + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false, int version = 1) {
  return npyOf("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                   ", 'shape': " + shape + ", }",
               data, version);
}

inline std::string safetensors(const std::string& header, const std::string& data) {
  return littleEndian(header.size(), 8) + header + data;
}

// A folder that is removed with its contents.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "attention-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

// What `action` throws as "E_CODE: sentence"; empty if it throws nothing.
template <class Action>
std::string errorOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace attention::test
