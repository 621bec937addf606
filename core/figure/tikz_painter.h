// Draws display lists as TikZ: a tikzpicture that compiles with plain tikz, cells as few filled
// rectangles in units of cells.
#pragma once

#include "core/figure/display_list.h"

#include <string>
#include <string_view>

namespace attention {

struct TikzOptions {
  bool standalone = false; // a whole document, else a tikzpicture to \input
  std::string title;       // a comment at the top
  bool images = false;     // pictures are images even where few rectangles would do
};

std::string paintTikz(const DisplayList& list, const TikzOptions& options = {});

} // namespace attention
