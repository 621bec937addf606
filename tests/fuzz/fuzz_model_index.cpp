#include "core/model/hf_folder.h"
#include "core/support/json_text.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(model_index) {
  shardsOfIndex(parseJson(fuzz::textOf(bytes), "index.json"), "index.json");
}
