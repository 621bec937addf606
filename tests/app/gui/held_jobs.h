// Jobs that keep all others of a window waiting, so that a test sees what is shown meanwhile.
#pragma once

#include "tests/app/gui/shell_window.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

namespace attention::gui {

// Keeps all other jobs waiting until `go`, as if they were long.
inline void hold(TestWindow& window, const std::shared_ptr<std::atomic<bool>>& go) {
  for (unsigned k = 0; k < std::max(4U, std::thread::hardware_concurrency()); ++k)
    window.bench().pool.submit("what is long", [go](const Run& run) {
      while (!*go && !run.stop.stop_requested())
        std::this_thread::yield();
    });
}

} // namespace attention::gui
