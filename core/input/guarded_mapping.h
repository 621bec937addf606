// A file mapped into memory that may be cut or rewritten by somebody else meanwhile (numpy.save
// onto the same name cuts it to nothing first). The system answers a read beyond the new end with
// the signal SIGBUS, which ends a process. Here the read gives zeros instead, and the mapping says
// that it was cut.
//
// The handler of the signal is set when the first file is mapped, and once: it looks the address up
// in a table of atomics, maps zeros over the rest of that mapping, and returns. It takes no lock,
// allocates nothing, and hands every other address on to the handler from before.
#pragma once

#include <cstddef>
#include <memory>

namespace attention {

class GuardedMapping {
public:
  static constexpr std::size_t kMost = 256; // at once: the handler looks through a table of them

  // The first `size` > 0 bytes of an open file, read-only. Null where the system refuses, with
  // errno set, and with EMFILE where kMost are mapped already.
  static std::unique_ptr<GuardedMapping> map(int file, std::size_t size);
  ~GuardedMapping();
  GuardedMapping(const GuardedMapping&) = delete;
  GuardedMapping& operator=(const GuardedMapping&) = delete;

  const std::byte* data() const { return data_; }
  // Whether a read found no file any more: from there on the bytes are 0.
  bool cut() const;

private:
  GuardedMapping() = default;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0; // whole pages
  std::size_t place_ = 0;
};

} // namespace attention
