// For the time of a test the process may take only this much more memory: a request for terabytes
// is refused instead of slowing the machine down. Does nothing under AddressSanitizer, which
// reserves terabytes itself.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

// Whether a text contains a size of gigabytes (2^30 and above) that may be tried only while memory
// is limited.
inline bool needsMemoryLimit(const std::string& text) {
  return text.find("10737418") != std::string::npos || text.find("4294967296") != std::string::npos;
}

class MemoryLimit {
public:
  explicit MemoryLimit(std::size_t bytesMore) {
    ::getrlimit(RLIMIT_AS, &before_);
    std::ifstream in("/proc/self/statm");
    rlim_t pages = 0;
    if (!kLimitsMemory || !(in >> pages))
      return;
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + bytesMore;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
  rlimit before_{};
};
