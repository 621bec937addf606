// A standing pool of threads for whatever may take more than a few milliseconds. A job owns copies
// of its inputs, is stopped through its token and reports its progress; its result goes into a
// mailbox of its own (slot.h), so that nothing waits for it.
#pragma once

#include "core/support/run.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace attention::gui {

class Job {
public:
  Job(std::string label, std::function<void(const Run&)> work)
      : label_(std::move(label)), work_(std::move(work)) {}

  const std::string& label() const { return label_; }
  double progress() const { return progress_; }
  bool done() const { return done_; }
  void stop() { stop_.request_stop(); }
  bool stopped() const { return stop_.stop_requested(); }
  // Sleeps until it is done, but no longer than `deadline`.
  void waitUntil(std::chrono::steady_clock::time_point deadline);

private:
  friend class JobPool;
  void execute();

  std::string label_;
  std::function<void(const Run&)> work_; // must not throw
  std::stop_source stop_;
  std::atomic<double> progress_ = 0;
  std::atomic<bool> done_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
};

class JobPool {
public:
  // `wake` is called from a worker whenever a job ends or publishes a part of its result.
  explicit JobPool(std::function<void()> wake = {}, int threads = 0);
  // Stops all jobs and waits for them.
  ~JobPool();
  JobPool(JobPool&&) = delete;

  const std::function<void()>& wake() const { return wake_; }

  std::shared_ptr<Job> submit(std::string label, std::function<void(const Run&)> work);

  // Running jobs (even stopped ones, until they end) and waiting jobs, the oldest first.
  std::vector<std::shared_ptr<Job>> active() const;

private:
  void work(const std::stop_token& stop);
  void forget(const std::shared_ptr<Job>& job);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::vector<std::shared_ptr<Job>> all_; // waiting and running
  std::vector<std::jthread> threads_;     // last: its destructor joins
};

// ---- how jobs leave room for the window: at low priority, on all cores but one ----

// Lowers the priority of the calling thread and of the threads that it starts from now on, as far
// as the system has priorities of threads.
void stepBack();

// Threads of one job: all of the machine's but one, and at least one.
int jobThreads();

} // namespace attention::gui
