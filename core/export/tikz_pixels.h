// Pixels of pictures for LaTeX, which reads no image without a file of its own: few are rectangles
// that anybody can edit and that every driver draws; more would take LaTeX's memory (5 million
// words in pdfTeX as it comes, about 130 a \fill and 30 a rectangle of a longer path), so they are
// an image written into the page's stream, where a pixel takes two words and no time.
#pragma once

#include "core/plot/display_list.h"

#include <cstddef>
#include <string>
#include <vector>

namespace attention {

// What the pictures of one list take at most, all together.
constexpr std::size_t kMostPixelBoxes = 4096;   // rectangles
constexpr std::size_t kMostTikzPixels = 320000; // of images: 0.65 MB

// Rectangles of one colour, in pixels.
struct PixelBoxes {
  Color color;
  std::vector<Box> boxes;
  bool operator==(const PixelBoxes&) const = default;
};

// Disjoint rectangles that hold exactly the pixels that are not `ground`: runs in a row, joined
// with equal runs of the rows below. By colour, in the order in which they come. O(pixels).
std::vector<PixelBoxes> mergedPixels(const Image& image, const Color& ground);

// The image over the unit square as operators of a PDF page, in lines, in at most 256 colours:
// where there are more, channels are rounded to the least power of two that leaves so few, as seen
// from `ground`, which stays as it is.
std::string pdfImage(const Image& image, const Color& ground);

// One of both.
struct TikzPixels {
  std::vector<PixelBoxes> boxes;
  std::string image; // of pdfImage
};

// For each picture of the list, in order: rectangles where they are few, else images; the
// largest are averaged down until all have kMostTikzPixels together. `images`: all are images.
std::vector<TikzPixels> tikzPixels(const DisplayList& list, bool images = false);

} // namespace attention
