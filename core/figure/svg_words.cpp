#include "core/figure/svg_words.h"

#include "core/figure/shaped_text.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace attention {
namespace {

std::string number(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 2);
  return {digits, end.ptr};
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20) // XML has no other control characters
      result += c;
  return result;
}

std::string elementOf(const Text& text) {
  constexpr std::array kAnchors{"start", "middle", "end"};
  char color[8];
  std::snprintf(color, sizeof color, "#%02x%02x%02x", text.color.r, text.color.g, text.color.b);
  const std::string x = number(text.at.x);
  const std::string y = number(text.at.y);
  std::string element = "<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" + number(text.size) +
                        "\" fill=\"" + color + "\"";
  if (text.color.a != 255)
    element += " fill-opacity=\"" + number(text.color.a / 255.0) + "\"";
  if (text.align != TextAlign::Left)
    element +=
        std::string(" text-anchor=\"") + kAnchors[static_cast<std::size_t>(text.align)] + "\"";
  if (text.bold)
    element += " font-weight=\"bold\"";
  if (text.upwards)
    element += " transform=\"rotate(-90 " + x + " " + y + ")\"";
  return element + ">" + escaped(validUtf8(text.text)) + "</text>\n";
}

} // namespace

DisplayList withoutWords(const DisplayList& list) {
  DisplayList rest = list;
  std::erase_if(rest.items,
                [](const Primitive2D& item) { return std::holds_alternative<Text>(item); });
  return rest;
}

std::string withWordsInSvg(std::string svg, const DisplayList& list) {
  std::string words =
      std::string("<g font-family=\"") + kTypeface + ", sans-serif\" xml:space=\"preserve\">\n";
  for (const Primitive2D& item : list.items)
    if (const auto* text = std::get_if<Text>(&item))
      words += elementOf(*text);
  svg.insert(svg.rfind("</svg>"), words + "</g>\n");
  return svg;
}

} // namespace attention
