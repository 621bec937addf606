#include "core/scene/scene_json.h"
#include "tests/core/scene/unchecked.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

// What is read, written and read again is the same scene; its lengths, bounds, defaults, titles and
// words are answered or refused.
ATTENTION_FUZZ_TARGET(scene_json) {
  const Scene scene = sceneFromText(fuzz::textOf(bytes)).scene;
  if (!(sceneFromText(toText(scene)).scene == scene))
    std::abort();
  test::askUnchecked(scene);
}
