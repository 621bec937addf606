// A library call that cannot be stopped from outside and is left behind when a stop is requested.
#pragma once

#include "core/support/run.h"

#include <chrono>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace attention {

// Returns what call() returns, or throws its exception. Throws Stopped soon after a stop is
// requested: the call then ends by itself on its own thread, so it must own everything it reads.
template <class Call>
std::invoke_result_t<Call&> stoppable(Call call, const Run& run) {
  constexpr std::chrono::milliseconds kBetweenLooks{20};
  if (!run.stop.stop_possible())
    return call();
  run.check();
  using Result = std::invoke_result_t<Call&>;
  const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(call));
  std::future<Result> result = task->get_future();
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) { // no more threads: runs on the caller's own
    (*task)();
  }
  while (result.wait_for(kBetweenLooks) != std::future_status::ready)
    run.check();
  return result.get();
}

} // namespace attention
