#include "core/pattern/mechanism/lsh_rounds.h"

#include "core/pattern/largest_scores.h"
#include "core/pattern/similarities.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/philox.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kRows = 64; // a chunk of work

Index sumOfHalves(const IndexList& factors) {
  Index columns = 0;
  for (const Index f : factors)
    columns += f / 2;
  return columns;
}

// Rotation of round r, transposed: one row per column of R.
Matrix<double> rotationOf(const Lsh& lsh, std::size_t round, Index d, Index columns) {
  Matrix<double> rotation(d, columns);
  if (lsh.rotations) {
    const auto from = static_cast<std::ptrdiff_t>(round) * d * columns;
    const auto& values = lsh.rotations->values.get();
    return {d, columns, {values.begin() + from, values.begin() + from + d * columns}};
  }
  const philox::Stream stream{lsh.seed, philox::Purpose::LshRotations,
                              static_cast<std::uint32_t>(round)};
  for (Index f = 0; f < d; ++f)
    for (Index b = 0; b < columns; ++b)
      rotation(f, b) = philox::normal(stream, static_cast<std::uint64_t>(f * columns + b));
  return rotation;
}

Matrix<double> transposed(const Matrix<double>& m) {
  Matrix<double> t(m.cols(), m.rows());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index c = 0; c < m.cols(); ++c)
      t(c, i) = m(i, c);
  return t;
}

void checkRotations(const Lsh& lsh, Index d, Index columns) {
  if (!lsh.rotations)
    return;
  const IndexList& shape = lsh.rotations->shape;
  if (shape.empty())
    throwUnread("rotations", lsh.rotations->file, "numbers");
  if (shape == IndexList{lsh.rounds, d, columns})
    return;
  std::string found;
  for (const Index length : shape)
    found += (found.empty() ? "" : " × ") + std::to_string(length);
  throw Error(ErrorCode::Shape, "rotations",
              "rotations is " + found +
                  "; it must be rounds × d × half the buckets = " + std::to_string(lsh.rounds) +
                  " × " + std::to_string(d) + " × " + std::to_string(columns));
}

// S6.1 for all tokens.
void hash(const Matrix<double>& x, const IndexList& factors, int threads, const Run& run,
          LshRound& round) {
  const Similarities columns(SimilarityScore::Dot, transposed(round.rotation));
  const auto n = static_cast<std::size_t>(x.rows());
  round.bucket.resize(n);
  round.margin.resize(n);
  const MatrixView<const double> all = x.view();
  parallelFor(ceilDiv(x.rows(), kRows), threads, run, [&](Index chunk) {
    const Index first = chunk * kRows;
    Matrix<double> rotated(std::min(kRows, all.rows - first), columns.size());
    columns.compute({all.data + first * all.stride, rotated.rows(), all.cols, all.stride}, 0,
                    rotated.view());
    for (Index i = first; i < first + rotated.rows(); ++i) {
      const std::span<const double> y = std::as_const(rotated).view().row(i - first);
      Index bucket = 0;
      Index unit = 1;
      double margin = std::numeric_limits<double>::infinity();
      std::size_t at = 0;
      for (const Index f : factors) {
        const LargestSigned best = largestSigned(y.subspan(at, static_cast<std::size_t>(f / 2)));
        bucket += unit * best.index;
        margin = std::min(margin, best.margin);
        unit *= f;
        at += static_cast<std::size_t>(f / 2);
      }
      round.bucket[static_cast<std::size_t>(i)] = bucket;
      round.margin[static_cast<std::size_t>(i)] = margin;
    }
  });
}

// S6.2: by counting, where there are not many more buckets than tokens.
void sortTokens(Index buckets, LshRound& round) {
  const std::size_t n = round.bucket.size();
  round.order.resize(n);
  round.rank.resize(n);
  if (buckets <= 4 * static_cast<Index>(n)) {
    std::vector<Index> begin(static_cast<std::size_t>(buckets) + 1);
    for (const Index bucket : round.bucket)
      ++begin[static_cast<std::size_t>(bucket) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::size_t token = 0; token < n; ++token)
      round.rank[token] = begin[static_cast<std::size_t>(round.bucket[token])]++;
    for (std::size_t token = 0; token < n; ++token)
      round.order[static_cast<std::size_t>(round.rank[token])] = static_cast<Index>(token);
    return;
  }
  std::iota(round.order.begin(), round.order.end(), Index{0});
  std::stable_sort(round.order.begin(), round.order.end(), [&](Index a, Index b) {
    return round.bucket[static_cast<std::size_t>(a)] < round.bucket[static_cast<std::size_t>(b)];
  });
  for (std::size_t at = 0; at < n; ++at)
    round.rank[static_cast<std::size_t>(round.order[at])] = static_cast<Index>(at);
}

