#include "app/gui/overlays/search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string>

namespace attention::gui {
namespace {

// "Figure 3", "fig. 3" and "fig 3" are all "fig3", as in the names of figures; so are tables.
std::string withShortNumbers(const std::string& text) {
  struct Form {
    std::string_view written;
    std::string_view brief;
  };
  constexpr std::array kForms{Form{"figure ", "fig"}, Form{"fig. ", "fig"}, Form{"fig ", "fig"},
                              Form{"table ", "tab"}};
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
    const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& of) {
      const std::size_t number = at + of.written.size();
      return begins && text.compare(at, of.written.size(), of.written) == 0 &&
             number < text.size() && std::isdigit(static_cast<unsigned char>(text[number])) != 0;
    });
    if (form == kForms.end()) {
      result += text[at++];
    } else {
      result += form->brief;
      at += form->written.size();
    }
  }
  return result;
}

std::string folded(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
    return c == '_' || c == '-' ? ' ' : static_cast<char>(std::tolower(c));
  });
  return withShortNumbers(result);
}

// Without spaces at its ends, as while the next word is about to be typed.
std::string typed(std::string_view search) {
  const std::size_t begin = std::min(search.find_first_not_of(' '), search.size());
  const std::size_t end = search.find_last_not_of(' ') + 1;
  return folded(search.substr(begin, std::max(begin, end) - begin));
}

} // namespace

bool found(std::string_view search, std::string_view text) {
  const std::string where = folded(text);
  std::istringstream words(folded(search));
  std::string word;
  const auto holds = [&](std::string_view part) { return where.find(part) != std::string::npos; };
  const auto together = synonymsOf(typed(search));
  if (std::any_of(together.begin(), together.end(), holds))
    return true;
  while (words >> word) {
    const auto meant = synonymsOf(word);
    if (!holds(word) && std::none_of(meant.begin(), meant.end(), holds))
      return false;
  }
  return true;
}

bool foundTogether(std::string_view search, std::string_view text) {
  return folded(text).find(typed(search)) != std::string::npos;
}

Nearness nearness(std::string_view search, std::string_view name) {
  const std::string words = typed(search);
  const std::string in = folded(name);
  const std::size_t at = in.find(words);
  if (at == 0)
    return in.size() == words.size() ? Nearness::Same : Nearness::Begins;
  if (at != std::string::npos)
    return Nearness::Holds;
  const auto meant = synonymsOf(words);
  if (std::any_of(meant.begin(), meant.end(), [&](std::string_view word) {
        return word.starts_with(in) && (word.size() == in.size() || word[in.size()] == ' ');
      }))
    return Nearness::Called;
  return found(search, name) ? Nearness::Means : Nearness::Other;
}

} // namespace attention::gui
