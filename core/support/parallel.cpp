#include "core/support/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace attention {
namespace {

// The shared state of one parallelFor: the next chunk, the chunks done, the first failure.
class Loop {
public:
  Loop(Index chunks, const Run& run, const std::function<void(Index)>& body)
      : chunks_(chunks), run_(run), body_(body) {}

  void work() {
    try {
      for (Index chunk = next_++; chunk < chunks_ && !failed_; chunk = next_++) {
        run_.check();
        body_(chunk);
        const Index done = ++done_;
        if (run_.progress)
          run_.progress(static_cast<double>(done) / static_cast<double>(chunks_));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_)
        failure_ = std::current_exception();
      failed_ = true;
    }
  }

  void rethrow() const {
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  Index chunks_;
  const Run& run_;
  const std::function<void(Index)>& body_;
  std::atomic<Index> next_{0};
  std::atomic<Index> done_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

} // namespace

int resolvedThreads(int threads) {
  if (threads > 0)
    return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallelFor(Index chunks, int threads, const Run& run,
                 const std::function<void(Index)>& body) {
  if (chunks <= 0)
    return;
  Loop loop(chunks, run, body);
  const Index helpers =
      std::min<Index>(resolvedThreads(threads > 0 ? threads : run.threads), chunks) - 1;
  {
    std::vector<std::jthread> pool;
    pool.reserve(static_cast<std::size_t>(helpers));
    try {
      for (Index k = 0; k < helpers; ++k)
        pool.emplace_back([&loop] { loop.work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: the existing ones do the work, at least the caller's.
    }
    loop.work();
  }
  loop.rethrow();
}

} // namespace attention
