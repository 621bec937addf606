// Everything that hashing decides on the way to a mask (S6.1 to S6.5), for the pattern, for views
// and for the command line: buckets, the order of tokens, chunks, and which keys every round shows
// to which queries, and how often.
#pragma once

#include "core/pattern/mechanism/lsh.h"

namespace attention {

// Tokens that see the same keys in one round: a chunk, a bucket, or the intersection of both.
struct LshGroup {
  std::vector<Index> queries; // ascending
  std::vector<Index> keys;    // rising, without repetition
  std::vector<Index> times;   // how often each is seen; above 1 only where look-back wraps over all
};

struct LshRound {
  Matrix<double> rotation;      // d × Σ factors / 2
  std::vector<Index> bucket;    // of every token
  std::vector<double> margin;   // the margin by which the bucket won, the smallest over the factors
  std::vector<Index> order;     // tokens by bucket, then position
  std::vector<Index> rank;      // of every token in that order; its chunk is rank / chunk
  std::vector<LshGroup> groups; // before causal and self rules; every token is in one as a query
};

struct LshRounds {
  Index buckets = 0; // product of the factors
  Index chunk = 0;
  std::vector<LshRound> rounds;
  // Whether a token sees no key except its own in any round, after the causal rule.
  std::vector<bool> alone;
};

// Hashes the rows of data.q, with parameters that check() allows. The same bits at any number of
// threads. O(rounds · n (d Σ factors + keys)). E_SHAPE, E_TYPE (rotations).
LshRounds lshRounds(const Lsh& lsh, const Lengths& lengths, const PatternData& data,
                    const Run& run = {}, int threads = 0);

} // namespace attention
