// When times may be sampled beside a window that draws, with a fake clock.
#include "app/gui/frame/frame_loop.h"
#include "app/gui/jobs/frame_gate.h"
#include "tests/catch.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace attention;
using namespace attention::gui;

namespace {

struct Gate {
  std::atomic<double> now = 100;
  FrameGate gate{[this] { return now.load(); }};
  SampleGate sampler = gate.forSampler();
};

} // namespace

TEST_CASE("a sample counts where no frame began during it", "[gui]") {
  Gate g;
  g.sampler.begin({});
  CHECK(g.gate.sampling());
  CHECK(g.sampler.end());
  CHECK_FALSE(g.gate.sampling());
  g.gate.frameBegins();
  g.gate.frameEnds();
  g.sampler.begin({});
  CHECK(g.sampler.end());
}

TEST_CASE("a sample that overlapped a frame does not count", "[gui]") {
  Gate g;
  g.sampler.begin({});
  g.gate.frameBegins();
  g.gate.frameEnds();
  CHECK_FALSE(g.sampler.end());
  g.sampler.begin({});
  CHECK(g.sampler.end());
}

TEST_CASE("no sample begins while a frame is drawn or owed or the window is in use", "[gui]") {
  const int why = GENERATE(0, 1, 2);
  Gate g;
  if (why == 0)
    g.gate.frameBegins();
  if (why == 1)
    g.gate.oweFrame();
  if (why == 2)
    g.gate.inputCame();
  std::atomic<bool> begun = false;
  std::jthread job([&] {
    g.sampler.begin({});
    begun = true;
  });
  CHECK_FALSE(g.gate.sampling());
  if (why == 2)
    g.now = g.now + 2 * FrameGate::kCalmSeconds;
  else
    g.gate.frameEnds();
  job.join();
  CHECK(begun);
  CHECK(g.gate.sampling());
}

TEST_CASE("a sample waits for a frame that is owed, and not for one that never comes", "[gui]") {
  Gate g;
  g.gate.oweFrame();
  const auto start = std::chrono::steady_clock::now();
  g.sampler.begin({}); // the window is hidden and draws no frame
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(400));
  CHECK(g.gate.sampling());
}

TEST_CASE("the window sleeps no longer than its host says, and only briefly after a job", "[gui]") {
  const int quiet = GENERATE(0, 1, 2, 3, 100);
  CHECK(restBetweenFrames(0, quiet) == 0);
  CHECK(restBetweenFrames(0.01, quiet) == 0.01);
  CHECK(restBetweenFrames(10, quiet) == (quiet < 3 ? 0.05 : 1));
}

TEST_CASE("waiting for the window ends when the job is stopped", "[gui]") {
  Gate g;
  g.gate.frameBegins();
  std::stop_source source;
  std::atomic<bool> stopped = false;
  std::jthread job([&] {
    try {
      g.sampler.begin(Run{source.get_token(), {}});
    } catch (const Stopped&) {
      stopped = true;
    }
  });
  source.request_stop();
  job.join();
  CHECK(stopped);
  CHECK_FALSE(g.gate.sampling());
}
