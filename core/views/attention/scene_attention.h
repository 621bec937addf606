// What the Attention view of a Scene shows, computed: the window draws it and files are made of it.
// The head's weights, the maps of a part of them, the sketches of all heads, and single rows are
// computed separately, since they change at different times.
#pragma once

#include "core/analysis/tiles/weight_tiles.h"
#include "core/input/input.h"
#include "core/scene/input_data.h"
#include "core/scene/scene.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostAttentionTokens = 16384;
constexpr Index kMostWholeTokens = 1024;       // up to this many, all cells are computed at once
constexpr Index kMapPixels = 1024;             // per side: with more cells, a pixel holds several
static_assert(kMostWholeTokens <= kMapPixels); // so that a pixel of those is a cell
constexpr Index kMostLineTokens = 40;          // of a page: fewer where not all words fit
constexpr Index kMostHeadsDrawn = 1024;        // that are drawn side by side
constexpr Index kSketchPixels = 64;            // a side
constexpr std::size_t kTopKeys = 5;

// What weights read of a Scene besides the input.
struct AttentionQuestion {
  Pattern pattern;
  Lengths lengths;
  AttentionBase base = AttentionBase::Meaningful;
  Align align = Align::TopLeft; // of an input with fewer queries than keys too
  bool operator==(const AttentionQuestion&) const = default;
};

// E_RANGE names the field that is out of bounds: more than kMostAttentionTokens tokens, no map at
// all, `least` outside [0, 1].
AttentionQuestion attentionQuestion(const Scene& scene, const Lengths& lengths);

struct AttentionHead {
  std::shared_ptr<const HeadWeights> weights; // never null
  QueryMeasures measures;
  KeyMass received;
  std::string words; // "layer 3, head 5"; empty if the input has only one
};

// The weights alone. Throws as attentionHead.
std::shared_ptr<const HeadWeights> headWeights(const AttentionQuestion& question,
                                               const ModelHead& of, const Run& run = {});

// Prepares the pattern for this head. E_UNSUPPORTED: nothing is loaded; E_SHAPE: the input is
// shorter than the lengths; and what prepare and HeadWeights throw. O(n² d).
AttentionHead attentionHead(const AttentionQuestion& question, const ModelHead& of,
                            const Run& run = {});

// The cells of the Scene's picture: those that the camera shows, or for lines their page. With more
// than kMostLineTokens tokens on a side, the page is around the pinned token, else at the start.
// Where queries and keys are the same tokens, the page has the same ones of both: around the pinned
// ones where these are less than half a page apart, else around the pinned query.
Rect shownCells(const Scene& scene, const Lengths& lengths);
// The cells of the maps: all if they are few, else the shown ones; for lines, all keys of the shown
// queries.
Rect mapCells(const Scene& scene, const Lengths& lengths);
// At most kMapPixels per side; for a page of lines, every key of the few queries, so that those off
// the page can be told apart.
WeightMaps attentionMaps(const AttentionHead& head, const Rect& cells, AttentionPicture picture,
                         const Run& run = {});

// The tiles over the maps, where the Scene shows them: those of the Mask view (mask.tiles), as
// large as there. With more than kMostTileSquares a side of the cells, a square stands for several.
constexpr Index kMostTileSquares = 16;
struct TilesQuestion {
  BlockSize block;
  Rect cells; // that are shown
  bool operator==(const TilesQuestion&) const = default;
};
std::optional<TilesQuestion> tilesQuestion(const Scene& scene, const Lengths& lengths);
// E_RANGE: as checkBlock. O(cells · d).
WeightTiles attentionTiles(const AttentionHead& head, const TilesQuestion& question,
                           const Run& run = {});

// A small picture of a head, with what the pattern keeps of it.
struct HeadSketch {
  Index batch = 0;
  Index head = 0;
  WeightMaps maps;             // at most kSketchPixels a side
  Matrix<float> logits;        // for the same pixels; empty if weights are ready
  double captured = 0;         // means over the queries
  double entropy = 0;          // of dense attention, nats
  std::optional<double> error; // relative, Frobenius; nothing without values
  Base base = Base::Full;
  float largestLogit = 0; // the largest in size of the finite ones
};
struct HeadSketches {
  Index batches = 1;
  Index heads = 1;
  std::string batchName;                               // "layer"
  std::vector<std::string> batchLabels;                // or empty
  std::vector<std::shared_ptr<const HeadSketch>> made; // batch by batch; fewer while under way
};
// `onPart` is called with the sketches so far after every head. E_RANGE: more than kMostHeadsDrawn
// heads; otherwise as attentionHead.
HeadSketches headSketches(const AttentionQuestion& question,
                          const std::shared_ptr<const Input>& input,
                          const std::function<void(const HeadSketches&)>& onPart = {},
                          const Run& run = {});

// One query: its weights over all keys, and the largest of them. O(n_k d).
struct AttentionRow {
  Index query = 0;
  std::vector<float> dense;
  std::vector<float> pattern;
  std::vector<TopKey> top; // at most kTopKeys
};
AttentionRow attentionRow(const AttentionHead& head, Index query);

// "layer 3, head 5"; "head 5" where there is one batch; empty for a single head.
std::string headWords(const Input& input, Index batch, Index head);

} // namespace attention
