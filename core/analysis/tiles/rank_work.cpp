#include "core/analysis/tiles/rank_work.h"

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace attention {
namespace {

constexpr std::array<std::string_view, 5> kSchemes{"contiguous", "zigzag", "striped", "sorted",
                                                   "greedy"};

std::vector<Index> rowCounts(const Prepared& pattern, int threads, const Run& run) {
  constexpr Index kChunk = 1024;
  const Lengths& lengths = pattern.lengths();
  std::vector<Index> counts(static_cast<std::size_t>(lengths.queries));
  parallelFor(ceilDiv(lengths.queries, kChunk), threads, run, [&](Index chunk) {
    const Index end = std::min((chunk + 1) * kChunk, lengths.queries);
    for (Index i = chunk * kChunk; i < end; ++i)
      counts[static_cast<std::size_t>(i)] = pattern.rowCount(i, 0, lengths.keys);
  });
  return counts;
}

// Rows [c n / parts, (c + 1) n / parts) belong to rankOf(c).
template <class RankOf>
void dealParts(std::vector<Index>& owner, Index parts, const RankOf& rankOf) {
  const auto n = std::ssize(owner);
  for (Index c = 0; c < parts; ++c)
    std::fill(owner.begin() + c * n / parts, owner.begin() + (c + 1) * n / parts, rankOf(c));
}

// Chunks by falling work, the earlier first of equal ones.
class WorkDealer {
public:
  WorkDealer(const std::vector<Index>& counts, const RankQuestion& question) : question_(question) {
    for (Index rank = 0; rank < question.ranks; ++rank)
      least_.emplace(0, rank);
    const auto n = std::ssize(counts);
    for (Index begin = 0; begin < n; begin += question.chunk) {
      const Index end = std::min(begin + question.chunk, n);
      chunks_.push_back(
          {begin, end, std::accumulate(counts.begin() + begin, counts.begin() + end, Index{0})});
    }
    std::stable_sort(chunks_.begin(), chunks_.end(),
                     [](const Chunk& a, const Chunk& b) { return a.work > b.work; });
  }

  void deal(std::vector<Index>& owner, const Run& run) {
    constexpr std::size_t kBetweenChecks = 4096;
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
      if (k % kBetweenChecks == 0)
        run.check();
      const Chunk& chunk = chunks_[k];
      const Index rank = rankOf(static_cast<Index>(k), chunk.work);
      std::fill(owner.begin() + chunk.begin, owner.begin() + chunk.end, rank);
    }
  }

private:
  struct Chunk {
    Index begin = 0;
    Index end = 0;
    Index work = 0;
  };

  // Of the chunk at this place, with its work. Greedy: the rank with the least so far, the first of
  // equal ones.
  Index rankOf(Index place, Index work) {
    if (question_.scheme == RankScheme::Greedy) {
      const auto [load, rank] = least_.top();
      least_.pop();
      least_.emplace(load + work, rank);
      return rank;
    }
    const Index round = place / question_.ranks;
    const Index at = place % question_.ranks;
    return round % 2 == 0 ? at : question_.ranks - 1 - at;
  }

  using Load = std::pair<Index, Index>; // work so far, rank
  const RankQuestion& question_;
  std::vector<Chunk> chunks_;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least_;
};

std::vector<Index> ownersOf(const std::vector<Index>& counts, const RankQuestion& question,
                            const Run& run) {
  std::vector<Index> owner(counts.size());
  const Index ranks = question.ranks;
  switch (question.scheme) {
  case RankScheme::Contiguous:
    dealParts(owner, ranks, [](Index c) { return c; });
    break;
  case RankScheme::Zigzag:
    dealParts(owner, 2 * ranks, [ranks](Index c) { return std::min(c, 2 * ranks - 1 - c); });
    break;
  case RankScheme::Striped:
    for (std::size_t i = 0; i < owner.size(); ++i)
      owner[i] = static_cast<Index>(i) / question.chunk % ranks;
    break;
  case RankScheme::Sorted:
  case RankScheme::Greedy:
    WorkDealer(counts, question).deal(owner, run);
    break;
  }
  return owner;
}

} // namespace

std::span<const std::string_view> rankSchemeNames() {
  return kSchemes;
}

RankScheme rankSchemeNamed(std::string_view name) {
  const auto found = std::find(kSchemes.begin(), kSchemes.end(), name);
  if (found == kSchemes.end())
    throwRange("scheme", excerpt(name), "contiguous, zigzag, striped, sorted or greedy");
  return static_cast<RankScheme>(found - kSchemes.begin());
}

RankWork rankWork(const Prepared& pattern, const RankQuestion& question, int threads,
                  const Run& run) {
  constexpr Index kMostRanks = Index{1} << 20;
  if (question.ranks < 1 || question.ranks > kMostRanks)
    throwRange("ranks", std::to_string(question.ranks), "from 1 to 1048576");
  if (question.chunk < 1)
    throwRange("rank-chunk", std::to_string(question.chunk), "at least 1");
  if (pattern.lengths().queries > kMostRankedQueries)
    throwRange("n", std::to_string(pattern.lengths().queries),
               "at most " + std::to_string(kMostRankedQueries) + " to be shared out over ranks");
  const std::vector<Index> counts = rowCounts(pattern, threads, run);
  RankWork work;
  work.owner = ownersOf(counts, question, run);
  work.pairs.resize(static_cast<std::size_t>(question.ranks));
  work.rows.resize(work.pairs.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto rank = static_cast<std::size_t>(work.owner[i]);
    work.pairs[rank] += counts[i];
    ++work.rows[rank];
  }
  const Index sum = std::accumulate(work.pairs.begin(), work.pairs.end(), Index{0});
  if (sum > 0)
    work.imbalance = static_cast<double>(*std::max_element(work.pairs.begin(), work.pairs.end())) *
                     static_cast<double>(question.ranks) / static_cast<double>(sum);
  return work;
}

} // namespace attention
