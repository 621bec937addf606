// Weights as lines between two columns of tokens: queries at the left, keys at the right, the wider
// and stronger the larger the weight (Vig 2019, BertViz). A page of tokens stands on common lines;
// keys before and after it that queries of the page attend to are drawn at its edges.
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

struct LinkKey {
  std::string name;
  Index token = 0;  // which key it is
  Index others = 0; // where not 0, it stands for so many keys off the page, for none by name
  bool operator==(const LinkKey&) const = default;
};

struct LinksMark {
  std::vector<std::string> queries; // what the tokens of the page are called
  std::vector<LinkKey> keys;        // in order: before the page, of the page, after it
  Index pageBegin = 0;              // of `keys`, those of the page
  Index pageEnd = 0;
  std::vector<Link> links;    // those drawn last lie on top
  bool some = false;          // they are those of marked tokens alone
  std::vector<Link> all;      // whatever is marked: the rows at the edges are for these
  double largest = 0;         // the weight of share 1
  std::optional<Index> query; // tokens that are marked, by their places
  std::optional<Index> key;
  // What stays in sight where not all of the page has room; pointing at others moves nothing.
  std::optional<Index> aboutQuery;
  std::optional<Index> aboutKey;

  Index pageKeys() const { return pageEnd - pageBegin; }
};

} // namespace attention
