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

// Adds the scores of others j, j + 1, … that are among those of a row.
void addSeen(LargestScores& best, const Others& among, Index j, std::span<const double> scores) {
  const auto width = static_cast<Index>(scores.size());
  const auto add = [&](Index from, Index to) {
    const Index begin = std::clamp<Index>(from - j, 0, width);
    const Index end = std::clamp<Index>(to - j, begin, width);
    best.add(j + begin, scores.subspan(at(begin), at(end - begin)));
  };
  if (among.without < among.begin || among.without >= among.end)
    return add(among.begin, among.end);
  add(among.begin, among.without);
  add(among.without + 1, among.end);
}

// For the rows from `first` on, as many as `chosen` has.
void choose(const ScoreTiles& tiles, Index first, Index k,
            const std::function<Others(Index row)>& others, std::span<std::vector<Index>> chosen) {
  const auto count = static_cast<Index>(chosen.size());
  std::vector<Others> among;
  std::vector<LargestScores> best(chosen.size(), LargestScores(std::min(k, tiles.others)));
  Index begin = tiles.others;
  Index end = 0;
  for (Index r = 0; r < count; ++r) {
    among.push_back(others(first + r));
    begin = std::min(begin, among.back().begin);
    end = std::max(end, among.back().end);
  }
  Matrix<double> scores(count, std::max<Index>(std::min(kOthers, end - begin), 0));
  for (Index j = begin; j < end; j += kOthers) {
    const Index width = std::min(kOthers, end - j);
    tiles.compute(first, j, {scores.data(), count, width, scores.cols()});
    for (Index r = 0; r < count; ++r)
      addSeen(best[at(r)], among[at(r)], j, {&scores(r, 0), at(width)});
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

std::vector<std::vector<Index>> largestScores(const ScoreTiles& tiles, Index k,
                                              const std::function<Others(Index row)>& others,
                                              int threads, const Run& run) {
  std::vector<std::vector<Index>> chosen(at(tiles.rows));
  parallelFor(ceilDiv(tiles.rows, kRowsAtOnce), threads, run, [&](Index chunk) {
    const Index first = chunk * kRowsAtOnce;
    choose(tiles, first, k, others,
           std::span(chosen).subspan(at(first), at(std::min(kRowsAtOnce, tiles.rows - first))));
  });
  return chosen;
}

std::vector<std::vector<Index>> largestScores(const Similarities& similarities,
                                              MatrixView<const double> x, Index k,
                                              const std::function<Others(Index row)>& others,
                                              int threads, const Run& run) {
  const auto compute = [&](Index row, Index other, MatrixView<double> scores) {
    similarities.compute({x.data + row * x.stride, scores.rows, x.cols, x.stride}, other, scores);
  };
  return largestScores(ScoreTiles{x.rows, similarities.size(), compute}, k, others, threads, run);
}

} // namespace attention
