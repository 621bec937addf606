#include "core/export/tikz_painter.h"

#include "core/export/shaped_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attention {
namespace {

using Escape = std::pair<std::string_view, std::string_view>;
constexpr std::array kEscapes{
    Escape{"\\", "\\textbackslash{}"},
    Escape{"{", "\\{"},
    Escape{"}", "\\}"},
    Escape{"$", "\\$"},
    Escape{"&", "\\&"},
    Escape{"#", "\\#"},
    Escape{"%", "\\%"},
    Escape{"_", "\\_"},
    Escape{"^", "\\textasciicircum{}"},
    Escape{"~", "\\textasciitilde{}"},
    Escape{"<", "$<$"},
    Escape{">", "$>$"},
    Escape{"|", "$|$"},
    Escape{"\"", "''"},
    Escape{"ℓ", "$\\ell$"},
    Escape{"ᵢ", "$_i$"},
    Escape{"ⱼ", "$_j$"},
    Escape{"₀", "$_0$"},
    Escape{"₁", "$_1$"},
    Escape{"₂", "$_2$"},
    Escape{"−", "$-$"},
    Escape{"×", "$\\times$"},
    Escape{"·", "$\\cdot$"},
    Escape{"≤", "$\\le$"},
    Escape{"≥", "$\\ge$"},
    Escape{"≠", "$\\ne$"},
    Escape{"≈", "$\\approx$"},
    Escape{"∪", "$\\cup$"},
    Escape{"∩", "$\\cap$"},
    Escape{"∖", "$\\setminus$"},
    Escape{"\u2009", "\\,"}, // between digits
    Escape{"∈", "$\\in$"},
    Escape{"→", "$\\to$"},
    Escape{"↑", "$\\uparrow$"},
    Escape{"↓", "$\\downarrow$"},
    Escape{"√", "$\\surd$"},
    Escape{"✓", "$\\surd$"},
    Escape{"✗", "$\\times$"},
    Escape{"°", "$^\\circ$"},
    Escape{"π", "$\\pi$"},
    Escape{"φ", "$\\phi$"},
    Escape{"Σ", "$\\Sigma$"},
    Escape{"σ", "$\\sigma$"},
    Escape{"⌊", "$\\lfloor$"},
    Escape{"⌋", "$\\rfloor$"},
    Escape{"…", "\\dots{}"},
    Escape{"–", "--"},
    Escape{"’", "'"},
    Escape{"′", "$'$"},
    Escape{"ᵀ", "$^T$"},
    Escape{"ₖ", "$_k$"},
    Escape{"§", "\\S{}"},
    Escape{"“", "``"},
    Escape{"”", "''"},
};

// Length of the UTF-8 character at the front of `text`, at least 1.
std::size_t signLength(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
    ++length;
  return length;
}

constexpr std::string_view kRaisedPoint = "·"; // between raised digits
constexpr std::array kRaised{Escape{"⁰", "0"}, Escape{"¹", "1"}, Escape{"²", "2"}, Escape{"³", "3"},
                             Escape{"⁴", "4"}, Escape{"⁵", "5"}, Escape{"⁶", "6"}, Escape{"⁷", "7"},
                             Escape{"⁸", "8"}, Escape{"⁹", "9"}, Escape{"⁻", "-"}};

// The raised number at the front of `text`, which loses it: "1.92" of "¹·⁹²". May be empty.
std::string takeExponent(std::string_view& text) {
  const auto raisedAt = [](std::string_view at) {
    return std::find_if(kRaised.begin(), kRaised.end(),
                        [&](const Escape& known) { return at.starts_with(known.first); });
  };
  std::string exponent;
  for (;;) {
    const bool point = !exponent.empty() && text.starts_with(kRaisedPoint);
    const std::string_view rest = point ? text.substr(kRaisedPoint.size()) : text;
    const auto sign = raisedAt(rest);
    if (sign == kRaised.end())
      return exponent;
    exponent.append(point ? "." : "").append(sign->second);
    text = rest.substr(sign->first.size());
  }
}

// Latin letters with accents (U+00C0 … U+017F), which LaTeX reads directly.
bool isLatinLetter(std::string_view sign) {
  if (sign.size() != 2)
    return false;
  const auto lead = static_cast<unsigned char>(sign[0]);
  return lead == 0xC3 || lead == 0xC4 || lead == 0xC5;
}

bool isPlain(std::string_view sign) {
  return sign.size() == 1 && static_cast<unsigned char>(sign[0]) < 0x7F &&
         static_cast<unsigned char>(sign[0]) >= 0x20;
}

const Escape* escapeOf(std::string_view sign) {
  const auto found = std::find_if(kEscapes.begin(), kEscapes.end(),
                                  [&](const Escape& known) { return known.first == sign; });
  return found == kEscapes.end() ? nullptr : &*found;
}

// Characters that LaTeX's usual fonts lack.
bool isOther(std::string_view sign) {
  return !escapeOf(sign) && !isPlain(sign) && !isLatinLetter(sign) &&
         static_cast<unsigned char>(sign[0]) >= 0x80;
}

// Takes those at the front.
std::string takeOthers(std::string_view& text) {
  std::string others;
  while (!text.empty()) {
    std::string_view rest = text;
    const std::string_view sign = text.substr(0, signLength(text));
    if (!isOther(sign) || !takeExponent(rest).empty())
      break;
    others += sign;
    text.remove_prefix(sign.size());
  }
  return others;
}

// What pdfLaTeX shows: a low line for that of word pieces, boxes for the rest.
std::string fallbackOf(std::string_view signs) {
  std::string text;
  while (!signs.empty()) {
    const std::string_view sign = signs.substr(0, signLength(signs));
    signs.remove_prefix(sign.size());
    if (sign == "▁")
      text += "\\_";
    else if (standAlone(sign)) // marks have no room of their own
      text += "\\fbox{\\phantom{x}}";
  }
  return text.empty() ? "\\fbox{\\phantom{x}}" : text;
}

std::string otherSigns(const std::string& signs) {
  std::string text;
  for (const FontRun& run : fontRuns(signs, false))
    text += std::string(run.rightToLeft ? "\\attnxleft{" : "\\attnxother{") +
            (run.family.empty() ? kTypeface : run.family) + "}{" + run.text + "}{" +
            fallbackOf(run.text) + "}";
  return text;
}

} // namespace

