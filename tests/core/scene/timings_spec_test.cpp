// What the Timings view measures, as a part of the Scene.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/scene/scene_json.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

using namespace attention;

TEST_CASE("every kind of timed mechanism comes back from JSON", "[scene]") {
  Scene scene;
  scene.view = View::Timings;
  scene.timings = {{}, 128, 4096, 32, 2, 4};
  TimedMechanism own;
  TimedMechanism causal;
  causal.kind = TimedMechanism::Kind::Pattern;
  causal.pattern = Causal{};
  TimedMechanism features;
  features.kind = TimedMechanism::Kind::Features;
  features.features = FeatureMap::GaussianTrig;
  features.m = 17;
  features.causal = true;
  TimedMechanism linformer;
  linformer.kind = TimedMechanism::Kind::Linformer;
  linformer.k = 9;
  TimedMechanism kernel;
  kernel.kind = TimedMechanism::Kind::Kernel;
  kernel.kernel = Kernel::Relu;
  own.title = "X (OPT)";
  scene.timings.mechanisms = {own, causal, features, linformer, kernel};
  const ReadScene read = sceneFromText(toText(scene), "scene");
  CHECK(read.warnings.empty());
  CHECK(read.scene == scene);
  CHECK(sceneFromText(toText(Scene()), "scene").scene == Scene());
}

TEST_CASE("a scene without timed mechanisms times the default ones", "[scene]") {
  const TimingsSpec spec;
  CHECK(mechanismsOf(spec, Causal{}) == usualMechanisms());
  CHECK(mechanismsOf(spec, Full{}).size() + 1 == usualMechanisms().size());
  CHECK(timedSizes(spec) == std::vector<Index>{256, 512, 1024, 2048, 4096, 8192, 16384});
  CHECK(methodText(scoredMethod(usualMechanisms()[0], Causal{}, 64)) == "causal");
  CHECK(methodText(scoredMethod(usualMechanisms()[1], Causal{}, 64)) == "full");
  CHECK(timedSizes({{}, 3, 20}) == std::vector<Index>{3, 6, 12});
}

TEST_CASE("an exact kernel is timed as the command line times it", "[scene]") {
  TimedMechanism kernel;
  kernel.kind = TimedMechanism::Kind::Kernel;
  CHECK(methodText(scoredMethod(kernel, Causal{}, 64)) == "gaussian kernel");
  kernel.kernel = Kernel::Softmax;
  kernel.causal = true;
  CHECK(methodText(scoredMethod(kernel, Causal{}, 64)) == "softmax kernel, causal");
  CHECK(methodKindTitle(scoredMethod(kernel, Causal{}, 64)) == "Softmax kernel");
}

TEST_CASE("timings out of range are refused by name", "[scene]") {
  const auto refused = [](const TimingsSpec& spec) {
    return codeAndSubject([&] { checkTimings(spec); });
  };
  CHECK(refused({}).empty());
  CHECK(refused({{}, 0, 16}) == "E_RANGE timings.from");
  CHECK(refused({{}, 16, 8}) == "E_RANGE timings.to");
  CHECK(refused({{}, 16, 16, 0}) == "E_RANGE timings.d");
  CHECK(refused({{}, 16, 16, 8, 0}) == "E_RANGE timings.heads");
  CHECK(refused({{}, 16, 16, 8, 1, 0}) == "E_RANGE timings.threads");
  CHECK(refused({std::vector<TimedMechanism>(9), 16, 16}) == "E_RANGE timings.mechanisms");
  CHECK(codeAndSubject([] {
          sceneFromText(R"({"type": "attention-explorer scene", "version": 1, "timings":
                           {"mechanisms": [{"kind": "features", "features": "none"}]}})",
                        "scene");
        }) == "E_RANGE scene: timings.mechanisms.features");
}
