// Jobs that keep all others of a window waiting, so that a test sees what is shown meanwhile.
#pragma once

#include "tests/app/gui/shell_window.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

namespace attention::gui {

// Keeps so many threads of the pool busy until `go`, as if their jobs were long.
inline void hold(JobPool& pool, unsigned threads, const std::shared_ptr<std::atomic<bool>>& go) {
  for (unsigned k = 0; k < threads; ++k)
    pool.submit("what is long", [go](const Run& run) {
      while (!*go && !run.stop.stop_requested())
        std::this_thread::yield();
    });
}

// Keeps all other jobs waiting until `go`.
inline void hold(TestWindow& window, const std::shared_ptr<std::atomic<bool>>& go) {
  hold(window.bench().pool, std::max(4U, std::thread::hardware_concurrency()), go);
}

} // namespace attention::gui
