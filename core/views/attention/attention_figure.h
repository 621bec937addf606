// The pictures of the Attention view as plots: weights as matrices with what each query keeps, the
// heads of all layers, and lines between tokens.
#pragma once

#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/views/attention/scene_attention.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attention {

// The parts of a picture; those that it does not read may be null.
struct AttentionAnswer {
  std::shared_ptr<const AttentionHead> head;
  std::shared_ptr<const WeightMaps> maps;
  std::shared_ptr<const HeadSketches> sketches;
  std::shared_ptr<const WeightTiles> tiles = {};           // over the maps; null: none
  bool operator==(const AttentionAnswer&) const = default; // by identity
};

// What the picture shows of the Scene besides the weights.
struct AttentionLook {
  Rect cells; // that are shown
  Pins pins;  // framed; only their lines are drawn
  Pins about; // kept in sight where lines show only a page of the tokens
  ModelHead chosen;
  bool framesChosen = true;       // among the heads
  bool square = true;             // queries and keys are the same tokens
  std::vector<std::string> names; // of the tokens, or empty
  std::string pattern;            // title of the Scene's pattern
  bool operator==(const AttentionLook&) const = default;
};
AttentionLook attentionLook(const Scene& scene, const Lengths& lengths, const ModelHead& head);

// Everything that the Scene's picture reads.
AttentionAnswer attentionAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& head,
                                const Run& run = {});
// Whether the answer has what the spec's picture reads.
bool complete(const AttentionSpec& spec, const AttentionAnswer& answer);

// "partial tile, 12 % of causal attention, 13 % through the pattern": of the tile at a cell;
// nothing where there is none.
std::string tileText(const AttentionAnswer& answer, Index query, Index key);

// Those of full, pattern and difference that the spec shows.
std::vector<FigurePanel> mapPanels(const AttentionSpec& spec, const AttentionAnswer& answer,
                                   const AttentionLook& look);
// Captured mass, output error where there are values, and entropies, by query. With more queries
// than fit the plot, groups of them: a band from the smallest to the largest around their mean.
std::vector<FigurePanel> measurePanels(const AttentionAnswer& answer, const AttentionLook& look);
// Lines between the tokens of a page, and to keys off it; only those of the pinned query and key
// where one is shown. Every query keeps the line of its largest weight, whatever the threshold.
Plot linksPlot(const AttentionSpec& spec, const AttentionAnswer& answer, const AttentionLook& look);
Plot headsPlot(const AttentionSpec& spec, const HeadSketches& sketches, const AttentionLook& look);
// Whether the pattern has the keys of the base, so that it loses nothing. O(n).
bool keepsAll(const AttentionHead& head);

// "head 5: captured mass 0.87, entropy 2.1 nats, output error 0.12".
std::string sketchWords(const Input& input, const HeadSketch& sketch);

// The values that `of` selects of a head. E_UNSUPPORTED: logits of ready weights.
const Matrix<float>& shownOf(const HeadSketch& sketch, WeightsOf of);
// The largest in size over all heads: the end of their common ramp.
float largestLogit(const HeadSketches& sketches);

// The spec's picture and the words below it; `answer` must be complete.
struct AttentionDrawn {
  std::vector<FigurePanel> panels;
  std::string caption;
};
AttentionDrawn attentionDrawn(const AttentionSpec& spec, const AttentionAnswer& answer,
                              const AttentionLook& look);
// Which weights have lines: "weights of at least 0.05", "each query's largest weight; the smallest
// is 0.02", with a pinned key that has less than these "…; also the pinned key 61, with a weight of
// 0.003".
std::string linesText(const AttentionSpec& spec, const LinksMark& mark);
std::string attentionTitle(const AttentionSpec& spec, const AttentionAnswer& answer,
                           const AttentionLook& look);
std::vector<LegendEntry> attentionLegend(const AttentionSpec& spec, const AttentionAnswer& answer,
                                         FigureTheme theme);
Figure attentionFigure(const AttentionSpec& spec, const AttentionAnswer& answer,
                       const AttentionLook& look, FigureTheme theme);

// What to see, in sentences; `answer` must be complete.
std::vector<std::string> readingOf(const AttentionSpec& spec, const AttentionAnswer& answer,
                                   const AttentionLook& look, const Run& run = {});

// ---- the numbers behind the pictures, for files ----

// A row per query (captured mass, output error, entropies and its strongest key), a row per head,
// or a row per drawn line. `answer` must be complete. O(n² d) for the strongest keys.
CsvTable attentionTable(const AttentionSpec& spec, const AttentionAnswer& answer,
                        const AttentionLook& look, const Run& run = {});

// Float64: full, pattern and difference as 3 × queries × keys for the cells of the maps; sketches
// as batches × heads × pixels × pixels; the weights of lines, queries × keys. Replaces `path` only
// by a complete file. E_IO.
void writeAttentionNpy(const AttentionSpec& spec, const AttentionAnswer& answer,
                       const AttentionLook& look, const std::filesystem::path& path);

} // namespace attention
