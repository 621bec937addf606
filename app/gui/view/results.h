// What was computed from the Scene and its input: immutable values that views read. Each is keyed
// by what it was made of; where the Scene has moved on and the new value is not there yet, the last
// good one stays and is marked stale.
#pragma once

#include "app/gui/view/attention_shown.h"
#include "app/gui/view/hashing_shown.h"
#include "app/gui/view/kernels_shown.h"
#include "core/analysis/cost.h"
#include "core/analysis/metrics.h"
#include "core/analysis/row_statistics.h"
#include "core/attention/attend.h"
#include "core/figure/scene_compare.h"
#include "core/figure/scene_encodings.h"
#include "core/figure/scene_reach.h"
#include "core/figure/scene_timings.h"
#include "core/input/input.h"
#include "core/pattern/coverage.h"
#include "core/pattern/pattern.h"
#include "core/scene/scene.h"
#include "core/scene/shown_masks.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// What the Mask view shows: the Scene's pattern, heads of the mechanism, or the panels of a figure,
// all of the same lengths.
struct Masks {
  Lengths lengths;
  std::vector<ShownMask> tiles; // at least one
  PatternData data;             // that their patterns depend on; else none
  Index headsInFile = 0;        // that have a mask each in the pattern's file, where it has several
};

struct MaskCounts {
  Index n = 0;        // keys
  Pattern pattern;    // that is counted
  RowStatistics rows; // with pairs; `exact` says whether rows were sampled
  Index cells = 0;    // of the base: all, or those with j ≤ i
  Base base = Base::Full;
  SparseCost cost; // with the input's widths, else d = d_v = 64
  SparseCost baseCost;
  Index d = 0;
  Index dv = 0;
  std::vector<std::string> reading; // what to see in the picture, in sentences; may be empty
};

// Attention of the chosen model head over the first tile's pattern, and all that weights need. An
// input of ready weights has these alone.
struct HeadAttention {
  std::shared_ptr<const Prepared> prepared;
  std::shared_ptr<const Input> input;
  Index batch = 0;
  Index head = 0;
  Index firstRow = 0; // of the input, that is query 0
  Scoring scoring;
  Matrix<float> q; // n_q × d, cropped to the Scene's lengths
  Matrix<float> k; // n_k × d
  Matrix<float> v; // n_k × d_v
  Attention<float> result;
  std::optional<Matrix<float>> ready; // n_q × n_k, as the input gives them
};

// Against dense attention (S13).
struct HeadMetrics {
  Base base = Base::Full;
  double capturedMass = 0;
  std::optional<OutputError> outputError; // these two need q, k and v
  std::optional<double> entropy;          // mean over the rows, nats
};

// The cell that the pointer or the pins point at.
struct CellFacts {
  std::string mask; // its title where several masks stand side by side
  Index query = 0;
  Index key = 0;
  Explanation why;
  std::string part;       // label of the part, empty where it does not attend
  std::size_t hue = 0;    // of the part, as in the mask: index into FigureColors::series
  std::string queryToken; // empty where the input has no words
  std::string keyToken;
  std::optional<double> weight;
  std::optional<Index> queryKeys; // keys that the query attends to; none where counting is slow
};

// Of the query and the key that the view points out, one number a mask; none where counting would
// take long.
struct TokenCounts {
  std::optional<Index> query;
  std::optional<Index> key;
  std::vector<std::optional<Index>> keysOfQuery;  // keys that the query attends to
  std::vector<std::optional<Index>> queriesOfKey; // queries that see the key
};

// The Reach view's layers, with what is drawn of them.
struct ReachLayers {
  ReachAnswer answer;
  Plot growth;
  std::string growthTitle;
  std::vector<std::string> reading; // what to see, in sentences
};

// The chosen token among the layers.
struct ReachToken {
  ReachOfToken facts;
  LayerGraph graph;
  std::optional<Index> shown; // layers that the graph follows, where not all
  std::optional<Plot> growth; // with a line at them
};

// Times of the Timings view, as far as they are measured, with what is drawn of them.
struct TimingsShown {
  Timings timings;
  TimingFigureOptions options; // names, sizes, threads and d
  Plot seconds;
  Plot shares;
  Plot memory;                      // a model, not measured
  std::vector<std::string> reading; // what to see, in sentences
};

// The Encodings view's tables and pictures; the Scene's position is not among them.
struct EncodingsShown {
  EncodingsAnswer answer;
  EncodingsPlots plots;
};

// The score board of the Compare view, as far as it is computed, with what is drawn of it.
struct ScoresShown {
  std::vector<ScoreLine> lines; // in the order of the Scene
  Plot mass;
  Plot error;
  std::vector<std::string> reading;
};

struct Results {
  Lengths lengths; // current: the Scene's, or the input's
  Latest<Input> input;
  Latest<Masks> masks;
  Latest<MaskCounts> counts; // of the first tile
  Latest<HeadAttention> attention;
  Latest<HeadMetrics> metrics;
  std::optional<CellFacts> cell;
  std::vector<CellFacts> compared; // the same cell of every pattern that Compare compares
  Latest<TokenCounts> tokens;      // of the shown query and the pinned key
  Latest<ReachLayers> reach;       // where the Reach view is shown, as are the next two
  Latest<ReachToken> reachToken;
  Latest<Plot> reachHops;         // the cells that the camera shows; empty where n > kMostHopTokens
  AttentionResults attentionView; // where the Attention view is shown
  KernelsResults kernels;         // where the Kernels view is shown
  HashingResults hashing;         // where the Hashing view is shown
  Latest<TimingsShown> timings;   // of the Timings view; they stay while others are shown
  Latest<EncodingsShown> encodings; // where the Encodings view is shown
  // Of the Compare view: the two patterns against one another, and the score board.
  Latest<Difference> difference;
  Latest<ScoresShown> scores;
  // Whether the input's length covers the Scene's: else the mask alone is shown, and the window
  // says so.
  bool inputCovers = false;
};

// What the view calls its picture; empty where it has none, or not yet.
std::string titleOfPicture(View view, const Results& results);

// What a view reads of the results, as far as files and copies of it are concerned.
struct ShownState {
  bool there = false;                  // a picture is on the screen
  bool stale = false;                  // of an older Scene
  std::optional<Problem> problem = {}; // why there is none of the present Scene
};
ShownState shownState(View view, const Results& results);

// Whether there is, or soon will be, something of the present Scene to export or copy; where it
// cannot be made, the last good picture on the screen is another Scene's.
inline bool canExport(View view, const Results& results) {
  const ShownState shown = shownState(view, results);
  return shown.there && !shown.problem;
}

} // namespace attention::gui
