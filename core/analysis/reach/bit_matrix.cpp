#include "core/analysis/reach/bit_matrix.h"

#include "core/support/parallel.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace attention {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr Index kRowsPerChunk = 64;

// Ones from bit `from` on, from 0 to 63.
BitWord onesFrom(Index from) {
  return ~BitWord{0} << from;
}

void setRange(std::span<BitWord> words, const KeyRange& range) {
  if (range.width == 1 && range.period > 1) {
    for (Index j = range.begin; j < range.end; j += range.period)
      words[static_cast<std::size_t>(j / kWordBits)] |= BitWord{1} << (j % kWordBits);
    return;
  }
  forEachRun(range, [&](Index begin, Index end) { setBits(words, begin, end); });
}

} // namespace

void setBits(std::span<BitWord> words, Index begin, Index end) {
  if (begin >= end)
    return;
  const auto first = static_cast<std::size_t>(begin / kWordBits);
  const auto last = static_cast<std::size_t>((end - 1) / kWordBits);
  const BitWord head = onesFrom(begin % kWordBits);
  const BitWord tail = ~BitWord{0} >> (kWordBits - 1 - (end - 1) % kWordBits);
  if (first == last) {
    words[first] |= head & tail;
    return;
  }
  words[first] |= head;
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(first) + 1,
            words.begin() + static_cast<std::ptrdiff_t>(last), ~BitWord{0});
  words[last] |= tail;
}

Index countBits(std::span<const BitWord> words, Index begin, Index end) {
  if (begin >= end)
    return 0;
  const auto first = static_cast<std::size_t>(begin / kWordBits);
  const auto last = static_cast<std::size_t>((end - 1) / kWordBits);
  const BitWord head = onesFrom(begin % kWordBits);
  const BitWord tail = ~BitWord{0} >> (kWordBits - 1 - (end - 1) % kWordBits);
  if (first == last)
    return std::popcount(words[first] & head & tail);
  return std::popcount(words[first] & head) + std::popcount(words[last] & tail) +
         countOnes(words.subspan(first + 1, last - first - 1));
}

void BitMatrix::Free::operator()(BitWord* words) const {
  std::free(words); // as std::calloc gave it
}

BitMatrix::BitMatrix(Index rows, Index cols)
    : rows_(rows), cols_(cols), words_(ceilDiv(cols, kWordBits * kLineWords) * kLineWords),
      stride_((words_ / kLineWords | 1) * kLineWords) {
  // Large blocks of calloc are pages that the system has cleared, and are not written twice.
  const auto size = static_cast<std::size_t>(rows_ * stride_ + kLineWords);
  data_.reset(static_cast<BitWord*>(std::calloc(size, sizeof(BitWord))));
  if (!data_)
    throw std::bad_alloc();
  void* first = data_.get();
  std::size_t room = size * sizeof(BitWord);
  first_ = static_cast<BitWord*>(
      std::align(kLineBytes, (size - kLineWords) * sizeof(BitWord), first, room));
}

void BitMatrix::ranges(Index i, KeyRanges& ranges) const {
  ranges.clear();
  forEachRun(row(i), [&](Index begin, Index end) { ranges.push_back({begin, end, 1, 1}); });
}

bool BitMatrix::operator==(const BitMatrix& other) const {
  return rows_ == other.rows_ && cols_ == other.cols_ && std::equal(at(0), at(rows_), other.at(0));
}

BitMatrix bitMatrix(Index n, const std::function<void(Index, KeyRanges&)>& row, bool identity,
                    int threads, const Run& run) {
  BitMatrix matrix(n, n);
  parallelFor(ceilDiv(n, kRowsPerChunk), threads, run, [&](Index chunk) {
    KeyRanges ranges;
    for (Index i = chunk * kRowsPerChunk; i < std::min(n, (chunk + 1) * kRowsPerChunk); ++i) {
      row(i, ranges);
      const auto words = matrix.row(i);
      for (const KeyRange& range : ranges)
        setRange(words, range);
      if (identity)
        setBits(words, i, i + 1);
    }
  });
  return matrix;
}

BitMatrix copyOf(const BitMatrix& matrix) {
  BitMatrix copy(matrix.rows(), matrix.cols());
  for (Index i = 0; i < matrix.rows(); ++i)
    std::copy(matrix.row(i).begin(), matrix.row(i).end(), copy.row(i).begin());
  return copy;
}

} // namespace attention
