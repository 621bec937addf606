#include "app/gui/overlays/search.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace attention::gui {
namespace {

std::string folded(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
    return c == '_' || c == '-' ? ' ' : static_cast<char>(std::tolower(c));
  });
  return result;
}

// Without blanks at its ends, as before the next word is typed.
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
  while (words >> word)
    if (where.find(word) == std::string::npos)
      return false;
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
  return at == std::string::npos ? Nearness::Other : Nearness::Holds;
}

} // namespace attention::gui
