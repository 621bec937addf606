#include "core/pattern/largest_scores.h"

#include "core/support/parallel.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kRows = 64;    // a chunk
constexpr Index kOthers = 512; // a tile: 256 KiB of scores
constexpr Index kSpare = 64;   // candidates beyond 2k, so that cuts are rare where k is small

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

// The rows [first, first + count) of x.
void choose(const Similarities& similarities, MatrixView<const double> x, Index first, Index k,
            const std::function<Others(Index row)>& others, std::span<std::vector<Index>> chosen) {
  const auto count = static_cast<Index>(chosen.size());
  std::vector<Others> among;
  std::vector<LargestScores> best(chosen.size(), LargestScores(std::min(k, similarities.size())));
  Index end = 0;
  for (Index r = 0; r < count; ++r) {
    among.push_back(others(first + r));
    end = std::max(end, among.back().end);
  }
  Matrix<double> scores(count, std::min(kOthers, end));
  for (Index j = 0; j < end; j += kOthers) {
    const Index width = std::min(kOthers, end - j);
    similarities.compute({x.data + first * x.stride, count, x.cols, x.stride}, j,
                         {scores.data(), count, width, scores.cols()});
    for (Index r = 0; r < count; ++r) {
      const std::span<const double> row(&scores(r, 0), at(width));
      const Index seen = std::clamp<Index>(among[at(r)].end - j, 0, width);
      const Index without = among[at(r)].without - j;
      const bool cut = without >= 0 && without < seen;
      const Index before = cut ? without : seen;
      best[at(r)].add(j, row.first(at(before)));
      if (cut)
        best[at(r)].add(j + without + 1, row.subspan(at(without + 1), at(seen - without - 1)));
    }
  }
  for (std::size_t r = 0; r < chosen.size(); ++r)
    chosen[r] = best[r].take();
}

} // namespace

void LargestScores::add(Index first, std::span<const double> scores) {
  if (k_ == 0)
    return;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (full_ && !(scores[t] > least_))
      continue;
    kept_.push_back({scores[t], first + static_cast<Index>(t)});
    if (static_cast<Index>(kept_.size()) >= 2 * k_ + kSpare)
      cut();
  }
}

void LargestScores::cut() {
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.score > b.score || (a.score == b.score && a.index < b.index);
  };
  std::nth_element(kept_.begin(), kept_.begin() + (k_ - 1), kept_.end(), better);
  kept_.resize(at(k_));
  full_ = true;
  least_ = kept_.back().score;
}

std::vector<Index> LargestScores::take() {
  if (static_cast<Index>(kept_.size()) > k_)
    cut();
  std::vector<Index> indices;
  indices.reserve(kept_.size());
  for (const Candidate& candidate : kept_)
    indices.push_back(candidate.index);
  std::sort(indices.begin(), indices.end());
  kept_.clear();
  full_ = false;
  return indices;
}

std::vector<std::vector<Index>> largestScores(const Similarities& similarities,
                                              MatrixView<const double> x, Index k,
                                              const std::function<Others(Index row)>& others,
                                              int threads, const Run& run) {
  std::vector<std::vector<Index>> chosen(at(x.rows));
  parallelFor(ceilDiv(x.rows, kRows), threads, run, [&](Index chunk) {
    const Index first = chunk * kRows;
    choose(similarities, x, first, k, others,
           std::span(chosen).subspan(at(first), at(std::min(kRows, x.rows - first))));
  });
  return chosen;
}

} // namespace attention
