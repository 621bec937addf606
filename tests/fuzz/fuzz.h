// One fuzz target: a file fuzz_<name>.cpp with ATTENTION_FUZZ_TARGET(name) { … } that feeds `bytes`
// to one parser. Built with clang it is a libFuzzer program; built into the tests it joins a list
// whose seeds (tests/fuzz/seeds/<name>/) and found defects (…/<name>/) are replayed.
// Refusing bytes with an Error is correct; any other exception, or an error text that is not one
// line, is a defect.
#pragma once

#include "core/support/error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::fuzz {

using Target = void (*)(std::span<const std::byte> bytes);

struct NamedTarget {
  std::string name;
  Target run = nullptr;
};

// The targets of this program.
inline std::vector<NamedTarget>& targets() {
  static std::vector<NamedTarget> list;
  return list;
}

// The bytes as text, for parsers of text.
inline std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Whether `text` can be shown on one line of a terminal.
inline bool isOneLine(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return false;
  return true;
}

// Runs the target; false, with a message, if its error text is not one line.
inline bool survives(Target target, std::span<const std::byte> bytes) {
  try {
    target(bytes);
  } catch (const Error& error) {
    if (!isOneLine(error.text())) {
      std::cerr << "not one line: " << error.text() << '\n';
      return false;
    }
  }
  return true;
}

} // namespace attention::fuzz

#ifdef ATTENTION_FUZZ_ENGINE
#define ATTENTION_FUZZ_ENTRY(name)                                                                 \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {              \
    if (!attention::fuzz::survives(name##Target, std::as_bytes(std::span(data, size))))            \
      std::abort();                                                                                \
    return 0;                                                                                      \
  }
#else
#define ATTENTION_FUZZ_ENTRY(name)                                                                 \
  static const bool name##Listed =                                                                 \
      (attention::fuzz::targets().push_back({#name, name##Target}), true);
#endif

#define ATTENTION_FUZZ_TARGET(name)                                                                \
  static void name##Target(std::span<const std::byte> bytes);                                      \
  ATTENTION_FUZZ_ENTRY(name)                                                                       \
  static void name##Target(std::span<const std::byte> bytes)
