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
  FrameCells(std::vector<Index> widths, Index tokens, bool sink);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(frames) where the rectangle holds whole frames of both queries and keys, else O(widths).
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;
  std::string explain(Index i, Index j) const;

private:
  struct Frames {
    Index begin = 0;
    Index end = 0;
  };

  // One of the few different widths, and how many distances below D have it.
  struct Width {
    Index value = 0;
    std::vector<Index> below;
  };

  Index frames() const { return static_cast<Index>(widths_.size()); }
  Index width(Index queryFrame, Index keyFrame) const;
  Index pairs(Index width) const; // of two whole frames
  Index countPair(Index queryFrame, Index keyFrame, const Rect& rect) const;
  Index countWhole(const Frames& queries, const Frames& keys) const;
  // Of one frame's positions, cut by the rectangle, with whole frames.
  Index countFrame(Index frame, const Frames& others, const Frames& positions, bool isKey) const;
  // Frames wholly in [begin, end).
  Frames wholeIn(Index begin, Index end) const;

  std::vector<Index> widths_;
  std::vector<Width> different_;
  Index tokens_;
  bool sink_;
};

} // namespace attention
