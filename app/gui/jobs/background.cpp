#include "app/gui/jobs/background.h"

#include "core/support/parallel.h"

#include <algorithm>

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#endif

namespace attention::gui {

void stepBack() {
#if defined(__linux__) // where both are of threads, and are handed on to those that they start
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, 0, std::max(kNice, ::getpriority(PRIO_PROCESS, 0)));
  const sched_param none{};
  ::sched_setscheduler(0, SCHED_BATCH, &none); // wakes without taking the core from the window
#endif
}

int jobThreads() {
  return std::max(1, resolvedThreads(0) - 1);
}

} // namespace attention::gui
