// Running text as people read it: words joined of their tokens and broken into lines, every token
// shaded by a share. Long texts begin with any line.
#pragma once

#include "core/plot/display_list.h"
#include "core/support/integers.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attention {

// Its sizes of type beside 13, at which words are placed: painters that draw glyphs as pixels have
// these.
inline constexpr std::array<double, 5> kRunningSizes{16.0, 19.0, 23.0, 28.0, 34.0};

struct TextToken {
  // As it is read: "walk" of "walk" + "ing"; nothing where it is one byte more of the character
  // that the token before it begins.
  std::string text;
  bool joined = false; // it goes on the word before it
  Index breaks = 0;    // lines that end with it: a faint ¶ stands there
  double share = 0;    // of the strongest shade, in [0, 1]
  double lost = 0;     // likewise, of the line below it
  // A line of the source ends with it, though none of the text does: a ¶ stands there too.
  bool wraps = false;
  bool operator==(const TextToken&) const = default;
};

struct RunningTextMark {
  std::vector<TextToken> tokens;
  std::optional<Index> marked;                       // framed
  Index first = 0;                                   // token of the first line
  std::function<std::string(Index token)> told = {}; // in pages; none: its shades
};

// A word on its line: tokens [begin, end), each from one edge to the next, in pixels.
struct PlacedWord {
  Index begin = 0;
  Index end = 0;
  Index line = 0;
  std::string text;
  std::vector<double> edges; // end − begin + 1, rising
};

// Where words stand in a width: at the right of their lines where most letters are read from right
// to left. The line of `mark.first` is 0; no more than fit are made. Where all of the text fits,
// its lines stand further apart, as far as they are still read as one text.
struct TextLines {
  std::vector<PlacedWord> words;
  double lineHeight = 1;
  bool rightToLeft = false;
  Index end = 0; // the token after the last one

  // The token at a place of the box; nothing between words.
  std::optional<Index> tokenAt(const Point& at) const;
};
TextLines textLines(const RunningTextMark& mark, const Size& size, double type,
                    const TextMeasure& measure);

// The token that begins the line `by` lines after that of mark.first, as far as the text goes.
Index scrolledTo(const RunningTextMark& mark, Index by, double width, double type,
                 const TextMeasure& measure);
// The same for the first line of a page, which goes no further than the last full one.
Index pageFrom(RunningTextMark mark, const Size& size, double type, const TextMeasure& measure);

} // namespace attention
