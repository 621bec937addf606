// Ctrl+C as a stop token, and progress as a bar on a terminal.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <ostream>
#include <stop_token>
#include <streambuf>
#include <thread>

namespace attention::cli {

// While it lives, SIGINT and SIGTERM ask for a stop instead of ending the program at once, so that
// nothing half-written stays behind; a second signal ends it at once. Construct it before any other
// thread starts.
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

// A bar on a terminal that grows and never shrinks; it is removed before anything else is printed,
// and at the end. Threads may report at any time. A first report that comes too soon is shown when
// its time has come, even if no second one follows for long.
class ProgressBar {
public:
  // Waits `first` before it appears and `between` from one update to the next.
  explicit ProgressBar(std::ostream& terminal,
                       std::chrono::milliseconds first = std::chrono::milliseconds(300),
                       std::chrono::milliseconds between = std::chrono::milliseconds(100));
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double share);
  void clear();

  // For Run::progress.
  std::function<void(double)> reporter() {
    return [this](double share) { show(share); };
  }

private:
  // Call these with the mutex locked.
  void draw();
  void drawLater();

  std::ostream& terminal_;
  std::mutex mutex_;
  std::chrono::milliseconds between_;
  std::chrono::steady_clock::time_point next_;
  double most_ = 0;
  bool shown_ = false;
  std::jthread waiter_; // the last member: it uses the others
};

// Wraps a stream's buffer: clears the bar before passing on what is written.
class ClearingBuffer final : public std::streambuf {
public:
  ClearingBuffer(std::streambuf& to, ProgressBar& bar) : to_(to), bar_(bar) {}

private:
  int_type overflow(int_type sign) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override { return to_.pubsync(); }

  std::streambuf& to_;
  ProgressBar& bar_;
};

} // namespace attention::cli
