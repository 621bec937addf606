// Attention by locality-sensitive hashing (S6; Kitaev et al. 2020, Reformer): tokens attend to
// those that fall into the same bucket of a random projection, or lie near them in the order of
// buckets. Queries and keys are one matrix X: q_i = x_i, k_i = norm(x_i).
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Lsh {
  enum class Within { ChunkBucket, Chunk, Bucket };
  enum class Lookback { Clip, WrapRound, WrapAll };
  enum class Self { Fallback, FirstOnly, Allow, Exclude };

  std::optional<IndexList> buckets; // even factors of the number of buckets
  Index rounds = 1;
  std::optional<Index> chunk;
  Index before = 1;
  Index after = 0;
  Within within = Within::ChunkBucket;
  Lookback lookback = Lookback::Clip;
  bool causal = false;
  Self self = Self::Fallback;
  Combine combine = Combine::Union;
  KeyNorm keyNorm = KeyNorm::Rms;
  std::uint64_t seed = 0;
  std::optional<MatrixSource> rotations; // rounds × d × Σ factors / 2
  bool operator==(const Lsh&) const = default;
};

const Description& describe(const Lsh&);
bool readsData(const Lsh&);

// Lengths for n tokens (S6's table).
IndexList bucketFactorsOf(const Lsh& lsh, Index n);
Index chunkOf(const Lsh& lsh, Index n);

// E_RANGE: chunks that do not divide n, where look-back wraps over all rounds.
void checkLengths(const Lsh& lsh, const Lengths& lengths);

// One part per round; parts overlap.
std::shared_ptr<const Prepared> prepared(const Lsh& lsh, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
