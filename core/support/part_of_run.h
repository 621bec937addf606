// Progress of a computation in several parts: each reports from 0 to 1, while the whole rises from
// 0 to 1 once.
#pragma once

#include "core/support/integers.h"
#include "core/support/run.h"

namespace attention {

// `run` for the part between the shares `begin` and `end` of the whole. The parts' reports go to
// run.progress, which must outlive the result.
inline Run partOf(const Run& run, double begin, double end) {
  Run part = run.quiet();
  if (run.progress)
    part.progress = [&run, begin, end](double share) {
      run.progress(begin + (end - begin) * share);
    };
  return part;
}

// The same for step k of `steps` equal ones.
inline Run stepOf(const Run& run, Index k, Index steps) {
  const auto all = static_cast<double>(steps);
  return partOf(run, static_cast<double>(k) / all, static_cast<double>(k + 1) / all);
}

} // namespace attention
