// Weights as lines between two columns of tokens: queries at the left, keys at the right, the wider
// and stronger the larger the weight (Vig 2019, BertViz).
#pragma once

#include "core/support/integers.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct Link {
  Index query = 0; // place in its column, from the top
  Index key = 0;
  double share = 0; // of the largest weight, in [0, 1]
  bool operator==(const Link&) const = default;
};

struct LinksMark {
  std::vector<std::string> queries; // what the tokens of a column are called
  std::vector<std::string> keys;
  std::vector<Link> links;    // those drawn last lie on top
  std::optional<Index> query; // tokens that are marked, by their places
  std::optional<Index> key;
};

} // namespace attention
