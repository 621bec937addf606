// A slot holds one result and the job that makes the next one. Asking for a key other than the last
// good one starts a job and drops the one for an older key: the newest request wins. What a job
// publishes along the way (curves that grow point by point) is shown until it ends. Errors of a job
// end here, as a Problem.
#pragma once

#include "app/gui/interface/results.h"
#include "app/gui/jobs/job_pool.h"
#include "core/support/error.h"

#include <chrono>
#include <exception>
#include <mutex>
#include <new>

namespace attention::gui {

// What `make` returned: a value, a problem, or neither where it was stopped.
template <class T>
struct Outcome {
  std::shared_ptr<const T> value;
  std::optional<Problem> problem;
};

template <class T, class Make>
Outcome<T> outcomeOf(const Make& make, const Run& run) {
  try {
    return {make(run), {}};
  } catch (const Error& error) {
    return {nullptr, Problem{error.subject(), error.what(), error.code()}};
  } catch (const Stopped&) {
    return {};
  } catch (const std::bad_alloc&) {
    return {nullptr, Problem{"", "there is not enough memory for this"}};
  } catch (const std::exception& error) {
    return {nullptr, Problem{"", error.what()}};
  }
}

// What `make` returns at once, or why it returns nothing: the Scene's question may have no answer.
template <class Make>
auto madeOrProblem(const Make& make) {
  using T = decltype(make());
  return outcomeOf<T>([&](const Run&) { return std::make_shared<const T>(make()); }, {});
}

// How often a result that grows is drawn again as a whole: a few times per second are enough to see
// it grow.
class Pace {
public:
  bool due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200))
      return false;
    last_ = now;
    return true;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

using Deadline = std::chrono::steady_clock::time_point;

// Parts of a result on their way from a job to the window.
template <class T>
class Parts {
public:
  explicit Parts(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Called by the job: shown from the next frame on, in place of the previous part.
  void publish(std::shared_ptr<const T> part) {
    {
      const std::lock_guard lock(mutex_);
      part_ = std::move(part);
    }
    if (wake_)
      wake_();
  }
  // The newest part, once; null where there has been none since.
  std::shared_ptr<const T> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(part_, nullptr);
  }

private:
  std::function<void()> wake_;
  std::mutex mutex_;
  std::shared_ptr<const T> part_;
};

// A running job for an older key is left to end if it is younger than this: a picture that follows
// the pointer a little late is better than none until it rests.
constexpr std::chrono::milliseconds kGrace{300};

template <class Key, class T>
class Slot {
public:
  using Make = std::function<std::shared_ptr<const T>(const Run&)>;
  using MakeInParts = std::function<std::shared_ptr<const T>(const Run&, Parts<T>&)>;

  // What there is for `key`. Where that is not the result held, `make` (which owns copies of what
  // it reads) runs as a job called `label`; it is waited for at most `patience`, so that what is
  // quick is there within the frame.
  Latest<T> ask(JobPool& pool, const std::string& label, const Key& key, const Make& make,
                Deadline patience) {
    return askInParts(
        pool, label, key, [make](const Run& run, Parts<T>&) { return make(run); }, patience);
  }

  // Like ask; what `make` publishes is the latest value, pending, until the whole is there.
  Latest<T> askInParts(JobPool& pool, const std::string& label, const Key& key,
                       const MakeInParts& make, Deadline patience) {
    collectStopped(); // by the key requested when it was stopped
    if (!asked_ || !(*asked_ == key)) {
      asked_ = key;
      problem_.reset();
    }
    collect(); // by the key requested now
    if (!current() && !problem_) {
      work(pool, label, make);
      if (job_ && *jobKey_ == *asked_) {
        job_->waitUntil(patience);
        collect();
      }
    }
    return latest();
  }

  // Takes what a job has left while nothing is requested: otherwise it would be pending for ever.
  void takeEnded() {
    collectStopped();
    collect();
  }

  // Stops the job, since nobody waits for its result; the value stays.
  void stop() {
    if (!job_)
      return;
    job_->stop();
    forget();
  }

  // Forgets everything and stops the job.
  void drop() {
    if (job_)
      job_->stop();
    *this = Slot();
  }

  // What is held is older than its source: the next ask makes it again.
  void renew() {
    stop();
    key_.reset();
    problem_.reset();
  }

  // Drops everything unless both the key held and the key requested pass: keys may hold large data.
  template <class Passes>
  void keepIf(const Passes& passes) {
    if ((key_ && !passes(*key_)) || (asked_ && !passes(*asked_)))
      drop();
  }

  // Allows a key that was stopped to be computed again.
  void retry() {
    if (isStopped(problem_))
      problem_.reset();
  }

  bool pending() const { return job_ != nullptr; }

  Latest<T> latest() const {
    return {value_, value_ && !(asked_ && key_ && *key_ == *asked_), job_ != nullptr,
            job_ ? job_->progress() : 0, problem_};
  }

private:
  // Whether the value is the whole result for the key requested last.
  bool current() const { return asked_ && key_ && whole_ && *key_ == *asked_; }

  void work(JobPool& pool, const std::string& label, const MakeInParts& make) {
    const auto now = std::chrono::steady_clock::now();
    if (job_ && !(*jobKey_ == *asked_) && now - started_ > kGrace) {
      job_->stop();
      job_ = nullptr;
    }
    if (job_)
      return;
    auto outcome = std::make_shared<Outcome<T>>();
    auto parts = std::make_shared<Parts<T>>(pool.wake());
    outcome_ = outcome;
    parts_ = parts;
    jobKey_ = asked_;
    started_ = now;
    job_ = pool.submit(label, [outcome, parts, make](const Run& run) {
      *outcome = outcomeOf<T>([&](const Run& inner) { return make(inner, *parts); }, run);
    });
  }

  void hold(std::shared_ptr<const T> value, bool whole) {
    value_ = std::move(value);
    key_ = jobKey_;
    whole_ = whole;
  }

  void collect() {
    if (!job_)
      return;
    const bool wanted = asked_ && *jobKey_ == *asked_;
    const bool better = wanted || !current(); // than what is held
    if (auto part = parts_->take(); part && better)
      hold(std::move(part), false);
    if (!job_->done() || job_->stopped())
      return;
    if (outcome_->value && better)
      hold(std::move(outcome_->value), true);
    else if (wanted)
      problem_ = outcome_->problem;
    forget();
  }

  // Whoever stops a job that still works for an older key wants none for the newer one either.
  void collectStopped() {
    if (!job_ || !job_->stopped())
      return;
    if (!current()) // else what was requested is there
      problem_ = stoppedByUser();
    forget();
  }

  void forget() {
    job_ = nullptr;
    outcome_ = nullptr;
    parts_ = nullptr;
  }

  std::optional<Key> asked_;
  std::optional<Key> key_;    // of value_
  std::optional<Key> jobKey_; // of job_
  std::shared_ptr<const T> value_;
  bool whole_ = true;              // value_ is no part
  std::optional<Problem> problem_; // of asked_
  std::shared_ptr<Job> job_;
  std::chrono::steady_clock::time_point started_;
  std::shared_ptr<Outcome<T>> outcome_;
  std::shared_ptr<Parts<T>> parts_;
};

} // namespace attention::gui
