#include "core/model/model_parts.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_model.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(gguf) {
  fuzz::use(modelWithWeights(parseGguf(bytes, "a.gguf")));
}
