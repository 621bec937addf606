// Work on rows one by one, in chunks fixed by their number.
#pragma once

#include "core/support/parallel.h"

#include <algorithm>

namespace attention {

// Calls each(i) for i in [0, rows); looks at `run` before each chunk.
template <class Each>
void forRows(Index rows, const Run& run, const Each& each) {
  constexpr Index kTogether = 32;
  parallelFor(ceilDiv(rows, kTogether), run.threads, run.quiet(), [&](Index chunk) {
    const Index end = std::min(rows, (chunk + 1) * kTogether);
    for (Index i = chunk * kTogether; i < end; ++i)
      each(i);
  });
}

} // namespace attention
