// What is said about stopped jobs: only if nothing better is on its way and no error stands in
// place of the picture.
#include "app/gui/results/raster_slots.h"
#include "app/gui/results/result_engine.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/views/reach/reach_results.h"
#include "app/gui/views/reach/reach_view.h"
#include "core/input/assets.h"
#include "core/pattern/mechanism/expr.h"
#include "tests/catch.h"

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

namespace attention::gui {
namespace {

const Problem kStop = stoppedByUser();
const Problem kError{"length", "length is 0; it must be an integer of at least 1"};

std::optional<StoppedPart> stoppedOf(const ViewStages& view) {
  return stoppedPart(view.shown(), view.told());
}

TEST_CASE("A stopped part is reported until it is made again or an error takes its place",
          "[results]") {
  Results results;
  const auto kernels = kernelsStages(results);
  const auto hashing = choosingStages(results);
  CHECK_FALSE(stoppedOf(*kernels));
  results.part<KernelsResults>().sweep = {std::make_shared<const KernelSweep>(), true, false, 0,
                                          kStop};
  CHECK(stoppedOf(*kernels) == StoppedPart{true, true});
  CHECK_FALSE(stoppedOf(*hashing));
  results.part<KernelsResults>().matrices.pending = true;
  CHECK_FALSE(stoppedOf(*kernels));
  results.part<KernelsResults>().matrices.pending = false;
  results.part<KernelsResults>().problem = kError;
  CHECK_FALSE(stoppedOf(*kernels));
  results.part<KernelsResults>().problem = kStop; // for a part without a value
  results.part<KernelsResults>().sweep.value = nullptr;
  results.part<KernelsResults>().sweep.stale = false;
  CHECK(stoppedOf(*kernels) == StoppedPart{false, false});
}

TEST_CASE("Layers that are stopped or wrong are reported once", "[results]") {
  Results results;
  const auto reach = reachStages(results);
  results.part<ReachResults>().hops.problem = kStop;
  CHECK(stoppedOf(*reach) == StoppedPart{false, false});
  results.part<ReachResults>().layers.problem = kError;
  CHECK_FALSE(stoppedOf(*reach));
  results.part<ReachResults>().layers.problem = kStop;
  CHECK(stoppedOf(*reach));
  results.part<ReachResults>().layers.pending = true;
  CHECK_FALSE(stoppedOf(*reach));
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

TEST_CASE("Images of plots that were stopped are reported with what is there of them",
          "[results]") {
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
  rasters.endFrame(); // nobody asked for it
  CHECK_FALSE(rasters.stoppedImages());
}

TEST_CASE("A picture that takes longer than a frame appears in a later one", "[results]") {
  JobPool pool({}, 1);
  RasterSlots rasters(pool);
  std::latch go(1);
  PlotLayout layout;
  layout.pictures.emplace_back([&go](const Run&) {
    go.wait();
    return Image();
  });
  const auto slow = std::make_shared<const PlotLayout>(std::move(layout));
  rasters.beginFrame(Deadline::min());
  CHECK_FALSE(rasters.images("plot", slow));
  rasters.endFrame();
  CHECK(rasters.pending());
  go.count_down();
  while (!pool.active().empty())
    std::this_thread::yield();
  rasters.beginFrame(Deadline::min());
  CHECK(rasters.images("plot", slow));
}

// Results whose pairs are being counted.
struct Counting {
  using Clock = std::chrono::steady_clock;

  // If a count ends before it was seen, that of another mask is started.
  Counting() {
    scene.length.n = 1500;
    for (Index k = 0; !isSeen(); ++k)
      scene.pattern = Expr{"(i * j + " + std::to_string(k) + ") % 3 == 0", {}, false};
  }

  // Whether the Scene's count is seen before it ends.
  bool isSeen() {
    const Latest<MaskCounts>& counts = engine.results().counts;
    do
      update();
    while (!counts.pending && (!counts || counts.stale));
    return counts.pending;
  }
  void update() { engine.update(scene, {}, Clock::now()); }
  void updateToTheEnd() {
    const auto until = Clock::now() + std::chrono::seconds(20);
    do
      update();
    while (engine.pending() && Clock::now() < until);
  }

  JobPool pool{{}, 1};
  ResultEngine engine{pool, samplePath};
  Scene scene;
};

TEST_CASE("Counts of masks are no longer pending once their successors are stopped", "[results]") {
  Counting of;
  const auto go = std::make_shared<std::atomic<bool>>(false);
  of.pool.submit("what is long", [go](const Run&) { // before what is asked for next
    while (!*go)
      std::this_thread::yield();
  });
  of.scene.length.n = 64;
  of.update();
  CHECK(of.engine.pending());
  for (const auto& job : of.pool.active())
    job->stop();
  *go = true;
  of.updateToTheEnd();
  CHECK_FALSE(of.engine.pending());
  CHECK_FALSE(of.engine.results().counts.pending);
  CHECK(isStopped(of.engine.results().masks.problem));
}

TEST_CASE("A count that ends while a parameter is refused is no longer shown as running",
          "[results]") {
  Counting of;
  if (GENERATE(false, true))
    of.scene.length.n = -1;
  else
    of.scene.pattern = Expr{"i +", {}, false};
  of.updateToTheEnd();
  const Results& results = of.engine.results();
  CHECK(results.masks.problem);
  CHECK_FALSE(results.masks.pending);
  CHECK_FALSE(results.counts.pending);
}

} // namespace
} // namespace attention::gui
