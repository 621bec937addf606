// Ctrl+C as a stop token, and progress as a bar on a terminal.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace attention::cli {

// While it lives, SIGINT and SIGTERM ask for a stop instead of ending the program at once, so that
// nothing half-written stays. Make it before any other thread.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token token() const { return source_.get_token(); }

private:
  std::stop_source source_;
  std::atomic<bool> done_ = false;
  std::thread watcher_; // waits for the signals, which are blocked everywhere
};

// A function for Run::progress that draws a bar on standard error, at most ten times a second;
// empty where standard error is no terminal.
std::function<void(double)> terminalProgress();

} // namespace attention::cli
