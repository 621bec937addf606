// The Choosing view: scores of blocks, what was chosen by them and the mask that results, query by
// query; a cache step by step; what a budget keeps; tokens that fly into the order of their groups,
// with the matrix before and after and what is captured below; large matrices with each round on
// its own; what is captured against rounds or clusters; points on a circle.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "core/views/hashing/hashing_figure.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

// The sorting at one moment, with the places of its tokens.
struct SortingShown {
  std::shared_ptr<const HashedTokens> tokens;
  std::size_t round = 0;
  double moment = 1;
  Plot plot;
  SortingPlaces places;
};

// A small picture beside the large one; a click opens it large.
struct SmallHashing {
  std::string title;
  Plot plot;
  std::optional<std::size_t> round; // the only round that it shows
  bool joined = false;              // it shows all rounds
};

struct HashingShown {
  HashingSpec spec; // that it was made for: the parts that the picture reads
  HashingAnswer answer;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels; // of the sorting: the two matrices, small, below it
  std::vector<SmallHashing> small; // each round and all of them
  Facts facts;
  std::vector<std::string> reading; // what to see in the picture, in sentences
};

// The picture with its facts; the answer must be complete.
HashingShown makeHashingShown(const HashingSpec& spec, const HashingAnswer& answer, const Run& run);

// Only while the Choosing view is shown; else empty.
struct HashingResults {
  bool groups = false; // the Scene's pattern groups tokens
  bool offers = false; // patterns that the picture suits are drawn in its place
  bool needsInput = false;
  Latest<HashedTokens> tokens;
  Latest<CapturedCurves> curves; // only some of them while their job runs
  Latest<Plot> captured;         // their picture beside the sorting
  Latest<CircleAnswer> circle;
  Latest<ChosenKeys> chosen;
  Latest<BudgetCurves> budget; // only some of it while its job runs
  Latest<SortingShown> sorting;
  Latest<HashingShown> shown;
  std::optional<Problem> problem = {}; // of the picture's parts

  bool pending() const {
    return tokens.pending || curves.pending || circle.pending || chosen.pending || budget.pending ||
           sorting.pending || shown.pending;
  }
};

// ---- what the pictures say in numbers ----

// The attended pairs of all rounds together of the current pattern.
struct GroupedPairs {
  Index pairs = 0;
  std::string share; // "29.3 % of full": as a share of the pairs of the base
};
// Nothing while neither tokens nor curves know it.
std::optional<GroupedPairs> groupedPairs(const HashedTokens* tokens, const CapturedCurves* curves);

// Of the complete answer.
Facts hashingFacts(const HashingSpec& spec, const HashingAnswer& answer);
// Of a choice, of a cache and of a budget.
Facts choosingFacts(const HashingSpec& spec, const HashingAnswer& answer);

std::unique_ptr<ViewPane> hashingPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> hashingStages(Results& results);
void drawHashingOptions(const PanelContext& context); // round, colours, curves, circle
void drawHashingFacts(const PanelContext& context);   // the token, the groups, words and formulas
// Where the mathematics of its pictures comes from.
std::string hashingSource(const Scene& scene); // empty except for the circle

} // namespace attention::gui
