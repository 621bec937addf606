#include "core/pattern/mechanism/radial_blocks.h"

#include <algorithm>
#include <vector>

namespace attention {
namespace {

// gen_log_mask_shrinked and shrink_mask_strict: a block is on where more than 60 % of its columns
// with a cell have more than a third of a block of them.
class RadialRows {
public:
  RadialRows(const Radial& radial, Index n)
      : size_(radial.blockSize), blocks_(n / size_), frames_(*radial.frames),
        tokens_(*radial.tokensPerFrame), border_(frames_ * tokens_ / size_),
        sink_(radial.model == Radial::Model::Wan), widths_(radialWidths(radial)) {}

  Index blocks() const { return blocks_; }

  // Marks the blocks of block row R.
  void mark(Index R, std::vector<char>& on) const {
    std::fill(on.begin(), on.end(), R >= border_ ? 1 : 0);
    std::fill(on.begin() + border_, on.end(), 1);
    if (R >= border_)
      return;
    const Index side = sideLength();
    const Index first = std::max<Index>(ceilDiv((R + 1) * size_ - side, tokens_), 0);
    const Index last = std::min(((R + 1) * size_ - 1) / tokens_, frames_ - 1);
    for (Index f = first; f <= last; ++f)
      markFrames(R, f, on);
  }

private:
  struct Span {
    Index begin = 0;
    Index end = 0;
  };

  // A frame is padded to whole blocks; what its last block has beyond them is left out.
  Index sideLength() const { return ceilDiv(tokens_, size_) * size_; }
  // The positions of a frame that a block holds.
  Span positions(Index block, Index frame) const {
    const Index start = frame * tokens_;
    return {std::max<Index>(block * size_ - start, 0),
            std::min((block + 1) * size_ - start, tokens_)};
  }
  Index width(Index f, Index g) const {
    return sink_ && g == 0 ? tokens_ - 1 : widths_[static_cast<std::size_t>(std::abs(f - g))];
  }

  void markFrames(Index R, Index f, std::vector<char>& on) const {
    const Span rows = positions(R, f);
    if (rows.begin >= rows.end)
      return;
    for (Index g = 0; g < frames_; ++g) {
      const Index w = width(f, g);
      if (w < 0)
        continue;
      const Span band{std::max<Index>(rows.begin - w, 0), std::min(rows.end + w, tokens_)};
      const Index start = g * tokens_;
      const Index end =
          std::min({(start + band.end - 1) / size_ + 1, (start + sideLength()) / size_, blocks_});
      for (Index C = (start + band.begin) / size_; C < end; ++C) {
        char& block = on[static_cast<std::size_t>(C)];
        if (block == 0)
          block = isOn(rows, intersected(positions(C, g), band), w) ? 1 : 0;
      }
    }
  }

  static Span intersected(const Span& a, const Span& b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
  }

  // Of the columns, each of which has a cell, those with more than a third of a block.
  bool isOn(const Span& rows, const Span& columns, Index w) const {
    const Index some = columns.end - columns.begin;
    if (some <= 0)
      return false;
    const auto cells = [&](Index c) {
      return std::min(rows.end, c + w + 1) - std::max(rows.begin, c - w);
    };
    Index many = 0;
    const bool whole = columns.end - 1 - w <= rows.begin && columns.begin + w >= rows.end - 1;
    if (whole)
      many = 3 * (rows.end - rows.begin) > size_ ? some : 0;
    else
      for (Index c = columns.begin; c < columns.end; ++c)
        many += 3 * cells(c) > size_ ? 1 : 0;
    return 10 * many > 6 * some;
  }

  Index size_;
  Index blocks_;
  Index frames_;
  Index tokens_;
  Index border_; // blocks from here on hold text
  bool sink_;
  std::vector<Index> widths_;
};

} // namespace

std::shared_ptr<const RowTable> radialBlocks(const Radial& radial, Index n, const Run& run) {
  const RadialRows rows(radial, n);
  std::vector<char> on(static_cast<std::size_t>(rows.blocks()));
  RowTable table;
  std::vector<KeyRun> runs;
  for (Index R = 0; R < rows.blocks(); ++R) {
    run.report(static_cast<double>(R) / static_cast<double>(rows.blocks()));
    rows.mark(R, on);
    runs.clear();
    for (Index C = 0; C < rows.blocks(); ++C) {
      if (on[static_cast<std::size_t>(C)] == 0)
        continue;
      const Index begin = C * radial.blockSize;
      if (!runs.empty() && runs.back().end == begin)
        runs.back().end += radial.blockSize;
      else
        runs.push_back({begin, begin + radial.blockSize});
    }
    table.appendGroup((R + 1) * radial.blockSize, runs);
  }
  return std::make_shared<const RowTable>(std::move(table));
}

} // namespace attention
