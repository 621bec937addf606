// Weights as lines between two columns of tokens: queries on the left, keys on the right, with
// wider and stronger lines for larger weights (Vig 2019, BertViz). The tokens of a page share
// baselines; keys before and after it to which queries of the page attend are drawn at its edges.
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
  Index others = 0; // where not 0, it stands for this many keys off the page, without names
  bool operator==(const LinkKey&) const = default;
};

struct LinksMark {
  std::vector<std::string> queries; // what the tokens of the page are called
  Index firstQuery = 0;             // which token the first of them is
  Index allQueries = 0;             // tokens that have a page somewhere
  Index allKeys = 0;
  std::vector<LinkKey> keys; // in order: before the page, of the page, after it
  Index pageBegin = 0;       // of `keys`, those of the page
  Index pageEnd = 0;
  std::vector<Link> links;    // those drawn last lie on top
  bool some = false;          // only those of marked tokens
  std::vector<Link> all;      // whatever is marked: the rows at the edges are for these lines
  double largest = 0;         // the weight of share 1
  bool words = true;          // whether tokens are named; without, their rows may be low
  std::optional<Index> query; // tokens that are marked, by their places
  std::optional<Index> key;
  // The tokens that stay in sight where not all of the page fits; pointing at others moves nothing.
  std::optional<Index> aboutQuery;
  std::optional<Index> aboutKey;

  Index pageKeys() const { return pageEnd - pageBegin; }
};

} // namespace attention
