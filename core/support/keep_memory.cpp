#include "core/support/keep_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attention {

void keepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_ARENA_MAX, 1); // others would each keep as much, and return nothing on request
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB); // the most that glibc allows
  mallopt(M_TRIM_THRESHOLD, 64 * kMiB);
#endif
}

void giveFreedMemoryBack() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

} // namespace attention
