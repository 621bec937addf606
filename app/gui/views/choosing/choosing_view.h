// The Choosing view: scores of blocks, what was chosen by them and the mask that results, query by
// query; a cache step by step; what a budget keeps; tokens that fly into the order of their groups,
// with the matrix before and after and what is captured below; large matrices with each round on
// its own; what is captured against rounds or clusters; points on a circle.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "core/views/choosing/choosing_figure.h"

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
struct SmallPicture {
  std::string title;
  Plot plot;
  std::optional<std::size_t> round; // the only round that it shows
  bool joined = false;              // it shows all rounds
};

struct ChoosingShown {
  ChoosingSpec spec; // that it was made for: the parts that the picture reads
  ChoosingAnswer answer;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels; // of the sorting: the two matrices, small, below it
  std::vector<SmallPicture> small; // each round and all of them
  Facts facts;
  std::vector<std::string> reading; // what to see in the picture, in sentences
};

// The picture with its facts; the answer must be complete.
ChoosingShown makeChoosingShown(const ChoosingSpec& spec, const ChoosingAnswer& answer,
                                const Run& run);

// Only while the Choosing view is shown; else empty.
struct ChoosingResults {
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
  Latest<ChoosingShown> shown;
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
Facts choosingFacts(const ChoosingSpec& spec, const ChoosingAnswer& answer);
// Of a choice, of a cache and of a budget.
Facts choiceFacts(const ChoosingSpec& spec, const ChoosingAnswer& answer);

std::unique_ptr<ViewPane> choosingPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> choosingStages(Results& results);
void drawChoosingOptions(const PanelContext& context); // round, colours, curves, circle
void drawChoosingFacts(const PanelContext& context);   // the token, the groups, words and formulas
// Where the mathematics of its pictures comes from.
std::string choosingSource(const Scene& scene); // empty except for the circle

} // namespace attention::gui
