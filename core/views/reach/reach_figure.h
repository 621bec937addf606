// Receptive fields as figures: the layers as a graph, and the share reached against layers.
#pragma once

#include "core/analysis/reach/reach.h"
#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/support/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostGraphTokens = 256; // beyond, edges are a grey area
constexpr Index kMostGraphLayers = 24;
constexpr std::size_t kMostGraphEdges = 20000;

struct LayerGraphSpec {
  Index layers = 0;
  std::optional<Index> token;     // output whose receptive field is lit
  std::optional<Index> shown;     // through this many layers from the top; absent: all
  std::vector<Index> path;        // tokens from the output down (influencePath), or empty
  std::vector<std::string> names; // labels of the tokens, or empty
};

// E_RANGE: more tokens or layers than fit a graph.
void requireGraph(const LayerStack& stack, Index layers);

// The graph of the stack's layers with what influences `token` lit. Where there are more than
// kMostGraphEdges edges, only the lit ones. E_RANGE: too many tokens, layers or lit edges, or a
// token beyond them. O(edges).
Plot layerGraph(const LayerStack& stack, const LayerGraphSpec& spec);

// In the matrix of hops a pair that is lost again has this number minus its layers (−1 is never).
constexpr Index kLostHops = -2;
// The matrix of hops, with its largest value `longest` (longestOf) and its axes, or the given cells
// of it in the colours of the whole; pairs that are `lost` (may be null) have a colour of their
// own. Where a pixel (at most 1024 per side) holds several pairs, it shows one that is lost, else
// their largest number of hops. O(cells).
Plot hopPlot(const HopMatrix& hops, Index longest, const LostPairs* lost = nullptr,
             const std::optional<Rect>& cells = {}, const Run& run = {});
// What a matrix of hops shows.
constexpr const char* kHopsTitle = "layers until key j reaches query i";
constexpr const char* kHopsBriefly = "layers until j reaches i";
// Of the layers that the hops go through.
struct HopLegendOptions {
  bool residual = true; // else no token is 0 layers from itself
  bool lost = false;    // some pairs are lost again
  std::string unit;     // "layer", where nothing beside the swatches says what they count
};
// A swatch per number of layers (some of them, if there are many), then that of lost pairs.
std::vector<LegendEntry> hopLegend(const Plot& hops, FigureTheme theme,
                                   const HopLegendOptions& options = {});

// One curve of growth: the share of the pairs that each number of layers reaches.
struct ReachGrowth {
  std::string label;
  std::size_t hue = 0;
  Index n = 0;
  bool causal = false; // shares of the pairs j ≤ i instead of all
  std::vector<LayerReach> layers;
};

// Shares from 0 to 1 against layers; layer 0 is the token itself.
Plot growthPlot(const std::vector<ReachGrowth>& curves);

// ---- the numbers behind the pictures, for files ----

// int32, n × n; −1 for never. Pairs that more layers lose again keep their least number, here and
// below.
void writeHopsNpy(const HopMatrix& hops, const std::filesystem::path& path, const Run& run = {});

// The heading i,j,hops, then one line per reached pair, sorted by query and then by key. E_RANGE
// above kMaxMaskEntries pairs.
void writeHopsCsv(const HopMatrix& hops, const std::filesystem::path& path, const Run& run = {});

// A row per curve and layer.
CsvTable growthTable(const std::vector<ReachGrowth>& curves);

} // namespace attention
