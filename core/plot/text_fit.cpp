#include "core/plot/text_fit.h"

#include "core/support/line_break.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

namespace attention {
namespace {

constexpr std::string_view kEllipsis = "…";

bool startsSign(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

std::string withoutControls(std::string_view text) {
  std::string plain(text);
  for (char& c : plain)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      c = ' ';
  return plain;
}

// Parentheses without their other ones.
struct Lone {
  std::size_t open = 0;
  std::size_t closing = 0;
};
Lone loneIn(std::string_view text) {
  Lone lone;
  for (const char c : text)
    if (c == '(')
      ++lone.open;
    else if (c == ')' && lone.open > 0)
      --lone.open;
    else if (c == ')')
      ++lone.closing;
  return lone;
}

// Where `joint` stands last outside parentheses, also of such as are open before `name` or
// behind it; npos if it does not.
std::size_t lastOutside(std::string_view name, std::string_view joint) {
  std::size_t at = name.rfind(joint);
  while (at != std::string_view::npos &&
         (loneIn(name.substr(0, at)).open > 0 || loneIn(name.substr(at)).closing > 0))
    at = at == 0 ? std::string_view::npos : name.rfind(joint, at - 1);
  return at;
}

// The words before the last joint; empty if there is none.
std::string_view shorter(std::string_view name) {
  std::size_t end = 0;
  for (const std::string_view joint : {", ", " of ", " at ", " by ", " between ", " ("})
    if (const std::size_t at = lastOutside(name, joint); at != std::string_view::npos)
      end = std::max(end, at);
  name = name.substr(0, end);
  if (name.ends_with(','))
    name.remove_suffix(1);
  return name;
}

// Where the characters of a text begin.
std::vector<std::size_t> signsOf(const std::string& text) {
  std::vector<std::size_t> signs;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (startsSign(text[k]))
      signs.push_back(k);
  return signs;
}

} // namespace

std::string fitted(std::string_view text, double width, const Type& type,
                   const TextMeasure& measure) {
  const std::string plain = withoutControls(text);
  if (measure(plain, type.size, type.bold) <= width)
    return plain;
  // Ends of whole characters; the longest that fits, by bisection.
  const std::vector<std::size_t> ends = signsOf(plain);
  const auto shortened = [&](std::size_t end) {
    return plain.substr(0, end) + std::string(kEllipsis);
  };
  const auto tooLong = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return measure(shortened(end), type.size, type.bold) <= width;
  });
  auto kept = tooLong;
  while (kept != ends.begin() && cutsNumber(plain, *(kept - 1)))
    --kept;
  return kept == ends.begin() ? std::string() : shortened(*(kept - 1));
}

std::string fittedInTheMiddle(std::string_view text, double width, const Type& type,
                              const TextMeasure& measure) {
  const std::string plain = withoutControls(text);
  if (measure(plain, type.size, type.bold) <= width)
    return plain;
  const std::vector<std::size_t> signs = signsOf(plain);
  const auto shortened = [&](std::size_t kept) {
    return plain.substr(0, signs[(kept + 1) / 2]) + std::string(kEllipsis) +
           plain.substr(signs[signs.size() - kept / 2]);
  };
  std::size_t fits = 1; // number of characters; at least two, to have a middle
  for (std::size_t tooMany = signs.size(); tooMany > fits + 1;) {
    const std::size_t kept = (fits + tooMany) / 2;
    (measure(shortened(kept), type.size, type.bold) <= width ? fits : tooMany) = kept;
  }
  const auto cuts = [&](std::size_t kept) {
    return cutsNumber(plain, signs[(kept + 1) / 2]) ||
           cutsNumber(plain, signs[signs.size() - kept / 2]);
  };
  while (fits > 1 && cuts(fits))
    --fits;
  return fits > 1 ? shortened(fits) : fitted(text, width, type, measure);
}

std::vector<std::string> wrapped(std::string_view text, double width, const Type& type,
                                 const TextMeasure& measure) {
  std::vector<std::string> lines;
  std::string line;
  const std::string plain = withoutControls(text);
  for (std::size_t at = 0; at < plain.size();) {
    std::size_t end = lineBreak(plain, at);
    const auto tooLong = [&] {
      return measure(plain.substr(at, end - at), type.size, type.bold) > width;
    };
    if (tooLong())
      end = std::min(plain.find(' ', at), plain.size());
    if (const std::size_t slash = plain.find('/', at); slash < end && tooLong())
      end = slash + 1;
    const std::string word = plain.substr(at, end - at);
    const bool joins = at > 0 && plain[at - 1] == '/'; // it was broken there
    at = end + (end < plain.size() && plain[end] == ' ' ? 1 : 0);
    if (word.empty())
      continue;
    std::string longer = line;
    longer.append(line.empty() || joins ? "" : " ").append(word);
    if (measure(longer, type.size, type.bold) <= width) {
      line = std::move(longer);
      continue;
    }
    if (const auto bare = withoutHangingDot(line); !bare.empty())
      lines.emplace_back(bare);
    line = fitted(word, width, type, measure);
  }
  if (!line.empty())
    lines.push_back(line);
  return lines;
}

bool sayAll(const std::vector<std::string>& lines, std::string_view text) {
  std::string said;
  for (const std::string& line : lines)
    said.append(line).append(" ");
  const auto bare = [](std::string words) { // without what lines leave out at their ends
    constexpr std::string_view kDot = "·";
    for (std::size_t at = words.find(kDot); at != std::string::npos; at = words.find(kDot, at))
      words.erase(at, kDot.size());
    std::erase(words, ' ');
    return words;
  };
  return bare(std::move(said)) == bare(withoutControls(text));
}

TextMeasure remembering(const TextMeasure& measure) {
  using Words = std::tuple<std::string, double, bool>;
  const auto known = std::make_shared<std::map<Words, double>>();
  return [&measure, known](std::string_view text, double size, bool bold) {
    const auto [at, isNew] = known->try_emplace({std::string(text), size, bold}, 0);
    if (isNew)
      at->second = measure(text, size, bold);
    return at->second;
  };
}

std::string shortName(std::string_view text, double width, const Type& type,
                      const TextMeasure& measure) {
  std::string_view name = text;
  while (!name.empty() && measure(name, type.size, type.bold) > width)
    name = shorter(name);
  return std::string(name);
}

std::string axisName(std::string_view text, double width, const Type& type,
                     const TextMeasure& measure) {
  const std::size_t comma = lastOutside(text, ", ");
  if (comma == std::string_view::npos || measure(text, type.size, type.bold) <= width)
    return shortName(text, width, type, measure);
  const std::string_view unit = text.substr(comma);
  for (std::string_view words = shorter(text.substr(0, comma)); !words.empty();
       words = shorter(words))
    if (std::string name = std::string(words).append(unit);
        measure(name, type.size, type.bold) <= width)
      return name;
  return shortName(text, width, type, measure);
}

} // namespace attention
