// A config.json in one line, then the bytes of model.safetensors.
#include "core/model/hf_folder.h"
#include "core/model/model_parts.h"
#include "core/support/json_text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_model.h"

#include <algorithm>

using namespace attention;

ATTENTION_FUZZ_TARGET(model_folder) {
  const auto end = std::find(bytes.begin(), bytes.end(), std::byte{'\n'});
  const auto line = static_cast<std::size_t>(end - bytes.begin());
  const nlohmann::json config = parseJson(fuzz::textOf(bytes.first(line)), "config.json");
  StoredWeights weights("model.safetensors");
  if (line < bytes.size())
    weights.add(parseSafetensors(bytes.subspan(line + 1), "model.safetensors"), nullptr);
  fuzz::use(modelWithWeights(config, "config.json", weights));
}
