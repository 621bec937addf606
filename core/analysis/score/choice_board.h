// The score board of mechanisms that choose (S31): how much of dense attention a mask keeps, beside
// the best that as many blocks, or as many keys, could keep. The oracle needs all n² scores.
#pragma once

#include "core/attention/attend.h"
#include "core/pattern/prepared.h"

#include <memory>
#include <span>
#include <vector>

namespace attention {

struct ChoiceBoard {
  std::vector<double> recallRows; // of every query, the mass of its keys in dense attention
  double recall = 0;              // their mean
  double oracleKeysRecall = 0;    // with as many keys for every query, but those of largest weight
  double oracleBlocksRecall = 0;  // with as many blocks, but those of largest mass
  double blockOverlap = 1;        // chosen blocks that are among these; 1 where none is chosen
  Index blocksChosen = 0;
  Index blocksPossible = 0; // with a permitted cell
  double blockDensity = 0;  // chosen over possible
  double cellDensity = 0;   // pairs over permitted cells
};

// Blocks and permitted keys are those of the pattern's choice; without one, every key is a block of
// its own, and permitted are the keys up to the query where no query of the pattern sees a later
// one. Decided in double; the same at any number of threads. O(n² (d + log)) time, O(n) memory per
// thread. Throws as attend.
template <class T>
ChoiceBoard choiceBoard(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                        const AttendOptions& options = {}, const Run& run = {});

// Of several patterns of the same lengths, which share the rows of dense attention: O(n² d) for all
// that have the same blocks of queries and are causal or not alike, and O(n² log) for each.
template <class T>
std::vector<ChoiceBoard> choiceBoards(std::span<const std::shared_ptr<const Prepared>> patterns,
                                      MatrixView<const T> q, MatrixView<const T> k,
                                      const AttendOptions& options = {}, const Run& run = {});

} // namespace attention