std::string escapedLatex(std::string_view original) {
  const std::string joined = composed(original);
  std::string_view text = joined;
  std::string escaped;
  while (!text.empty()) {
    if (std::string exponent = takeExponent(text); !exponent.empty()) {
      escaped += exponent.size() > 1 ? "$^{" + exponent + "}$" : "$^" + exponent + "$";
      continue;
    }
    if (const std::string others = takeOthers(text); !others.empty()) {
      escaped += otherSigns(others);
      continue;
    }
    const std::string_view sign = text.substr(0, signLength(text));
    text.remove_prefix(sign.size());
    if (const Escape* escape = escapeOf(sign))
      escaped += escape->second;
    else if (isPlain(sign) || isLatinLetter(sign))
      escaped += sign;
    else // control characters
      escaped += "\\fbox{\\phantom{x}}";
  }
  return escaped;
}

std::string definitionsFor(std::string_view picture) {
  if (picture.find("\\attnxother{") == std::string_view::npos &&
      picture.find("\\attnxleft{") == std::string_view::npos)
    return {};
  return R"(% Signs beyond LaTeX's usual fonts: {font}{signs}{instead}. XeLaTeX and LuaLaTeX take the font
% where it is installed, pdfLaTeX shows what stands instead. Define both commands before to change it.
\ifdefined\attnxother\else
\def\attnxfont#1{\suppressfontnotfounderror=1
  \font\attnxtype="#1" at \csname f@size\endcsname pt\relax
  \ifx\attnxtype\nullfont\else\attnxtype\fi}
\ifdefined\XeTeXversion
  \def\attnxother#1#2#3{{\attnxfont{#1}#2}}
  \def\attnxleft#1#2#3{{\attnxfont{#1}#2}}
\else\ifdefined\directlua
  \def\attnxother#1#2#3{{\attnxfont{#1:mode=harf}#2}}
  \def\attnxleft#1#2#3{{\attnxfont{#1:mode=harf;script=arab}\textdir TRT #2}}
\else
  \def\attnxother#1#2#3{#3}
  \def\attnxleft#1#2#3{#3}
\fi\fi\fi
)";
}

} // namespace attention
