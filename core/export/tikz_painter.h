// Draws display lists as TikZ: a tikzpicture that compiles with plain tikz, cells as few filled
// rectangles in units of cells.
#pragma once

#include "core/plot/display_list.h"

#include <string>
#include <string_view>

namespace attention {

struct TikzOptions {
  bool standalone = false; // a whole document; else a tikzpicture to \input
  std::string title;       // a comment at the top
  bool images = false;     // pictures are images even where few rectangles would do
};

std::string paintTikz(const DisplayList& list, const TikzOptions& options = {});

// ---- words for LaTeX ----

// Escapes special characters and writes the mathematical symbols that we use as commands. Other
// characters that LaTeX's usual fonts lack are kept for XeLaTeX and LuaLaTeX, in a font that this
// system has for them, with a fallback for pdfLaTeX; accents are joined with their letters.
std::string escapedLatex(std::string_view text);

// The commands that a picture with such characters needs before it; empty if there are none.
std::string definitionsFor(std::string_view picture);

} // namespace attention
