#include "app/cli/interrupt.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <string>

namespace attention::cli {
namespace {

constexpr int kWidth = 40;

sigset_t interruptSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR2); // wakes the watcher at the end
  return set;
}

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
        std::_Exit(130); // second request: do not even wait for cleanup
      source_.request_stop();
    }
  });
}

Interrupts::~Interrupts() {
  done_ = true;
  pthread_kill(watcher_.native_handle(), SIGUSR2);
  watcher_.join();
}

ProgressBar::ProgressBar(std::ostream& terminal, std::chrono::milliseconds first,
                         std::chrono::milliseconds between)
    : terminal_(terminal), between_(between), next_(std::chrono::steady_clock::now() + first) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::show(double share) {
  const std::scoped_lock lock(mutex_);
  most_ = std::max(most_, std::clamp(share, 0.0, 1.0)); // threads report in any order
  const auto now = std::chrono::steady_clock::now();
  if (now >= next_) {
    next_ = now + between_;
    draw();
  } else if (!waiter_.joinable() && !shown_) {
    drawLater();
  }
}

void ProgressBar::drawLater() {
  waiter_ = std::jthread([this, until = next_](const std::stop_token& stop) {
    std::condition_variable_any nothing;
    std::unique_lock lock(mutex_);
    nothing.wait_until(lock, stop, until, [] { return false; });
    if (!stop.stop_requested() && !shown_)
      draw();
  });
}

void ProgressBar::draw() {
  const auto full = static_cast<std::size_t>(most_ * kWidth);
  terminal_ << "\r[" << std::string(full, '#') << std::string(kWidth - full, '.') << "] "
            << static_cast<int>(most_ * 100) << " %" << std::flush;
  shown_ = true;
}

void ProgressBar::clear() {
  const std::scoped_lock lock(mutex_);
  waiter_.request_stop(); // what is printed now is the answer
  if (shown_)
    terminal_ << "\r\033[K" << std::flush;
  shown_ = false;
}

ClearingBuffer::int_type ClearingBuffer::overflow(int_type sign) {
  bar_.clear();
  if (traits_type::eq_int_type(sign, traits_type::eof()))
    return traits_type::not_eof(sign);
  return to_.sputc(traits_type::to_char_type(sign));
}

std::streamsize ClearingBuffer::xsputn(const char* text, std::streamsize count) {
  bar_.clear();
  return to_.sputn(text, count);
}

} // namespace attention::cli
