// Masks as figures: one mask with its axes and legend, or several side by side.
#pragma once

#include "core/plot/figure.h"
#include "core/views/scene_figure.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attention {

// What is shown besides the cells of a mask.
struct MaskPanelSpec {
  std::shared_ptr<const Prepared> pattern;
  std::string title;
  Rect cells;                     // the part that is shown; empty: all
  std::vector<std::string> names; // labels of the keys' tokens, or empty
  std::optional<Index> query;     // framed
  std::optional<Index> key;
  std::vector<std::string> ownQueries = {}; // of rows and columns that are in an order of their own
  std::vector<std::string> ownKeys = {};
  std::optional<TileLayer> tiles = {};
};

// The plot of the mask with axes 'key j' and 'query i'.
Plot maskPlot(const MaskPanelSpec& spec);

// A swatch per part, parts of the same look together; a ramp of many parts has one.
std::vector<LegendEntry> maskLegend(const Prepared& pattern, FigureTheme theme);

// The token in the middle of an image of rows × columns: the query that it shows where none is
// pinned.
Index middleToken(const std::pair<Index, Index>& shape);

// What full and partial tiles look like.
std::vector<LegendEntry> tileLegend(FigureTheme theme);

// Whether a legend would only repeat the title of the mask.
bool namedBy(const Prepared& pattern, const std::string& title);

// Moves what all panels' legends share to the figure's own.
void shareLegends(Figure& figure);

Figure maskFigure(const std::vector<MaskPanelSpec>& panels, FigureTheme theme);

// ---- all masks of a Scene: for the Mask view and, beside its score board, for Compare ----

// As figureOfScene.
Figure masksFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
// As exportMasks.
void writeMasks(const Scene& scene, const SceneFigureOptions& options,
                const std::filesystem::path& path, const Run& run);

} // namespace attention
