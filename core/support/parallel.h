// Work over fixed chunks on a few threads. The caller derives chunks only from sizes, never from
// the number of threads, so that results have the same bits at any number of them.
#pragma once

#include "core/support/integers.h"
#include "core/support/run.h"

#include <functional>

namespace attention {

// Threads to use where the caller passes 0: the machine's.
int resolvedThreads(int threads);

// Calls body(chunk) once for each chunk in [0, chunks), in order of number as threads come free,
// and returns when all are done. `threads` ≥ 1, or 0 for the number of `run`. Reports progress to
// `run` and checks it before every chunk; the first exception of a body is rethrown to the caller.
void parallelFor(Index chunks, int threads, const Run& run, const std::function<void(Index)>& body);

} // namespace attention
