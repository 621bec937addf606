#include "core/analysis/timing/clock.h"

#include <chrono>

namespace attention {

Clock steadyClock() {
  return [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
}

} // namespace attention
