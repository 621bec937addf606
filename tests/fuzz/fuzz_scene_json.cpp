#include "core/scene/scene_json.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

// What is read and written again is the same scene.
ATTENTION_FUZZ_TARGET(scene_json) {
  const Scene scene = sceneFromText(fuzz::textOf(bytes)).scene;
  if (!(sceneFromText(toText(scene)).scene == scene))
    std::abort();
}
