#include "core/analysis/row_breaks.h"

#include <algorithm>

namespace attention {
namespace {

// Rows at which key `k` enters or leaves the row's keys, where those are the blocks that begin or
// end `offset` blocks after the row's own.
void appendBlockBreaks(Index size, Index offset, Index k, std::vector<Index>& breaks) {
  if (offset < -kMaxLength || offset > kMaxLength)
    return;
  const Index row = (k / size - offset) * size;
  breaks.push_back(row);
  breaks.push_back(row + size);
}

// Whether the few repetitions of a long period are stretches instead of one period.
bool isUnrolled(const Primitive& p, Index rows) {
  return p.period > 1 && p.period >= rows / p.period;
}

// Rows within a period at which the number of keys begins to change or stops changing.
std::vector<Index> turnsOf(const Primitive& p, Index keys) {
  switch (p.shape) {
  case Shape::Area:
    return {};
  case Shape::Band: // i − j is a multiple of the period at the first key, or at the one past the
                    // end
    return {std::max<Index>(p.clip.keyBegin, 0) % p.period,
            std::min(p.clip.keyEnd, keys) % p.period};
  case Shape::Columns:
  case Shape::Blocks:
  case Shape::BlockColumns:
    return {0, p.lo, p.hi};
  }
  return {};
}

void appendRepetitions(const Primitive& p, Index rows, Index keys, std::vector<Index>& breaks) {
  for (const Index turn : turnsOf(p, keys))
    for (Index row = 0; row < rows; row += p.period)
      breaks.push_back(row + turn);
}

} // namespace

void appendRowBreaks(const Primitive& p, Index rows, Index keys, std::vector<Index>& breaks) {
  if (isUnrolled(p, rows))
    appendRepetitions(p, rows, keys, breaks);
  breaks.push_back(p.clip.rowBegin);
  breaks.push_back(p.clip.rowEnd);
  const Index size = std::min(p.period, kUnbounded);
  for (const Index k : {std::max<Index>(p.clip.keyBegin, 0), std::min(p.clip.keyEnd, keys)}) {
    if (p.causal) // from row k − 1 on, key k − 1 is no longer in the future
      breaks.insert(breaks.end(), {k - 1, k});
    if (p.shape == Shape::Band)
      breaks.insert(breaks.end(), {k + p.lo - 1, k + p.lo, k + p.hi, k + p.hi + 1});
    if (p.shape == Shape::Blocks) {
      appendBlockBreaks(size, p.lo, k, breaks);
      appendBlockBreaks(size, p.hi + 1, k, breaks);
    }
    if (p.shape == Shape::BlockColumns || (p.shape == Shape::Blocks && p.causal))
      appendBlockBreaks(size, 0, k, breaks);
  }
}

std::optional<Index> rowBreaks(const Cells& cells, std::vector<Index>& breaks) {
  if (const auto* table = std::get_if<std::shared_ptr<const RowTable>>(&cells))
    return (*table)->rowBreaks(breaks);
  const auto* counted = std::get_if<CountedCells>(&cells);
  return counted && counted->rowBreaks ? counted->rowBreaks(breaks) : std::nullopt;
}

Index rowPeriod(const Primitive& p, Index rows, Index begin, Index end) {
  const bool constant = p.shape == Shape::Area || (p.shape == Shape::Columns && !p.causal);
  // The rows of one block see the same blocks, and their own up to the diagonal.
  const bool oneBlock = p.shape == Shape::Blocks && begin / p.period == (end - 1) / p.period;
  return constant || oneBlock || isUnrolled(p, rows) ? 1 : std::max<Index>(p.period, 1);
}

} // namespace attention