// A chunk of some round that a chunk sees, and how often.
struct Seen {
  std::size_t round = 0;
  Index chunk = 0;
  Index times = 1;
};

// S6.3: looks from chunk to chunk.
class Chunks {
public:
  Chunks(const Lsh& lsh, const LshRounds& all, Index n)
      : lsh_(lsh), all_(all), n_(n), chunks_(ceilDiv(n, all.chunk)) {}

  Index count() const { return chunks_; }

  std::span<const Index> tokens(std::size_t round, Index chunk) const {
    const auto begin = static_cast<std::size_t>(chunk * all_.chunk);
    const auto end = static_cast<std::size_t>(std::min(n_, (chunk + 1) * all_.chunk));
    return std::span(all_.rounds[round].order).subspan(begin, end - begin);
  }

  std::vector<Seen> seenFrom(std::size_t round, Index chunk) const {
    switch (lsh_.lookback) {
    case Lsh::Lookback::Clip:
      return clipped(round, chunk);
    case Lsh::Lookback::WrapRound:
      return wrapped(round, chunk, chunks_, 1);
    case Lsh::Lookback::WrapAll:
      break;
    }
    const auto r = static_cast<Index>(round);
    return wrapped(round, r * chunks_ + chunk, chunks_ * lsh_.rounds, lsh_.before + lsh_.after + 1);
  }

private:
  std::vector<Seen> clipped(std::size_t round, Index chunk) const {
    std::vector<Seen> seen;
    const Index last = std::min(chunks_ - 1, chunk + lsh_.after);
    for (Index c = std::max<Index>(0, chunk - lsh_.before); c <= last; ++c)
      seen.push_back({round, c});
    return seen;
  }

  // Chunks at − before … at + after modulo `modulus`, each counted at most `most` times.
  // Round-major where the modulus is that of all rounds.
  std::vector<Seen> wrapped(std::size_t round, Index at, Index modulus, Index most) const {
    const Index looks = lsh_.before + lsh_.after + 1;
    const bool allRounds = lsh_.lookback == Lsh::Lookback::WrapAll;
    std::vector<Seen> seen;
    for (Index step = 0; step < std::min(looks, modulus); ++step) {
      const Index g = floorMod(at - lsh_.before + step, modulus);
      const Index times = std::min(most, looks / modulus + (step < looks % modulus ? 1 : 0));
      const std::size_t of = allRounds ? static_cast<std::size_t>(g / chunks_) : round;
      // A bucket belongs to its round.
      if (lsh_.within == Lsh::Within::ChunkBucket && of != round)
        continue;
      seen.push_back({of, g % chunks_, times});
    }
    return seen;
  }

  const Lsh& lsh_;
  const LshRounds& all_;
  Index n_;
  Index chunks_;
};

// A key that a chunk sees, how often, and its bucket (0 where buckets do not matter).
struct SeenKey {
  Index bucket = 0;
  Index key = 0;
  Index times = 1;
};

// Sorts by bucket and key, each key once.
void mergeSeen(std::vector<SeenKey>& seen) {
  std::sort(seen.begin(), seen.end(), [](const SeenKey& a, const SeenKey& b) {
    return a.bucket != b.bucket ? a.bucket < b.bucket : a.key < b.key;
  });
  std::size_t kept = 0;
  for (const SeenKey& key : seen)
    if (kept > 0 && seen[kept - 1].bucket == key.bucket && seen[kept - 1].key == key.key)
      seen[kept - 1].times += key.times;
    else
      seen[kept++] = key;
  seen.resize(kept);
}

LshGroup groupOf(std::span<const Index> queries, std::span<const SeenKey> seen) {
  LshGroup group;
  group.queries.assign(queries.begin(), queries.end());
  std::sort(group.queries.begin(), group.queries.end());
  group.keys.reserve(seen.size());
  group.times.reserve(seen.size());
  for (const SeenKey& key : seen) {
    group.keys.push_back(key.key);
    group.times.push_back(key.times);
  }
  return group;
}

// Stretches of equal bucket with ascending ranks.
template <class Visit>
void forEachBucket(const LshRound& round, std::span<const Index> tokens, Visit visit) {
  for (std::size_t begin = 0; begin < tokens.size();) {
    const Index bucket = round.bucket[static_cast<std::size_t>(tokens[begin])];
    std::size_t end = begin;
    while (end < tokens.size() && round.bucket[static_cast<std::size_t>(tokens[end])] == bucket)
      ++end;
    visit(bucket, tokens.subspan(begin, end - begin));
    begin = end;
  }
}

