// Lines of text that need more than one typeface and a row of glyphs: other scripts, right-to-left
// text, letters with combining accents. fontconfig finds system fonts that have the characters,
// Pango shapes the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Cairo's type, declared here so that users of this header need not include cairo's.
typedef struct _cairo cairo_t; // NOLINT(bugprone-reserved-identifier)

namespace attention {

// The typeface of exported files; other fonts supply what it lacks.
constexpr const char* kTypeface = "DejaVu Sans";

// Bytes that are not UTF-8 become question marks.
std::string validUtf8(std::string_view text);

// Whether a character can be drawn by itself after the previous one, whatever its neighbours: not
// one that combines with the character before, runs right to left or changes its shape with its
// neighbours.
bool standsAlone(char32_t sign);
// Whether all characters can.
bool standAlone(std::string_view text);

// Size of the em in pixels.
struct TypeStyle {
  double size = 13;
  bool bold = false;
};

// Characters of the text that no font on this system has, each once, in order; empty where all are
// found. They are drawn as □.
std::string missingSigns(std::string_view text);

// A sentence about such characters: "no font on this system has U+65E5, U+672C (install one that
// does, such as Noto)".
std::string missingText(std::string_view signs);

// Pixels from the line's left end to its right end.
double shapedWidth(std::string_view text, const TypeStyle& style);

// Draws the line with its left end on the baseline at the current point, in the current colour.
void showShaped(cairo_t* cr, std::string_view text, const TypeStyle& style);

// The line as opacity, row by row from the top.
struct TextImage {
  int width = 0; // pixels; 0 × 0 for a line without ink
  int height = 0;
  int left = 0;       // from the line's left end to the first column: may be negative
  int above = 0;      // rows above the baseline
  double advance = 0; // as in shapedWidth
  std::vector<std::uint8_t> opacity;
};
TextImage shapedImage(std::string_view text, const TypeStyle& style);

// A stretch of the text in one font and direction.
struct FontRun {
  std::string text;
  std::string family; // "Droid Sans Fallback"; empty if no font has the characters
  bool rightToLeft = false;
};
// In the order of reading.
std::vector<FontRun> fontRuns(std::string_view text, bool bold);

// Accents joined with their letters where Unicode has such a letter (NFC).
std::string composed(std::string_view text);

} // namespace attention
