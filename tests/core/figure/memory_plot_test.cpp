// The cost model's memory beside times: against the model by hand, at sizes nobody measured.
#include "core/analysis/cost.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/topk.h"
#include "core/views/timings/scene_timings.h"
#include "tests/catch.h"

using namespace attention;

namespace {

const Curve& curveOf(const Plot& plot, std::size_t k) {
  return std::get<CurvesMark>(plot.mark).curves.at(k);
}

} // namespace

TEST_CASE("memory is that of the cost model at every size, whether it was measured or not") {
  Scene scene;
  scene.view = View::Timings;
  scene.timings.from = 64;
  scene.timings.to = 65536;
  scene.timings.d = 8;
  scene.timings.heads = 3;
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  TimedMechanism hashed = full;
  Lsh lsh;
  lsh.chunk = 16;
  hashed.pattern = lsh;
  TimedMechanism nearest = full;
  nearest.pattern = TopK{};
  TimedMechanism linear;
  linear.kind = TimedMechanism::Kind::Features;
  linear.features = FeatureMap::Elu1;
  scene.timings.mechanisms = {full, hashed, linear, nearest};
  const TimingQuestion question = timingQuestion(scene);
  const auto methods = methodsOf(question);
  const Plot plot = memoryPlot(question, methods, figureOptionsOf(question, methods));
  for (std::size_t k = 0; k < 11; ++k) {
    const Index n = Index{64} << k;
    const auto x = static_cast<double>(n);
    CHECK(curveOf(plot, 0).points.at(k).x == x);
    CHECK(curveOf(plot, 0).points.at(k).y == 3 * 4 * (x * x + 4 * x * 8));
    // A chunk of 16 and the one before it.
    CHECK(curveOf(plot, 1).points.at(k).y == 3 * 4 * (x * 32 + 4 * x * 8));
    const RandomFeatureCost cost = randomFeatureCost(n, 8, 8, 0, 8);
    CHECK(curveOf(plot, 2).points.at(k).y ==
          3 * 4 * (cost.ioElements + cost.featureElements + cost.stateElements));
  }
  CHECK(curveOf(plot, 3).points.empty()); // its pairs depend on the data
}
