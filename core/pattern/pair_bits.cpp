#include "core/pattern/pair_bits.h"

#include "core/pattern/bit_runs.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

// 64 × 64 bits, a word per row, mirrored at the diagonal: halves of words are swapped, then
// quarters, down to bits (Warren, Hacker's Delight, 7-3).
void mirror(std::array<std::uint64_t, 64>& tile) {
  std::uint64_t mask = ~std::uint64_t{0} >> 32U;
  for (std::size_t half = 32; half > 0; half /= 2, mask ^= mask << half)
    for (std::size_t r = 0; r < tile.size(); r = ((r | half) + 1) & ~half) {
      const std::uint64_t moved = ((tile[r] >> half) ^ tile[r | half]) & mask;
      tile[r] ^= moved << half;
      tile[r | half] ^= moved;
    }
}

} // namespace

PairBits::PairBits(Index n)
    : n_(n), wide_(ceilDiv(n, kSide)), words_(static_cast<std::size_t>(n * wide_)) {}

// A thread writes the tiles below the diagonal and reads those above it, which no other thread
// writes.
void PairBits::addMirrored(const PairBits& upper, const Run& run) {
  parallelFor(wide_, 0, run, [&](Index a) {
    for (Index b = 0; b <= a; ++b)
      addMirroredTile(upper, a, b);
  });
}

// Tile (a, b) of rows and columns takes tile (b, a) of `upper`.
void PairBits::addMirroredTile(const PairBits& upper, Index a, Index b) {
  std::array<std::uint64_t, static_cast<std::size_t>(kSide)> tile{};
  for (Index i = b * kSide; i < std::min((b + 1) * kSide, n_); ++i)
    tile[static_cast<std::size_t>(i % kSide)] = upper.word(i, a);
  mirror(tile);
  for (Index i = a * kSide; i < std::min((a + 1) * kSide, n_); ++i)
    word(i, b) |= tile[static_cast<std::size_t>(i % kSide)];
}

void PairBits::appendRuns(Index i, Index end, std::vector<KeyRun>& runs) const {
  for (BitRuns row({&words_[static_cast<std::size_t>(i * wide_)], end}); row.next();)
    runs.push_back({row.begin(), row.end(), false});
}

} // namespace attention
