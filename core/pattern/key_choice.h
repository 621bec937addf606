// How a mechanism that looks at the data has chosen its keys (S20): by blocks of queries and keys,
// what that cost, and what else it found on the way. Views, files and reference cases read it from
// the prepared pattern; nothing is chosen a second time.
#pragma once

#include "core/support/integers.h"
#include "core/support/matrix.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace attention {

class Prepared;

// One of the facts that S26 – S30 give names to: a distance, the pattern of a head, blocks, whether
// each block is similar, scores of blocks.
using Finding =
    std::variant<double, std::string, std::vector<Index>, std::vector<bool>, Matrix<double>>;

// What blocks, or keys, were ranked by. Computed when asked for, by the same code that chose, so
// that nobody needs all of them at once. Called from several threads.
struct ChoiceScores {
  std::string name; // "q·mean(k)"
  std::string rule; // which of those that are not forced are chosen: "the 2 largest"
  // Of block a of queries, one number for every block of keys; NaN where nothing is ranked.
  std::function<void(Index a, std::span<double> scores)> row;
  // Whether block c of keys is taken by block a of queries whatever its score.
  std::function<bool(Index a, Index c)> forced;
};

struct KeyChoice {
  Index queryBlock = 1; // queries that choose together; 1: each for itself
  Index keyBlock = 1;   // keys that are chosen together; 1: keys are chosen one by one
  bool causal = true;   // whether later keys can be chosen
  double flops = 0;     // of choosing, without sorting (S20.8)
  std::optional<std::size_t> part = {}; // that is made of chosen blocks; nothing: all parts are
  bool tellsEvictions = false;          // whether keys that a query does not see are gone (S30)
  std::map<std::string, Finding> found = {};       // by the names of the specification
  std::shared_ptr<const ChoiceScores> scores = {}; // null: it did not rank blocks or keys
};

// The blocks of a mask that was chosen; `pattern` has a choice.
class ChosenBlocks {
public:
  explicit ChosenBlocks(const Prepared& pattern);

  Index queryBlocks() const { return queryBlocks_; }
  Index keyBlocks() const { return keyBlocks_; }
  // Blocks of keys with a permitted cell: those below this one (S20.2).
  Index candidates(Index a) const;
  // Whether block a of queries attends to block c of keys.
  bool contains(Index a, Index c) const;

private:
  const Prepared& pattern_;
  const KeyChoice& choice_;
  Index queryBlocks_;
  Index keyBlocks_;
};

// For every key the first later query that does not see it, or −1 (S30). O(pairs).
std::vector<Index> evictedAt(const Prepared& pattern);

} // namespace attention
