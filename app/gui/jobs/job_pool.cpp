#include "app/gui/jobs/job_pool.h"

#include "core/support/parallel.h"

#include <algorithm>

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#endif

namespace attention::gui {

void Job::waitUntil(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  ended_.wait_until(lock, deadline, [this] { return done_.load(); });
}

void Job::execute() {
  if (!stop_.stop_requested())
    work_(Run{stop_.get_token(), [this](double share) { progress_ = share; }, jobThreads()});
  work_ = nullptr; // its captures go now, not when the last handle does
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
}

JobPool::JobPool(std::function<void()> wake, int threads) : wake_(std::move(wake)) {
  // Some more threads than cores: a long job must not keep the short ones waiting.
  const int count =
      threads > 0 ? threads : std::max(4, static_cast<int>(std::thread::hardware_concurrency()));
  for (int t = 0; t < count; ++t)
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

JobPool::~JobPool() {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& job : all_)
      job->stop();
    waiting_.clear();
  }
  for (auto& thread : threads_)
    thread.request_stop();
}

std::shared_ptr<Job> JobPool::submit(std::string label, std::function<void(const Run&)> work) {
  auto job = std::make_shared<Job>(std::move(label), std::move(work));
  {
    const std::lock_guard lock(mutex_);
    all_.push_back(job);
    waiting_.push_back(job);
  }
  arrived_.notify_one();
  return job;
}

std::vector<std::shared_ptr<Job>> JobPool::active() const {
  const std::lock_guard lock(mutex_);
  const auto waits = [&](const std::shared_ptr<Job>& job) {
    return std::find(waiting_.begin(), waiting_.end(), job) != waiting_.end();
  };
  std::vector<std::shared_ptr<Job>> active;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(active),
               [&](const auto& job) { return !job->done() && !(job->stopped() && waits(job)); });
  return active;
}

void JobPool::work(const std::stop_token& stop) {
  stepBack();
  while (true) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      if (!arrived_.wait(lock, stop, [this] { return !waiting_.empty(); }))
        return;
      job = waiting_.front();
      waiting_.pop_front();
    }
    job->execute();
    forget(job);
    if (wake_)
      wake_();
  }
}

void JobPool::forget(const std::shared_ptr<Job>& job) {
  const std::lock_guard lock(mutex_);
  all_.erase(std::remove(all_.begin(), all_.end(), job), all_.end());
}

void stepBack() {
#if defined(__linux__) // where both are per thread and inherited by threads they start
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, 0, std::max(kNice, ::getpriority(PRIO_PROCESS, 0)));
  const sched_param none{};
  ::sched_setscheduler(0, SCHED_BATCH, &none); // wakes without preempting the window
#endif
}

int jobThreads() {
  return std::max(1, resolvedThreads(0) - 1);
}

} // namespace attention::gui
