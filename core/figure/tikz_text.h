// Words for LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace attention {

// Special characters escaped, the mathematical signs that we use as commands. Other signs that
// LaTeX's usual fonts lack are kept for XeLaTeX and LuaLaTeX, in a font that this system has for
// them, with what pdfLaTeX shows instead; accents are joined with their letters.
std::string escapedLatex(std::string_view text);

// The commands that a picture with such signs needs before it; empty where there are none.
std::string definitionsFor(std::string_view picture);

} // namespace attention
