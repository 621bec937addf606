// A library's call that cannot be stopped from outside, left behind where a stop is asked for.
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

// What call() gives, or its exception. Throws Stopped soon after a stop is asked for: the call then
// ends by itself on its own thread, so it must own all that it reads.
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
  } catch (const std::system_error&) { // no more threads: the caller's own
    (*task)();
  }
  while (result.wait_for(kBetweenLooks) != std::future_status::ready)
    run.check();
  return result.get();
}

} // namespace attention
