// The layers of a real model: which attention each has, its mask as a pattern, and what it keeps in
// the KV cache (spec T11). From a config.json, or from the table of models.
#pragma once

#include "core/analysis/stack/kv_cache.h"
#include "core/pattern/pattern.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct StackLayer {
  std::string kind;               // "sliding_attention", named as transformers names it
  nlohmann::ordered_json pattern; // in the specification's form; null where it has no mask
  KvLayer cache;                  // without widths where they are not known
};

struct Stack {
  std::string name;   // "gemma-3-4b"; empty for a configuration
  std::string title;  // "Gemma 3 4B", or the model_type of a configuration
  std::string source; // where the numbers are from
  std::string note;   // what else there is to know; may be empty
  std::vector<StackLayer> layers;
  std::optional<Index> heads;   // of queries
  std::optional<Index> context; // tokens; nothing where it is not known or unbounded
  bool encoder = false;         // sees a text as a whole and keeps no cache
};

// Of a transformers config.json. E_TYPE: no model_type or no number of layers, a field of the wrong
// type; E_SHAPE: a list that is not one entry per layer; E_RANGE.
Stack stackFromConfig(const nlohmann::json& config);

// The mask of layer `layer`, from 0. E_RANGE: no such layer; E_UNSUPPORTED: it has no mask, or none
// that is published.
Pattern patternOfLayer(const Stack& stack, Index layer);

// Nothing where an encoder keeps no cache or a width is not known. As kvBytes.
std::optional<Index> kvBytes(const Stack& stack, const KvQuestion& question);

// "local, window 1024, causal", of {"mechanism": …, "params": {…}}; long lists are cut. Nothing is
// checked.
std::string mechanismText(const nlohmann::ordered_json& pattern);

// ---- layers by letters, as T11 writes them ----

nlohmann::ordered_json causalWindow(Index window); // `window` keys, the query's own among them
nlohmann::ordered_json bothSides(Index reach);     // |i − j| ≤ reach
nlohmann::ordered_json causalChunks(Index chunk);

} // namespace attention
