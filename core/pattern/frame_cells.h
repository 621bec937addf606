// Cells of tokens in frames of t tokens whose positions are not far apart, depending on how far
// their frames are (T5).
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

class FrameCells {
public:
  // widths[D]: frames at distance D see positions up to so many apart, at most `tokens` − 1; −1:
  // none. `sink`: all see the whole first frame. Tokens behind the last frame have no cells.
  FrameCells(std::vector<Index> widths, Index tokens, bool sink)
      : widths_(std::move(widths)), tokens_(tokens), sink_(sink) {}

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  Index count(const Rect& rect) const; // O(frames that the rows and keys meet)
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;
  std::string explain(Index i, Index j) const;

private:
  struct Frames {
    Index begin = 0;
    Index end = 0;
  };

  Index frames() const { return static_cast<Index>(widths_.size()); }
  Index width(Index queryFrame, Index keyFrame) const;
  Index pairs(Index width) const; // of two whole frames
  Index countPair(Index queryFrame, Index keyFrame, const Rect& rect) const;
  Index countWhole(const Frames& queries, const Frames& keys) const;
  // Frames wholly in [begin, end).
  Frames wholeIn(Index begin, Index end) const;

  std::vector<Index> widths_;
  Index tokens_;
  bool sink_;
};

} // namespace attention
