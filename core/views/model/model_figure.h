// What masks cost a model, as a figure, a table and sentences.
#pragma once

#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/views/board/board.h"
#include "core/views/model/scene_model.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

constexpr Index kSmoothed = 32; // positions

// Loss (of an encoder the change of its final states) against pairs, a point per row with its name,
// and the Pareto front.
Plot frontPlot(const ModelCosts& costs);
// The loss at every position, smoothed over kSmoothed of them, a curve per row. Nothing where there
// are no two predictions, and of an encoder.
std::optional<Plot> alongPlot(const ModelCosts& costs);
// The table, a line per row.
Board costsBoard(const ModelCosts& costs);
CsvTable costsTable(const ModelCosts& costs);

std::string titleOf(const ModelCosts& costs);
std::string captionOf(const ModelCosts& costs);
// What to see, in sentences with numbers.
std::vector<std::string> readingOf(const ModelCosts& costs);

Figure costsFigure(const ModelCosts& costs, FigureTheme theme);

// ---- the masks of all layers and heads ----

std::string titleOfLayers(const Model& model, const ModelVariant& variant);
std::string captionOfLayers(const Model& model, const ModelVariant& variant);

// A small matrix for each: shares of attended pairs by pixel; framed where a rule names it. Masks
// that depend on the data have none. `variant` nothing: the model as it is. O(layers · heads ·
// pixels).
Plot layersPlot(const Model& model, const ModelVariant& variant, Index n, const Run& run = {});

} // namespace attention
