// What the Hashing view shows: its parts, each keyed by what it reads, and the pictures made of
// them.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "core/views/hashing/hashing_figure.h"

#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// The sorting at a moment, with where its tokens are.
struct SortingShown {
  std::shared_ptr<const HashedTokens> tokens;
  std::size_t round = 0;
  double moment = 1;
  Plot plot;
  SortingPlaces places;
};

// A picture beside the large one, which opens as a large one.
struct SmallHashing {
  std::string title;
  Plot plot;
  std::optional<std::size_t> round; // that it shows alone
  bool joined = false;              // it shows all rounds
};

struct HashingShown {
  HashingSpec spec; // that it was made for: what the picture reads of it
  HashingAnswer answer;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels; // of the sorting: the two matrices, small, below it
  std::vector<SmallHashing> small; // each round and all of them
  std::string factsHeading;
  std::vector<Fact> facts;
  std::vector<std::string> warnings;
  std::vector<std::string> reading; // what to see in the picture, in sentences
};

struct HashingShownKey {
  HashingSpec spec; // what the picture reads of it; the rest as it is by default
  HashingAnswer answer;
  bool operator==(const HashingShownKey&) const = default;
};
// The picture with its facts; the answer must be complete.
HashingShown makeHashingShown(const HashingShownKey& key, const Run& run);

// Where the Hashing view is shown; else empty.
struct HashingResults {
  bool groups = false; // the Scene's pattern groups tokens
  bool offers = false; // patterns that do are drawn in its place
  bool needsInput = false;
  Latest<HashedTokens> tokens;
  Latest<CapturedCurves> curves; // a part of them while their job runs
  Latest<Plot> captured;         // their picture beside the sorting
  Latest<CircleAnswer> circle;
  Latest<SortingShown> sorting;
  Latest<HashingShown> shown;
  std::optional<Problem> problem = {}; // of the picture's parts

  bool pending() const {
    return tokens.pending || curves.pending || circle.pending || sorting.pending || shown.pending;
  }
};

// ---- what the pictures say in words and numbers ----

// The attended pairs of all rounds together of the current pattern.
struct GroupedPairs {
  Index pairs = 0;
  std::string share; // "29.3 % of full": of those of what the pattern is measured against
};
// Nothing where neither tokens nor curves know it yet.
std::optional<GroupedPairs> groupedPairs(const HashedTokens* tokens, const CapturedCurves* curves);

// "3, 7"; "none" without any.
std::string listOf(const std::vector<Index>& groups);

// Fills heading, facts, warnings and reading from the spec and the answer, which is complete.
void addHashingFacts(HashingShown& shown);

} // namespace attention::gui
