// KV caches that evict keys (S30): which keys are still there when each query is computed. The
// prompt is computed at once; then every query attends, is accounted for, and keys are evicted.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Cache {
  enum class Policy { H2O, Tova, SnapKv, Streaming };
  enum class Reading { Drop, Masked };
  enum class Pooling { Average, Maximum };
  enum class Order { Before, After };

  Policy policy = Policy::H2O;
  std::optional<Index> prompt = {}; // 1; snapkv: ⌊n / 2⌋
  std::optional<Index> heavy = {};  // ⌊n / 10⌋
  std::optional<Index> recent = {}; // h2o: ⌊n / 10⌋; streaming: 512
  std::optional<Reading> reading = {};
  std::optional<Index> budget = {}; // tova: ⌊n / 4⌋; snapkv: 2048
  std::optional<Index> window = {}; // 32
  std::optional<Index> kernel = {}; // 5
  std::optional<Pooling> pooling = {};
  std::optional<Index> sinks = {}; // 4
  std::optional<Order> order = {};
  bool operator==(const Cache&) const = default;
};

const Description& describe(const Cache&);
bool readsData(const Cache& cache); // all but streaming
bool takesRectangles(const Cache&);
// E_SHAPE for n_q ≠ n_k; E_RANGE where a cache keeps no key.
void checkLengths(const Cache& cache, const Lengths& lengths);
// O(n² d) time where weights are summed; O(pairs) memory.
std::shared_ptr<const Prepared> prepared(const Cache& cache, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

// The parameters of the policy, defaults resolved for n tokens; 0 where it has none of the name.
struct CacheNumbers {
  Index prompt = 1; // at most n
  Index heavy = 0;
  Index recent = 0;
  Index budget = 0;
  Index window = 0;
  Index kernel = 0;
  Index sinks = 0;
};
CacheNumbers numbersOf(const Cache& cache, Index n);

} // namespace attention
