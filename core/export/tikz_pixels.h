// Pixels of pictures for LaTeX, which reads images only from separate files: a few become
// rectangles, which anybody can edit and every driver draws; more would exhaust LaTeX's memory (5
// million words in a default pdfTeX, about 130 per \fill and 30 per rectangle of a longer path), so
// they become an image written into the page's stream, where a pixel takes two words and no time.
#pragma once

#include "core/plot/display_list.h"

#include <cstddef>
#include <string>
#include <vector>

namespace attention {

// The limits for the pictures of one list, all together.
constexpr std::size_t kMostPixelBoxes = 4096;   // rectangles
constexpr std::size_t kMostTikzPixels = 320000; // pixels of images: 0.65 MB

// Rectangles of one colour, in pixels.
struct PixelBoxes {
  Color color;
  std::vector<Box> boxes;
  bool operator==(const PixelBoxes&) const = default;
};

// Disjoint rectangles that hold exactly the pixels other than `ground`: runs in a row, joined with
// equal runs of the rows below. Grouped by colour, in order of first occurrence. O(pixels).
std::vector<PixelBoxes> mergedPixels(const Image& image, const Color& ground);

// The image over the unit square as operators of a PDF page, in lines, in at most 256 colours:
// where there are more, channels are rounded, relative to `ground`, to the smallest power of two
// that leaves so few; `ground` itself stays exact.
std::string pdfImage(const Image& image, const Color& ground);

// One or the other.
struct TikzPixels {
  std::vector<PixelBoxes> boxes;
  std::string image; // of pdfImage
};

// For each picture of the list, in order: rectangles where they are few, else images; the largest
// are averaged down until all together have at most kMostTikzPixels. `images`: all are images.
std::vector<TikzPixels> tikzPixels(const DisplayList& list, bool images = false);

} // namespace attention
