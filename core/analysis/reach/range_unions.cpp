#include "core/analysis/reach/range_unions.h"

#include "core/support/parallel.h"

#include <algorithm>
#include <bit>

namespace attention {
namespace {

constexpr Index kBlock = 16; // rows

void copyRow(const BitWord* from, std::span<BitWord> to) {
  std::copy(from, from + to.size(), to.begin());
}

// Doublings of blocks that a range of `longest` rows holds whole.
Index levelsFor(Index rows, Index longest) {
  const Index blocks = std::min(ceilDiv(rows, kBlock), longest / kBlock);
  return blocks < 2 ? 0
                    : static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(blocks))) - 1;
}

bool joinsRuns(Index period, Index width) {
  return width > 1 && width < period;
}

void join(std::span<BitWord> into, const BitWord* more) {
  for (std::size_t w = 0; w < into.size(); ++w)
    into[w] |= more[w];
}

} // namespace

RangeUnions::RangeUnions(const BitMatrix& below, Index period, Index width, Index longest,
                         int threads, const Run& run)
    : below_(below), n_(below.rows()), period_(period), width_(width), fromStart_(n_, below.cols()),
      toEnd_(n_, below.cols()) {
  if (joinsRuns(period_, width_))
    joinRuns(threads, run);
  joinBlocks(longest, threads, run);
}

Index RangeUnions::rowsMade(Index rows, Index period, Index width, Index longest) {
  const Index made = 2 * rows + levelsFor(rows, longest) * ceilDiv(rows, kBlock);
  return joinsRuns(period, width) ? made + rows + rowsMade(rows, 1, 1, width) : made;
}

// Row a becomes the union of the rows a … a + width − 1, by doubling: runs of 2^k rows first.
void RangeUnions::joinRuns(int threads, const Run& run) {
  const RangeUnions plain(below_, 1, 1, width_, threads, run);
  joined_ = BitMatrix(n_, below_.cols());
  parallelFor(ceilDiv(n_, kBlock), threads, run, [&](Index block) {
    std::vector<const BitWord*> rows;
    for (Index a = block * kBlock; a < std::min(n_, (block + 1) * kBlock); ++a) {
      rows.clear();
      plain.appendPositions(a, std::min(a + width_, n_), rows);
      for (const BitWord* row : rows)
        join(joined_.row(a), row);
    }
  });
}

void RangeUnions::joinBlocks(Index longest, int threads, const Run& run) {
  const Index count = ceilDiv(n_, kBlock);
  parallelFor(count, threads, run, [&](Index block) {
    const Index begin = block * kBlock;
    const Index end = std::min(n_, begin + kBlock);
    for (Index at = begin; at < end; ++at) {
      copyRow(base(at), fromStart_.row(at));
      if (at > begin)
        join(fromStart_.row(at), fromStart_.row(at - 1).data());
    }
    for (Index at = end - 1; at >= begin; --at) {
      copyRow(base(at), toEnd_.row(at));
      if (at + 1 < end)
        join(toEnd_.row(at), toEnd_.row(at + 1).data());
    }
  });
  for (Index k = 0; k < levelsFor(n_, longest); ++k) {
    const Index half = Index{1} << k;
    BitMatrix level(count - 2 * half + 1, below_.cols());
    const auto halfRow = [&](Index block) { return blocks(block, static_cast<std::size_t>(k)); };
    parallelFor(ceilDiv(level.rows(), kBlock), threads, run, [&](Index chunk) {
      for (Index b = chunk * kBlock; b < std::min(level.rows(), (chunk + 1) * kBlock); ++b) {
        copyRow(halfRow(b), level.row(b));
        join(level.row(b), halfRow(b + half));
      }
    });
    blocks_.push_back(std::move(level));
  }
}

const BitWord* RangeUnions::blocks(Index block, std::size_t level) const {
  return (level == 0 ? toEnd_.row(block * kBlock) : blocks_[level - 1].row(block)).data();
}

Index RangeUnions::positionOf(Index a) const {
  const Index residue = a % period_;
  const Index whole = n_ / period_;
  return residue * whole + std::min(residue, n_ % period_) + a / period_;
}

Index RangeUnions::rowAt(Index position) const {
  const Index whole = n_ / period_;
  const Index longer = n_ % period_; // residues that have one row more
  const Index behind = longer * (whole + 1);
  if (position < behind)
    return position / (whole + 1) + position % (whole + 1) * period_;
  return longer + (position - behind) / whole + (position - behind) % whole * period_;
}

const BitWord* RangeUnions::base(Index position) const {
  const Index a = period_ == 1 ? position : rowAt(position);
  return (joined_.rows() > 0 ? joined_ : below_).row(a).data();
}

void RangeUnions::appendPositions(Index begin, Index end, std::vector<const BitWord*>& rows) const {
  const Index first = begin / kBlock;
  const Index last = (end - 1) / kBlock;
  if (first == last) {
    const bool toEnd = end == std::min(n_, (first + 1) * kBlock);
    if (begin == first * kBlock)
      rows.push_back(fromStart_.row(end - 1).data());
    else if (toEnd)
      rows.push_back(toEnd_.row(begin).data());
    else
      for (Index at = begin; at < end; ++at)
        rows.push_back(base(at));
    return;
  }
  rows.push_back(toEnd_.row(begin).data());
  rows.push_back(fromStart_.row(end - 1).data());
  const Index between = last - first - 1;
  if (between == 0)
    return;
  const std::size_t level =
      std::min(static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(between))) - 1,
               blocks_.size());
  const Index length = Index{1} << level;
  for (Index block = first + 1; block + length < last; block += length)
    rows.push_back(blocks(block, level));
  rows.push_back(blocks(last - length, level));
}

void RangeUnions::append(const KeyRange& range, std::vector<const BitWord*>& rows) const {
  if (range.begin >= range.end)
    return;
  if (range.contiguous())
    return appendPositions(range.begin, range.end, rows);
  const Index runs = (range.end - range.begin - width_) / period_ + 1; // whole ones
  if (range.end - range.begin < width_ || runs < 1)
    return;
  const Index begin = positionOf(range.begin);
  appendPositions(begin, begin + runs, rows);
}

} // namespace attention
