// What the Compare view shows: two to four patterns under one camera, the difference of two of
// them, and a score board of these and other mechanisms. Plain data of the Scene.
#pragma once

#include "core/scene/attention_spec.h"
#include "core/scene/panel.h"
#include "core/scene/timings_spec.h"

#include <vector>

namespace attention {

// What the score board is sorted by.
enum class ScoreColumn {
  Name,
  Pairs,
  Mass,
  Error,
  Recall,
  Entropy,
  Flops,
  Bytes,
  PrepareSeconds,
  Seconds,
  // Of choosing (S31); only lines of patterns have them.
  ChoiceRecall,
  OracleBlocks,
  OracleKeys,
  BlockOverlap,
  BlockDensity,
  ChoosingShare
};
// Which columns are shown beside the names.
enum class ScoreColumns { Kept, Weights, Cost, Time, Oracle, Choice };

struct CompareSpec {
  std::vector<Panel> patterns; // empty: usualCompared()
  Index first = 0;             // of the two that are compared cell by cell
  Index second = 1;
  Index chosen = 0;        // of the patterns: the one that the controls edit
  bool matchPairs = false; // the others keep to the pairs of the chosen one (match_pairs.h)
  std::vector<TimedMechanism> scored; // besides the patterns; empty: usualScored()
  // One for the whole score board. Meaningful: j ≤ i if all compared patterns are causal.
  AttentionBase base = AttentionBase::Meaningful;
  ScoreColumns columns = ScoreColumns::Kept;
  ScoreColumn sortedBy = ScoreColumn::Mass;
  bool rising = false;
  bool operator==(const CompareSpec&) const = default;
};

// Whether it shows, or is sorted by, numbers of choosing (S31).
bool asksForChoices(const CompareSpec& spec);

const Settings<CompareSpec>& compareSettings(); // without the patterns

constexpr std::size_t kLeastCompared = 2;
constexpr std::size_t kMostCompared = 4;
constexpr std::size_t kMostScored = 12;

// Two readings of a window of six: six keys including the query, and six besides it.
std::vector<Panel> usualCompared();
// One of each family: windows, factorized, global tokens, data-dependent, features, Linformer.
std::vector<TimedMechanism> usualScored();

// The ones to use.
std::vector<Panel> comparedOf(const CompareSpec& spec);
std::vector<TimedMechanism> scoredOf(const CompareSpec& spec);

// The chosen one's place, whatever the spec says.
std::size_t chosenPlace(const CompareSpec& spec);

// E_RANGE: too few or too many, or `first` and `second` not two of them, `chosen` none.
void checkCompare(const CompareSpec& spec);

// The compared patterns and, last, the difference of the two: pairs of both, of only the first and
// of only the second as separate parts. Errors as checkCompare.
std::vector<Panel> comparedPanels(const CompareSpec& spec);

} // namespace attention