// Tokens of a bucket are in ascending order.
std::vector<LshGroup> bucketGroups(const LshRound& round) {
  std::vector<LshGroup> groups;
  forEachBucket(round, round.order, [&](Index, std::span<const Index> tokens) {
    const std::vector<Index> all(tokens.begin(), tokens.end());
    groups.push_back({all, all, std::vector<Index>(all.size(), 1)});
  });
  return groups;
}

std::vector<LshGroup> chunkGroups(const Lsh& lsh, const LshRounds& all, const Chunks& chunks,
                                  std::size_t r, Index chunk) {
  const LshRound& round = all.rounds[r];
  const bool sameBucket = lsh.within == Lsh::Within::ChunkBucket;
  std::vector<SeenKey> keys;
  for (const Seen& seen : chunks.seenFrom(r, chunk))
    for (const Index key : chunks.tokens(seen.round, seen.chunk))
      keys.push_back(
          {sameBucket ? round.bucket[static_cast<std::size_t>(key)] : 0, key, seen.times});
  mergeSeen(keys);
  const std::span<const Index> own = chunks.tokens(r, chunk);
  if (!sameBucket)
    return {groupOf(own, keys)};
  std::vector<LshGroup> groups;
  forEachBucket(round, own, [&](Index bucket, std::span<const Index> tokens) {
    const auto [first, last] =
        std::equal_range(keys.begin(), keys.end(), SeenKey{bucket},
                         [](const SeenKey& a, const SeenKey& b) { return a.bucket < b.bucket; });
    groups.push_back(groupOf(tokens, {first, last}));
  });
  return groups;
}

void addGroups(const Lsh& lsh, const LshRounds& all, const Chunks& chunks, std::size_t r,
               int threads, const Run& run, LshRound& round) {
  if (lsh.within == Lsh::Within::Bucket) {
    round.groups = bucketGroups(round);
    return;
  }
  std::vector<std::vector<LshGroup>> found(static_cast<std::size_t>(chunks.count()));
  parallelFor(chunks.count(), threads, run, [&](Index chunk) {
    found[static_cast<std::size_t>(chunk)] = chunkGroups(lsh, all, chunks, r, chunk);
  });
  for (std::vector<LshGroup>& groups : found)
    for (LshGroup& group : groups)
      round.groups.push_back(std::move(group));
}

// Every token sees itself in every round, so another key is a second one.
std::vector<bool> aloneOf(const Lsh& lsh, const LshRounds& all, Index n) {
  std::vector<bool> alone(static_cast<std::size_t>(n), true);
  for (const LshRound& round : all.rounds)
    for (const LshGroup& group : round.groups)
      for (const Index i : group.queries) {
        const auto end = lsh.causal ? std::upper_bound(group.keys.begin(), group.keys.end(), i)
                                    : group.keys.end();
        if (end - group.keys.begin() > 1)
          alone[static_cast<std::size_t>(i)] = false;
      }
  return alone;
}

} // namespace

LshRounds lshRounds(const Lsh& lsh, const Lengths& lengths, const PatternData& data, const Run& run,
                    int threads) {
  requireData("lsh", lengths, data);
  const Index n = lengths.keys;
  const IndexList factors = bucketFactorsOf(lsh, n);
  const Index columns = sumOfHalves(factors);
  checkRotations(lsh, data.q->cols(), columns);
  LshRounds all;
  all.buckets = std::accumulate(factors.begin(), factors.end(), Index{1}, std::multiplies<>());
  all.chunk = chunkOf(lsh, n);
  const Run quiet = run.quiet();
  all.rounds.resize(static_cast<std::size_t>(lsh.rounds));
  for (std::size_t r = 0; r < all.rounds.size(); ++r) {
    run.report(0.5 * static_cast<double>(r) / static_cast<double>(lsh.rounds));
    all.rounds[r].rotation = rotationOf(lsh, r, data.q->cols(), columns);
    hash(*data.q, factors, threads, quiet, all.rounds[r]);
    sortTokens(all.buckets, all.rounds[r]);
  }
  const Chunks chunks(lsh, all, n);
  for (std::size_t r = 0; r < all.rounds.size(); ++r) {
    run.report(0.5 + 0.5 * static_cast<double>(r) / static_cast<double>(lsh.rounds));
    addGroups(lsh, all, chunks, r, threads, quiet, all.rounds[r]);
  }
  all.alone = aloneOf(lsh, all, n);
  return all;
}

} // namespace attention
