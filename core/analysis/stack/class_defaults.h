// What the configuration classes of transformers 5.24.0 take for fields that a config.json leaves
// out, where layers, masks or caches depend on them.
#pragma once

#include "core/analysis/stack/config_fields.h"

#include <optional>
#include <string_view>

namespace attention {

struct ClassDefaults {
  std::string_view model;
  Index heads = 0;
  std::optional<Index> kvHeads; // absent: as many as heads
  std::optional<Index> headDim; // absent: hidden / heads
  Index hidden = 0;
  Index window = 0; // 0: none
  const char* windowField = "sliding_window";
  Index sharedLayers = 0;
};

// Null for other classes.
const ClassDefaults* classDefaults(const ConfigFields& config);

// The window of sliding layers, in keys; nothing where the configuration or its class has none.
// E_TYPE, E_RANGE.
std::optional<Index> windowOf(const ConfigFields& config);

// Heads of queries and of keys and values, and their width; nothing where neither the
// configuration nor its class says. E_TYPE, E_RANGE.
std::optional<Index> headsOf(const ConfigFields& config);
std::optional<Index> kvHeadsOf(const ConfigFields& config);
std::optional<Index> headDimOf(const ConfigFields& config);

// The first of the fields that the configuration has. E_TYPE, E_RANGE.
std::optional<Index> firstSize(const ConfigFields& config,
                               std::initializer_list<const char*> names);

} // namespace attention
