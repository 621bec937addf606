#include "core/input/input_spec.h"
#include "core/support/json_text.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

using namespace attention;

// What is read, written and read again is the same.
ATTENTION_FUZZ_TARGET(input_json) {
  const InputSpec spec = inputSpecFromJson(parseJson(fuzz::textOf(bytes), "s.json"));
  if (!(inputSpecFromJson(toJson(spec)) == spec))
    std::abort();
}
