// The pictures of the Attention view as plots: weights as matrices with what each query keeps, the
// heads of all layers, and lines between tokens.
#pragma once

#include "core/figure/figure.h"
#include "core/figure/scene_attention.h"

#include <memory>
#include <string>
#include <vector>

namespace attention {

// What a picture is made of; those that it does not read may be null.
struct AttentionAnswer {
  std::shared_ptr<const AttentionHead> head;
  std::shared_ptr<const WeightMaps> maps;
  std::shared_ptr<const HeadSketches> sketches;
  bool operator==(const AttentionAnswer&) const = default; // by identity
};

// What of the Scene stands beside the weights.
struct AttentionLook {
  Rect cells; // that are shown
  Pins pins;  // framed; only their lines are drawn
  Pins about; // in sight where lines are of a page of the tokens
  ModelHead chosen;
  bool framesChosen = true;       // among the heads
  bool square = true;             // queries and keys are the same tokens
  std::vector<std::string> names; // of the tokens, or empty
  std::string pattern;            // what the Scene's pattern is called
  bool operator==(const AttentionLook&) const = default;
};
AttentionLook attentionLook(const Scene& scene, const Lengths& lengths, const ModelHead& head);

// All that the Scene's picture reads.
AttentionAnswer attentionAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& head,
                                const Run& run = {});
// Whether the answer has what the spec's picture reads.
bool complete(const AttentionSpec& spec, const AttentionAnswer& answer);

// Those of full, pattern and difference that the spec shows.
std::vector<FigurePanel> mapPanels(const AttentionSpec& spec, const AttentionAnswer& answer,
                                   const AttentionLook& look);
// Captured mass, output error where there are values, and entropies, by query. Of more queries than
// a plot has room for, groups: a band from the least to the largest about their mean.
std::vector<FigurePanel> measurePanels(const AttentionAnswer& answer, const AttentionLook& look);
// Lines between a page of tokens, and to keys off it; of the pinned query and key alone, where one
// is shown. Every query has the line of its largest weight, whatever the least is.
Plot linksPlot(const AttentionSpec& spec, const AttentionAnswer& answer, const AttentionLook& look);
Plot headsPlot(const AttentionSpec& spec, const HeadSketches& sketches, const AttentionLook& look);

// What `of` shows of a head. E_UNSUPPORTED: logits of ready weights.
const Matrix<float>& shownOf(const HeadSketch& sketch, WeightsOf of);
// The largest in size of all heads: the end of their common ramp.
float largestLogit(const HeadSketches& sketches);

// The panels of the spec's picture; `answer` must be complete.
std::vector<FigurePanel> attentionPanels(const AttentionSpec& spec, const AttentionAnswer& answer,
                                         const AttentionLook& look);
std::string attentionTitle(const AttentionSpec& spec, const AttentionAnswer& answer,
                           const AttentionLook& look);
// Of the panels that attentionPanels made.
std::string attentionCaption(const AttentionSpec& spec, const AttentionAnswer& answer,
                             const AttentionLook& look, const std::vector<FigurePanel>& panels);
std::vector<LegendEntry> attentionLegend(const AttentionSpec& spec, const AttentionAnswer& answer,
                                         FigureTheme theme);
Figure attentionFigure(const AttentionSpec& spec, const AttentionAnswer& answer,
                       const AttentionLook& look, FigureTheme theme);

} // namespace attention
