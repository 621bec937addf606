#include "app/cli/interrupt.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace attention::cli {
namespace {

sigset_t interruptSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR2); // wakes the watcher at the end
  return set;
}

// What the threads that report share.
class Bar {
public:
  ~Bar() { clear(); }

  void show(double share) {
    using Clock = std::chrono::steady_clock;
    const std::scoped_lock lock(mutex_);
    const auto now = Clock::now();
    if (now < next_)
      return;
    next_ = now + std::chrono::milliseconds(100);
    constexpr int kWidth = 40;
    const int full = static_cast<int>(share * kWidth);
    std::fputs("\r[", stderr);
    for (int k = 0; k < kWidth; ++k)
      std::fputc(k < full ? '#' : '.', stderr);
    std::fprintf(stderr, "] %3d %%", static_cast<int>(share * 100));
    shown_ = true;
  }

private:
  void clear() {
    if (shown_)
      std::fputs("\r\033[K", stderr);
  }

  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  bool shown_ = false;
};

} // namespace

Interrupts::Interrupts() {
  const sigset_t set = interruptSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::thread([this, set] {
    int signal = 0;
    while (sigwait(&set, &signal) == 0 && !done_) {
      if (signal == SIGUSR2)
        continue;
      if (source_.stop_requested())
        std::_Exit(130); // asked twice: not even tidying up is waited for
      source_.request_stop();
    }
  });
}

Interrupts::~Interrupts() {
  done_ = true;
  pthread_kill(watcher_.native_handle(), SIGUSR2);
  watcher_.join();
}

std::function<void(double)> terminalProgress() {
  if (::isatty(STDERR_FILENO) == 0)
    return {};
  return [bar = std::make_shared<Bar>()](double share) { bar->show(share); };
}

} // namespace attention::cli
