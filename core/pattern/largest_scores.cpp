#include "core/pattern/largest_scores.h"

#include "core/pattern/score_filter.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

namespace attention {
namespace {

constexpr Index kRowsAtOnce = 64; // a chunk
constexpr Index kOthers = 512;    // a tile: 256 KiB of scores
constexpr Index kSpare = 64;      // candidates beyond 2k, so that cuts are rare where k is small

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

// Doubles as integers of the same order.
std::int64_t ordinalOf(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}
double ofOrdinal(std::int64_t ordinal) {
  return std::bit_cast<double>(ordinal < 0 ? std::numeric_limits<std::int64_t>::min() - ordinal
                                           : ordinal);
}

// A number between two: halfway, which is quick for evenly spread scores; after some steps halfway
// among all doubles, which terminates for any scores. One of the two where nothing is between.
double between(double low, double high, int step) {
  constexpr int kEvenSteps = 16;
  const double middle = low / 2 + high / 2;
  if (step < kEvenSteps && middle > low && middle < high)
    return middle;
  const std::int64_t a = ordinalOf(low);
  const std::int64_t b = ordinalOf(high);
  return ofOrdinal((a & b) + ((a ^ b) >> 1));
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
  const auto more = static_cast<Index>(scores.size());
  const std::size_t room = at(size_ + more + kFilterSpare);
  if (scores_.size() < room) {
    scores_.resize(room);
    indices_.resize(room);
  }
  if (full_) {
    size_ += copyAbove(scores, bound_, first, &scores_[at(size_)], &indices_[at(size_)]);
  } else {
    std::copy(scores.begin(), scores.end(), scores_.begin() + size_);
    std::iota(indices_.begin() + size_, indices_.begin() + size_ + more, first);
    size_ += more;
  }
  if (size_ > 2 * k_ + kSpare)
    cut(k_ + k_ / 4 + kSpare / 4);
}

Index LargestScores::above(double bound) const {
  return countAbove(std::span(scores_).first(at(size_)), bound);
}

// Halves the interval between a bound that k scores exceed and one that fewer exceed.
void LargestScores::cut(Index most) {
  const ScoreSpread spread = spreadOf(std::span(scores_).first(at(size_)));
  double low = spread.least;
  double high = spread.most;
  if (above(low) < k_)
    return cutTies(low);
  for (int step = 0;; ++step) {
    const double middle = between(low, high, step);
    if (!(middle > low && middle < high))
      return cutTies(high);
    const Index count = above(middle);
    (count >= k_ ? low : high) = middle;
    if (count >= k_ && count <= most)
      break;
  }
  size_ = keepAbove(scores_.data(), indices_.data(), size_, low);
  full_ = true;
  bound_ = low;
}

void LargestScores::cutTies(double bound) {
  Index left = k_ - above(bound);
  Index kept = 0;
  for (Index t = 0; t < size_; ++t) {
    const double score = scores_[at(t)];
    if (!(score > bound) && !(score == bound && left-- > 0))
      continue;
    scores_[at(kept)] = score;
    indices_[at(kept++)] = indices_[at(t)];
  }
  size_ = kept;
  full_ = kept == k_;
  bound_ = bound;
}

std::vector<Index> LargestScores::take() {
  if (size_ > k_)
    cut(k_);
  else
    cutTies(-std::numeric_limits<double>::infinity()); // all numbers stay
  std::vector<Index> indices(indices_.begin(), indices_.begin() + size_);
  size_ = 0;
  full_ = false;
  return indices;
}

std::vector<std::vector<Index>> largestScores(const Similarities& similarities,
                                              MatrixView<const double> x, Index k,
                                              const std::function<Others(Index row)>& others,
                                              int threads, const Run& run) {
  std::vector<std::vector<Index>> chosen(at(x.rows));
  parallelFor(ceilDiv(x.rows, kRowsAtOnce), threads, run, [&](Index chunk) {
    const Index first = chunk * kRowsAtOnce;
    choose(similarities, x, first, k, others,
           std::span(chosen).subspan(at(first), at(std::min(kRowsAtOnce, x.rows - first))));
  });
  return chosen;
}

} // namespace attention
