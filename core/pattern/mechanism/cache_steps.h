// The steps of KV caches (S30): for every query after the prompt, the keys that it finds and the
// parts that they belong to.
#pragma once

#include "core/pattern/mechanism/cache.h"

#include <functional>
#include <span>
#include <vector>

namespace attention {

// Parts of h2o, in the order of its description.
constexpr std::size_t kHeavyPart = 1;
constexpr std::size_t kRecentPart = 2;

// A key of a step, and the part that holds it (0 is the prompt's).
struct CachedKey {
  Index key = 0;
  std::size_t part = 1;
};

// Receives the keys of query i, ascending; called for i = prompt, prompt + 1, …
using CacheSteps = std::function<void(Index i, std::span<const CachedKey> keys)>;

// A key that leaves, and what it lost against.
struct Eviction {
  Index key = 0;
  Index from = 0;   // the first query that does not find it
  Index rival = -1; // the lightest of the keys that stayed by weight; −1: no weights were compared
  double weight = 0;
  double rivalWeight = 0;
};
// Told in the order of the steps; masked keys may leave several times.
using CacheEvictions = std::function<void(const Eviction& eviction)>;

// Plays a policy over n tokens; returns the cost of choosing. `data` is not read by streaming.
double playCache(const Cache& cache, Index n, const PatternData& data, const CacheSteps& step,
                 const CacheEvictions& evicted, const Run& run);

} // namespace attention
