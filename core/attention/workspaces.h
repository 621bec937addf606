// Scratch memory that the chunks of a parallel loop use one after another: as many as there are
// threads working, made when first needed.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace attention {

template <class Work>
class Workspaces {
public:
  explicit Workspaces(std::function<std::unique_ptr<Work>()> make) : make_(std::move(make)) {}

  // Returns its workspace when it ends.
  class Loan {
  public:
    Loan(Workspaces& from, std::unique_ptr<Work> work) : from_(from), work_(std::move(work)) {}
    ~Loan() { from_.giveBack(std::move(work_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Work* operator->() const { return work_.get(); }
    Work& operator*() const { return *work_; }

  private:
    Workspaces& from_;
    std::unique_ptr<Work> work_;
  };

  Loan take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Work> work = std::move(idle_.back());
        idle_.pop_back();
        return {*this, std::move(work)};
      }
    }
    return {*this, make_()};
  }

private:
  void giveBack(std::unique_ptr<Work> work) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(work));
  }

  std::function<std::unique_ptr<Work>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> idle_;
};

} // namespace attention
