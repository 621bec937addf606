// Draws display lists with cairo: into PNG, SVG and PDF, and measures text exactly as it draws it.
#pragma once

#include "core/plot/display_list.h"

#include <string>

namespace attention {

// Widths of text in the typeface of exported files. Cheap to call, from one thread at a time.
TextMeasure cairoMeasure();

// The list as opaque pixels, `scale` of them per unit.
Image paintImage(const DisplayList& list, double scale = 1);

// How SVG stores its words: as outlines, which look the same everywhere, or as text, which can be
// searched and edited and is drawn in the reader's fonts.
enum class SvgWords { Outlines, Text };

// The text of an SVG file; units are pixels.
std::string paintSvg(const DisplayList& list, SvgWords words = SvgWords::Outlines);

// The bytes of a PDF file of one page; a pixel is 1/96 inch. `title` is the document's.
std::string paintPdf(const DisplayList& list, const std::string& title);

} // namespace attention
