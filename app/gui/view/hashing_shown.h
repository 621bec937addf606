// What the Hashing view shows: its parts, each keyed by what it reads, and the pictures made of
// them.
#pragma once

#include "app/gui/view/fact.h"
#include "app/gui/view/latest.h"
#include "core/figure/hashing_figure.h"

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

// Where the Hashing view is shown; else empty.
struct HashingResults {
  bool groups = false; // the Scene's pattern groups tokens
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

} // namespace attention::gui
