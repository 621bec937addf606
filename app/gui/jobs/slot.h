// A slot holds one result and the job that makes the next one. Asking for a key that is not the
// last good one's starts a job and drops the one that works for an older key: the newest request
// wins. Errors of a job end here, as a Problem.
#pragma once

#include "app/gui/jobs/job_pool.h"
#include "app/gui/view/results.h"
#include "core/support/error.h"

#include <chrono>
#include <exception>
#include <new>

namespace attention::gui {

// What running `make` gave: a value, a problem, or neither where it was stopped.
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
    return {nullptr, Problem{error.subject(), error.what()}};
  } catch (const Stopped&) {
    return {};
  } catch (const std::bad_alloc&) {
    return {nullptr, Problem{"", "there is not enough memory for this"}};
  } catch (const std::exception& error) {
    return {nullptr, Problem{"", error.what()}};
  }
}

using Deadline = std::chrono::steady_clock::time_point;

// A running job for an older key is left to end if it is younger than this: a picture that follows
// the pointer a little late is better than none until the pointer rests.
constexpr std::chrono::milliseconds kGrace{300};

template <class Key, class T>
class Slot {
public:
  using Make = std::function<std::shared_ptr<const T>(const Run&)>;

  // What there is for `key`; where that is not the result held, `make` (which owns copies of what
  // it reads) runs as a job called `label`, which is waited for until `patience` at most: what is
  // quick is there within the frame.
  Latest<T> ask(JobPool& pool, const std::string& label, const Key& key, const Make& make,
                Deadline patience) {
    collect();
    if (!asked_ || !(*asked_ == key)) {
      asked_ = key;
      problem_.reset();
    }
    if (!current() && !problem_) {
      work(pool, label, make);
      if (job_ && *jobKey_ == *asked_) {
        job_->waitUntil(patience);
        collect();
      }
    }
    return latest();
  }

  // Forgets everything and stops the job.
  void drop() {
    if (job_)
      job_->stop();
    *this = Slot();
  }

  // Lets a key that was stopped be computed anew.
  void retry() {
    if (problem_ && problem_->text == kStopped)
      problem_.reset();
  }

  bool pending() const { return job_ != nullptr; }

  Latest<T> latest() const {
    return {value_, value_ && !current(), job_ != nullptr, job_ ? job_->progress() : 0, problem_};
  }

  static constexpr const char* kStopped = "stopped";

private:
  bool current() const { return asked_ && key_ && *key_ == *asked_; }

  void work(JobPool& pool, const std::string& label, const Make& make) {
    const auto now = std::chrono::steady_clock::now();
    if (job_ && !(*jobKey_ == *asked_) && now - started_ > kGrace) {
      job_->stop();
      job_ = nullptr;
    }
    if (job_)
      return;
    auto outcome = std::make_shared<Outcome<T>>();
    outcome_ = outcome;
    jobKey_ = asked_;
    started_ = now;
    job_ =
        pool.submit(label, [outcome, make](const Run& run) { *outcome = outcomeOf<T>(make, run); });
  }

  void collect() {
    if (!job_ || (!job_->done() && !job_->stopped()))
      return;
    const bool wanted = asked_ && *jobKey_ == *asked_;
    if (job_->stopped()) { // by the user
      problem_ = Problem{"", kStopped};
    } else if (outcome_->value) {
      value_ = std::move(outcome_->value);
      key_ = jobKey_;
    } else if (wanted) {
      problem_ = outcome_->problem;
    }
    job_ = nullptr;
    outcome_ = nullptr;
  }

  std::optional<Key> asked_;
  std::optional<Key> key_;    // of value_
  std::optional<Key> jobKey_; // of job_
  std::shared_ptr<const T> value_;
  std::optional<Problem> problem_; // of asked_
  std::shared_ptr<Job> job_;
  std::chrono::steady_clock::time_point started_;
  std::shared_ptr<Outcome<T>> outcome_;
};

} // namespace attention::gui
