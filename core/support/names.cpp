#include "core/support/names.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace attention {
namespace {

char folded(char c) {
  return c == '-' ? '_' : c;
}

char small(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : folded(c);
}

// Letters to insert, delete or replace (Levenshtein), ignoring case and the difference between '-'
// and '_'.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = small(a[i - 1]) == small(b[j - 1]);
      const std::size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
      diagonal = std::exchange(row[j], next);
    }
  }
  return row.back();
}

// How many letters are misspelt. A name of which only the end is missing is as near as one with a
// wrong letter, however long the end is.
std::size_t misspelt(std::string_view name, std::string_view known) {
  constexpr std::size_t kTelling = 3; // letters; with fewer too many names begin
  const std::size_t apart = distance(name, known);
  const bool begins = name.size() >= kTelling && name.size() < known.size() &&
                      distance(name, known.substr(0, name.size())) == 0;
  return begins ? std::min<std::size_t>(apart, 1) : apart;
}

} // namespace

bool sameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return folded(x) == folded(y); });
}

std::string nearest(std::string_view name, std::span<const std::string> names) {
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string& known : names)
    if (const std::size_t d = misspelt(name, known); d < least) {
      least = d;
      best = &known;
    }
  return best ? *best : std::string();
}

std::string nearestHint(std::string_view name, std::span<const std::string> names,
                        std::string_view prefix) {
  const std::string near = nearest(name, names);
  return near.empty() ? std::string() : "; the nearest is " + std::string(prefix) + near;
}

} // namespace attention
