// Jobs beside the window: their priority on the machine, and what is said about stopped ones.
#include "app/gui/jobs/job_pool.h"
#include "core/support/parallel.h"
#include "tests/app/gui/shell_window.h"
#include "tests/catch.h"

#include <latch>
#include <set>

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#endif

namespace attention::gui {
namespace {

void waitFor(Job& job) {
  job.waitUntil(std::chrono::steady_clock::time_point::max());
}

TEST_CASE("A job takes all cores but one and at least one", "[threads]") {
  JobPool pool({}, 1);
  int threads = 0;
  waitFor(*pool.submit("counting", [&](const Run& run) { threads = run.threads; }));
  CHECK(threads == jobThreads());
  CHECK(threads >= 1);
  CHECK((threads == resolvedThreads(0) - 1 || threads == 1));
}

#if defined(__linux__)
TEST_CASE("Jobs and the threads that they start have a lower priority than the window",
          "[threads]") {
  struct Place {
    int nice = 0;
    int policy = 0;
    bool operator<(const Place& other) const {
      return std::pair(nice, policy) < std::pair(other.nice, other.policy);
    }
  };
  const auto here = [] { return Place{::getpriority(PRIO_PROCESS, 0), ::sched_getscheduler(0)}; };
  const Place window = here();
  JobPool pool({}, 1);
  std::mutex mutex;
  std::set<Place> places;
  std::latch both(2); // neither thread takes both chunks
  waitFor(*pool.submit("looking around", [&](const Run& run) {
    parallelFor(2, 2, run, [&](Index) {
      both.arrive_and_wait();
      const std::lock_guard lock(mutex);
      places.insert(here());
    });
  }));
  REQUIRE(places.size() == 1);
  CHECK(places.begin()->nice >= window.nice);
  CHECK(places.begin()->nice >= 10);
  CHECK(places.begin()->policy == SCHED_BATCH);
  CHECK(here().nice == window.nice); // the window's priority does not change
}
#endif

TEST_CASE("A job that was told to stop stays active until it has ended", "[threads]") {
  JobPool pool({}, 1);
  std::latch begun(1);
  std::latch mayEnd(1);
  const auto deaf = pool.submit("deaf", [&](const Run&) {
    begun.count_down();
    mayEnd.wait();
  });
  const auto behind = pool.submit("behind", [](const Run&) {});
  begun.wait();
  CHECK(pool.active().size() == 2);
  deaf->stop();
  behind->stop(); // it never began, and takes no thread now
  REQUIRE(pool.active().size() == 1);
  CHECK(pool.active().front() == deaf);
  CHECK(deaf->stopped());
  mayEnd.count_down();
  waitFor(*deaf);
  waitFor(*behind);
  CHECK(pool.active().empty());
}

// Jobs end while the list of tasks is walked; one that is queried twice could be lost between the
// two.
TEST_CASE("What a task returns is run once, whenever the task ends", "[threads]") {
  TestWindow window;
  Workbench& bench = window.bench();
  constexpr int kTasks = 3000;
  int carriedOut = 0;
  for (int k = 0; k < kTasks; ++k) {
    bench.tasks.start("a short task", [&carriedOut](const Run&) -> Finish {
      return [&carriedOut](Workbench&) { ++carriedOut; };
    });
    bench.tasks.finish(bench);
  }
  while (bench.tasks.pending())
    bench.tasks.finish(bench);
  CHECK(carriedOut == kTasks);
}

} // namespace
} // namespace attention::gui
