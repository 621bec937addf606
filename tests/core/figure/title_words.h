// Titles as the tests of layouts read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attention {

// Several lines joined into one.
inline std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines)
    all += (all.empty() ? "" : " ") + line;
  return all;
}

// Whether every parenthesis is closed.
inline bool parenthesesBalance(std::string_view text) {
  int open = 0;
  bool closes = true;
  for (const char c : text) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    closes = closes && open >= 0;
  }
  return closes && open == 0;
}

} // namespace attention
