// A figure laid out at a size: its display list. The same figure, size and measure give the same
// list, whatever draws it.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/figure.h"
#include "core/support/run.h"

#include <optional>
#include <span>

namespace attention {

// Makes the pixels of a picture; owns everything it reads. Throws Stopped.
using MakeImage = std::function<Image(const Run&)>;

struct LayoutOptions {
  double pixelsPerUnit = 1;     // resolution of pictures of coverage
  bool atPixels = false;        // values of small cells as pixels, for painters without filters
  std::size_t mostBoxes = 4096; // up to this many merged boxes, cells become boxes, else a picture
  bool smallBoxes = false;      // even where cells are smaller than pixels and rows are many
  int threads = 0;
  // Where given, it receives the makers of the pixels of numbers, in the order of the list's
  // pictures without an image; otherwise they run at once.
  std::function<void(MakeImage)> later = {};
  // Where given, it receives each plot, what its mark fills and the size of type, for answers to a
  // pointer.
  std::function<void(const Plot& plot, const Box& box, double type)> placed = {};
};

// Without `size` the figure takes its own. Words that do not fit are shortened. E_RANGE: a size too
// small for axes and words.
DisplayList layout(const Figure& figure, const std::optional<Size>& size,
                   const TextMeasure& measure, const LayoutOptions& options = {},
                   const Run& run = {});

// A single plot with its axes, as windows place it: the list, and the part of it that the mark
// fills, so that the window knows what lies under the pointer.
struct PlacedPlot {
  DisplayList list;
  Box box;
};

struct PlotLook {
  double type = 13; // size of type
  FigureTheme theme = FigureTheme::Light;
  // The least room on the left and right of a plot of curves, so that the axes of stacked plots
  // align.
  double left = 0;
  double right = 0;
  // Whether a plot of curves shows the numbers and the name of its x axis: not where the plot below
  // has the same.
  bool across = true;
  // Whether curves and named points show their names; where these are listed elsewhere, points have
  // numbers instead, except those without a place near them.
  bool named = true;
  bool operator==(const PlotLook&) const = default;
};

// The look with the most room that any of the plots needs to its left and right in a given width.
PlotLook alignedLook(std::span<const Plot* const> plots, double width, PlotLook look,
                     const TextMeasure& measure);

// The extra points of an x axis with numbers and a name over one without them.
double acrossHeight(double type);

// Fills `size` as far as the plot's aspect allows. Words to the right of curves are shortened where
// they would take more than half the width. E_RANGE: a size too small for the axes.
PlacedPlot layoutPlot(const Plot& plot, const Size& size, const PlotLook& look,
                      const TextMeasure& measure, const LayoutOptions& options = {},
                      const Run& run = {});

} // namespace attention
