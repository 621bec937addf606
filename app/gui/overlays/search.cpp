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
  return folded(text).find(folded(search)) != std::string::npos;
}

} // namespace attention::gui
