// What was computed from the Scene and its input: immutable values that views read. Each is keyed
// by what it was made from; where the Scene has moved on and the new value is not there yet, the
// last good one stays and is marked stale.
#pragma once

#include "app/gui/interface/latest.h"
#include "core/analysis/cost.h"
#include "core/analysis/metrics.h"
#include "core/analysis/row_statistics.h"
#include "core/attention/attend.h"
#include "core/attention/row_weights.h"
#include "core/input/input.h"
#include "core/pattern/coverage.h"
#include "core/pattern/pattern.h"
#include "core/scene/scene.h"
#include "core/views/mask/shown_masks.h"

#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace attention::gui {

// What the Mask view shows: the Scene's pattern, heads of the mechanism, or the panels of a figure,
// all of the same lengths.
struct Masks {
  Lengths lengths;
  std::vector<ShownMask> tiles; // at least one
  PatternData data;             // that their patterns depend on; else none
  Index headsInFile = 0;        // that each have a mask in the pattern's file, where it has several
  Index layersInFile = 0;       // likewise
};

struct MaskCounts {
  Index n = 0;        // keys
  Pattern pattern;    // that is counted
  RowStatistics rows; // with pairs; `exact` says whether rows were sampled
  Index cells = 0;    // of the base: all, or those with j ≤ i
  Base base = Base::Full;
  bool aheadByHand = false; // that is full only because of drawn cells with j > i
  SparseCost cost;          // with the input's widths, else d = d_v = 64
  SparseCost baseCost;
  Index d = 0;
  Index dv = 0;
  std::vector<std::string> reading; // what to see in the picture, in sentences; may be empty
};

// Attention of the chosen model head over the first tile's pattern, and everything that weights
// need. An input of ready weights has only those.
struct HeadAttention {
  std::shared_ptr<const Prepared> prepared;
  std::shared_ptr<const Input> input;
  Index batch = 0;
  Index head = 0;
  Index firstRow = 0;   // of the input, that is query 0
  AttendOptions scores; // how scores come from q·k
  Scoring scoring;
  Matrix<float> q; // n_q × d, cropped to the Scene's lengths
  Matrix<float> k; // n_k × d
  Matrix<float> v; // n_k × d_v
  Attention<float> result;
  std::unique_ptr<const WeightKeys<float>> weightKeys; // made from q and k; none where ready
  std::optional<Matrix<float>> ready;                  // n_q × n_k, as the input gives them
};

// Against dense attention (S13).
struct HeadMetrics {
  Base base = Base::Full;
  double capturedMass = 0;
  std::optional<double> massOfAll;        // with a sink: the share of all mass, the sink's included
  std::optional<OutputError> outputError; // these two need q, k and v
  std::optional<double> entropy;          // mean over the rows, nats
};

// The cell that the pointer or the pins mark.
struct CellFacts {
  std::string mask; // its title where several masks stand side by side
  Index query = 0;
  Index key = 0;
  Explanation why;
  std::string part;       // label of the part, empty if it does not attend
  std::size_t hue = 0;    // of the part, as in the mask: index into FigureColors::series
  std::string queryToken; // empty if the input has no words
  std::string keyToken;
  std::optional<double> weight;
  std::string score;              // the way from q·k to it; empty where it is only scaled
  std::optional<Index> queryKeys; // keys that the query attends to; none if counting is slow
};

// For the query and the key that the view marks, one number per mask; none if counting would
// take too long.
struct TokenCounts {
  std::optional<Index> query;
  std::optional<Index> key;
  std::vector<std::optional<Index>> keysOfQuery;  // keys that the query attends to
  std::vector<std::optional<Index>> queriesOfKey; // queries that see the key
};

// What the current view shows, as far as files and copies are concerned.
struct ShownState {
  bool there = false;                  // a picture is on the screen
  bool stale = false;                  // of an older Scene
  std::optional<Problem> problem = {}; // why there is none for the current Scene
  bool numbers = true;                 // it has numbers that can be written and copied
};
template <class T>
ShownState stateOf(const Latest<T>& latest) {
  return {latest.value != nullptr, latest.stale, latest.problem};
}

// What part of a picture the user stopped.
struct StoppedPart {
  bool there = false; // something of it is on the screen
  bool stale = false; // which was made of an older Scene
  bool operator==(const StoppedPart&) const = default;
};

struct Results {
  Results() = default;
  Results(Results&&) = default; // never copied, for a copy would share the parts of views
  Results& operator=(Results&&) = default;

  Lengths lengths; // current: the Scene's, or the input's
  Latest<Input> input;
  Latest<Masks> masks;
  Latest<MaskCounts> counts; // of the first tile
  Latest<HeadAttention> attention;
  Latest<HeadMetrics> metrics;
  std::optional<CellFacts> cell;
  Latest<TokenCounts> tokens; // of the shown query and the pinned key
  // Whether the input's length covers the Scene's: else only the mask is shown, and the window says
  // so.
  bool inputCovers = false;
  // For the view of the last update: what it shows, what it calls that, and the first of its parts
  // that was stopped; empty if there is nothing to say.
  ShownState shown;
  std::string title;
  std::optional<StoppedPart> stopped;

  // What a view computes for itself, as its own header describes it: by type, so that nothing else
  // has to know the types. Empty if the view is not shown.
  template <class Part>
  Part& part() {
    std::shared_ptr<void>& held = parts_[typeid(Part)];
    if (!held)
      held = std::make_shared<Part>();
    return *static_cast<Part*>(held.get());
  }
  template <class Part>
  const Part& part() const {
    static const Part kNone;
    const auto at = parts_.find(typeid(Part));
    return at == parts_.end() ? kNone : *static_cast<const Part*>(at->second.get());
  }

private:
  std::unordered_map<std::type_index, std::shared_ptr<void>> parts_;
};

// Whether there is, or soon will be, something of the current Scene to export or copy; where it
// cannot be made, the last good picture on the screen belongs to another Scene.
inline bool canExport(const ShownState& shown) {
  return shown.there && !shown.problem;
}
inline bool hasNumbers(const ShownState& shown) {
  return canExport(shown) && shown.numbers;
}

} // namespace attention::gui
