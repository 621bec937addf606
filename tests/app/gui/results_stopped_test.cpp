// What is told of jobs that were stopped: only where nothing better is on its way, and no error
// stands in the picture's place.
#include "app/gui/results/raster_slots.h"
#include "app/gui/results/result_engine.h"
#include "core/input/assets.h"
#include "tests/catch.h"

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

namespace attention::gui {
namespace {

const Problem kStop = stoppedByUser();
const Problem kError{"length", "length is 0; allowed is an integer ≥ 1"};

TEST_CASE("A stopped part is told until it is made anew or an error stands there", "[results]") {
  Results results;
  CHECK_FALSE(stoppedPart(View::Kernels, results));
  results.kernels.sweep = {std::make_shared<const KernelSweep>(), true, false, 0, kStop};
  CHECK(stoppedPart(View::Kernels, results) == StoppedPart{true, true});
  CHECK_FALSE(stoppedPart(View::Hashing, results));
  results.kernels.matrices.pending = true;
  CHECK_FALSE(stoppedPart(View::Kernels, results));
  results.kernels.matrices.pending = false;
  results.kernels.problem = kError;
  CHECK_FALSE(stoppedPart(View::Kernels, results));
  results.kernels.problem = kStop; // of a part without a value
  results.kernels.sweep.value = nullptr;
  results.kernels.sweep.stale = false;
  CHECK(stoppedPart(View::Kernels, results) == StoppedPart{false, false});
}

TEST_CASE("Layers that are stopped or wrong are told once", "[results]") {
  Results results;
  results.reachHops.problem = kStop;
  CHECK(stoppedPart(View::Reach, results) == StoppedPart{false, false});
  results.reach.problem = kError;
  CHECK_FALSE(stoppedPart(View::Reach, results));
  results.reach.problem = kStop;
  CHECK(stoppedPart(View::Reach, results));
  results.reach.pending = true;
  CHECK_FALSE(stoppedPart(View::Reach, results));
}

// A layout of one picture, whose pixels come at once or never.
std::shared_ptr<const PlotLayout> layoutOf(std::latch* started) {
  PlotLayout layout;
  layout.pictures.emplace_back([started](const Run& run) {
    if (started)
      started->count_down();
    while (started)
      run.check();
    return Image();
  });
  return std::make_shared<const PlotLayout>(std::move(layout));
}

TEST_CASE("Images of plots that were stopped are told with what is there of them", "[results]") {
  const bool before = GENERATE(false, true);
  JobPool pool({}, 1);
  RasterSlots rasters(pool);
  if (before) {
    rasters.beginFrame(Deadline::max());
    REQUIRE(rasters.images("plot", layoutOf(nullptr)));
  }
  std::latch started(1);
  const auto endless = layoutOf(&started);
  rasters.beginFrame(Deadline::min());
  rasters.images("plot", endless);
  started.wait();
  CHECK_FALSE(rasters.stoppedImages());
  for (const auto& job : pool.active())
    job->stop();
  rasters.images("plot", endless);
  CHECK(rasters.stoppedImages() == StoppedPart{before, before});
  rasters.endFrame();
  rasters.endFrame(); // nobody asked
  CHECK_FALSE(rasters.stoppedImages());
}

// Until pairs are seen being counted; where a count has ended before that, those of another mask.
void beginCounting(ResultEngine& engine, Scene& scene) {
  scene.length.n = 1500;
  for (Index k = 0;; ++k) {
    scene.pattern = Expr{"(i * j + " + std::to_string(k) + ") % 3 == 0", {}, false};
    const Results* results = &engine.results();
    do {
      results = &engine.update(scene, {}, std::chrono::steady_clock::now());
      if (results->counts.pending)
        return;
      std::this_thread::yield();
    } while (!results->counts || results->counts.stale);
  }
}

TEST_CASE("What was counted of masks whose successors were stopped is pending no more",
          "[results]") {
  using Clock = std::chrono::steady_clock;
  JobPool pool({}, 1);
  ResultEngine engine(pool, samplePath);
  Scene scene;
  beginCounting(engine, scene);
  const auto go = std::make_shared<std::atomic<bool>>(false);
  pool.submit("what is long", [go](const Run&) { // before what is asked for next
    while (!*go)
      std::this_thread::yield();
  });
  scene.length.n = 64;
  engine.update(scene, {}, Clock::now());
  CHECK(engine.pending());
  for (const auto& job : pool.active())
    job->stop();
  *go = true;
  const auto until = Clock::now() + std::chrono::seconds(20);
  while (engine.pending() && Clock::now() < until)
    engine.update(scene, {}, Clock::now());
  CHECK_FALSE(engine.pending());
  CHECK_FALSE(engine.results().counts.pending);
  CHECK(isStopped(engine.results().masks.problem));
}

TEST_CASE("A count that ends while a parameter is not allowed is told as running no more",
          "[results]") {
  using Clock = std::chrono::steady_clock;
  JobPool pool({}, 1);
  ResultEngine engine(pool, samplePath);
  Scene scene;
  beginCounting(engine, scene);
  scene.length.n = GENERATE(-1, 1500);
  if (scene.length.n == 1500)
    scene.pattern = Expr{"i +", {}, false};
  const auto until = Clock::now() + std::chrono::seconds(20);
  do
    engine.update(scene, {}, Clock::now());
  while (engine.pending() && Clock::now() < until);
  const Results& results = engine.results();
  CHECK(results.masks.problem);
  CHECK_FALSE(results.masks.pending);
  CHECK_FALSE(results.counts.pending);
}

} // namespace
} // namespace attention::gui
