// Further columns of the score board. S31's: how much of dense attention the patterns keep, beside
// the best that as many blocks, or as many keys, could keep (choice_board.h), and what choosing
// costs.
#pragma once

#include "core/analysis/score/score_board.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// Means over rows and heads, and sums of FLOPs. What is kept is a share of dense attention over all
// keys that could be chosen, whatever the rest of the board is measured against.
struct ChoiceScore {
  bool chooses = false; // else every key is a block
  double recall = 0;
  double oracleBlocksRecall = 0;
  double oracleKeysRecall = 0;
  double blockOverlap = 0; // chosen blocks that are the oracle's too
  double blockDensity = 0; // chosen blocks of those that could be
  double cellDensity = 0;  // pairs of those that could be
  double choosingFlops = 0;
  double attendingFlops = 0;
  double choosingShare() const { return attendingFlops > 0 ? choosingFlops / attendingFlops : 0; }
};

// The numbers under S31's names, for tables and files.
struct ChoiceColumn {
  const char* name;
  double (*of)(const ChoiceScore&);
};
std::span<const ChoiceColumn> choiceColumns();

// One per method where any of them chooses blocks or keys (KeyChoice); nothing for what is no
// pattern, for a pattern with keys of its own (LSH), and where none chooses. A pattern that chooses
// nothing has blocks of one key. Throws as scoreBoard. O(n² (d + P log n)) per head for P patterns
// whose queries choose alike (choice_board.h).
template <class T>
std::vector<std::optional<ChoiceScore>>
choiceScores(std::span<const ScoredMethod> methods, const ScoredInput<T>& input,
             const ScoreOptions& options, const Run& run = {});

} // namespace attention
