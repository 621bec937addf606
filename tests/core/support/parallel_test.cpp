#include "core/support/parallel.h"

#include "tests/catch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace attention;

TEST_CASE("Every chunk is done exactly once at any number of threads", "[threads]") {
  const int threads = GENERATE(0, 1, 2, 7);
  const Index chunks = GENERATE(Index{0}, Index{1}, Index{2}, Index{64}, Index{1000});
  std::vector<int> calls(static_cast<std::size_t>(chunks), 0);
  parallelFor(chunks, threads, {}, [&](Index c) { ++calls[static_cast<std::size_t>(c)]; });
  CHECK(calls == std::vector<int>(static_cast<std::size_t>(chunks), 1));
}

TEST_CASE("Progress is reported once per chunk and ends at 1", "[threads]") {
  std::mutex mutex;
  std::vector<double> shares;
  Run run;
  run.progress = [&](double share) {
    const std::scoped_lock lock(mutex);
    shares.push_back(share);
  };
  parallelFor(40, 4, run, [](Index) {});
  REQUIRE(shares.size() == 40);
  CHECK(*std::max_element(shares.begin(), shares.end()) == 1.0);
  CHECK(*std::min_element(shares.begin(), shares.end()) == Approx(1.0 / 40));
}

TEST_CASE("The exception of a chunk reaches the caller", "[threads]") {
  const int threads = GENERATE(1, 2, 7);
  std::atomic<Index> done{0};
  const auto body = [&](Index c) {
    if (c == 3)
      throw std::runtime_error("chunk 3");
    ++done;
  };
  CHECK_THROWS_AS(parallelFor(1000, threads, {}, body), std::runtime_error);
  if (threads == 1)
    CHECK(done == 3);
}

TEST_CASE("When a chunk fails no thread begins many more", "[threads]") {
  std::atomic<bool> failing{false};
  std::atomic<Index> begun{0};
  const auto body = [&](Index c) {
    ++begun;
    if (c == 3) {
      failing = true;
      throw std::runtime_error("chunk 3");
    }
    while (c > 3 && !failing)
      std::this_thread::yield();
    if (c > 3)
      std::this_thread::sleep_for(std::chrono::milliseconds(1)); // until the failure is caught
  };
  CHECK_THROWS_AS(parallelFor(2000, 3, {}, body), std::runtime_error);
  CHECK(begun < 1000);
}

TEST_CASE("A stop is noticed before the next chunk", "[threads]") {
  const int threads = GENERATE(1, 3);
  std::stop_source source;
  std::atomic<Index> begun{0};
  const auto body = [&](Index c) {
    ++begun;
    if (c == 10)
      source.request_stop();
    while (c > 10 && !source.stop_requested())
      std::this_thread::yield(); // so that no thread runs ahead of the one that stops
  };
  CHECK_THROWS_AS(parallelFor(1'000'000, threads, {source.get_token(), {}}, body), Stopped);
  CHECK(begun <= 11 + threads - 1);
}
