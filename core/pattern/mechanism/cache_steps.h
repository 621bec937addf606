// The steps of KV caches (S30): for every query after the prompt, the keys that it finds and the
// parts that they belong to.
#pragma once

#include "core/pattern/mechanism/cache.h"

#include <functional>
#include <span>
#include <vector>

namespace attention {

// A key of a step, and the part that holds it (0 is the prompt's).
struct CachedKey {
  Index key = 0;
  std::size_t part = 1;
};

// Receives the keys of query i, ascending; called for i = prompt, prompt + 1, …
using CacheSteps = std::function<void(Index i, std::span<const CachedKey> keys)>;

// Plays a policy over n tokens; returns the cost of choosing. `data` is not read by streaming.
double playCache(const Cache& cache, Index n, const PatternData& data, const CacheSteps& step,
                 const Run& run);

} // namespace attention
