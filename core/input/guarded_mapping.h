// A file mapped into memory that others may truncate or rewrite meanwhile (numpy.save onto the same
// name first truncates it to nothing). The system answers a read beyond the new end with the signal
// SIGBUS, which ends a process. Here the read gives zeros instead, and the mapping says that it was
// cut.
//
// The signal handler is installed once, when the first file is mapped: it looks the address up in a
// table of atomics, maps zeros over the rest of that mapping, and returns. It takes no lock,
// allocates nothing, and passes every other address on to the previous handler.
#pragma once

#include <cstddef>
#include <memory>

namespace attention {

class GuardedMapping {
public:
  static constexpr std::size_t kMost = 256; // at the same time: the handler searches a table

  // The first `size` > 0 bytes of an open file, read-only. Null if the system refuses, with
  // errno set (EMFILE where kMost are already mapped).
  static std::unique_ptr<GuardedMapping> map(int file, std::size_t size);
  ~GuardedMapping();
  GuardedMapping(const GuardedMapping&) = delete;
  GuardedMapping& operator=(const GuardedMapping&) = delete;

  const std::byte* data() const { return data_; }
  // Whether a read went beyond the file's end: from there on the bytes are 0.
  bool cut() const;

private:
  GuardedMapping() = default;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0; // whole pages
  std::size_t place_ = 0;
};

} // namespace attention
