// What masks cost a model, as a figure, a table and sentences.
#pragma once

#include "core/export/csv_table.h"
#include "core/model/variant.h"
#include "core/plot/figure.h"
#include "core/support/run.h"
#include "core/views/board/board.h"
#include "core/views/model/measured_costs.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

// Over how many positions the curves along the text are means: 32, of short texts fewer, and of the
// shortest one, each prediction by itself.
Index smoothingOf(const MeasuredCosts& costs);

// Loss (of an encoder the change of its final states) against pairs, a point per row with its name,
// and the Pareto front.
Plot frontPlot(const MeasuredCosts& costs);
using MeasuredRows = std::vector<const MeasuredRow*>;
// The loss at every position, smoothed, a curve per row, and dotted that of the first tokens of
// what is begun; behind them the single values of some rows. Nothing where there are no two
// predictions, and of an encoder.
std::optional<Plot> alongPlot(const MeasuredCosts& costs, const MeasuredRows& single = {});
// The table, a line per row.
Board costsBoard(const MeasuredCosts& costs);
CsvTable costsTable(const MeasuredCosts& costs);

// Means over `window` values around each, fewer at the ends.
std::vector<double> smoothed(const std::vector<double>& values, Index window);

std::string titleOf(const MeasuredCosts& costs);
// "The first 512 of 1 024 tokens of pride.txt."
std::string textSentence(const MeasuredCosts& costs);
// Where the numbers are shipped: which they are, and what they lack; else empty.
std::string shippedSentence(const MeasuredCosts& costs);
// "Local, window 16, causal: first 64 of 512 tokens, loss 3.214 → 3.954"; "as it is: first 64 of
// 512 tokens, loss 3.214"; empty where nothing is begun.
std::string begunWords(const MeasuredCosts& costs);
std::string captionOf(const MeasuredCosts& costs, const MeasuredRows& single = {});
// What to see, in sentences with numbers.
std::vector<std::string> readingOf(const MeasuredCosts& costs);

Figure costsFigure(const MeasuredCosts& costs, FigureTheme theme, const MeasuredRows& single = {});

// ---- the masks of all layers and heads ----

std::string titleOfLayers(const Model& model, const ModelVariant& variant);
std::string captionOfLayers(const Model& model, const ModelVariant& variant);

// Which heads have which pattern, and what that saves on n tokens, in sentences with numbers. What
// prepare() throws; Stopped.
std::vector<std::string> readingOfLayers(const Model& model, const ModelVariant& variant, Index n,
                                         const Run& run = {});

struct HeadPlace {
  Index layer = 0;
  Index head = 0;
};
// Where a tile of layersPlot is in the model: whichever of layers and heads are more go across.
HeadPlace placeOfTile(const Model& model, Index tile);

// A small matrix for each: shares of attended pairs by pixel; framed where a rule names it. Masks
// that depend on the data have none. `variant` nothing: the model as it is. O(layers · heads ·
// pixels).
Plot layersPlot(const Model& model, const ModelVariant& variant, Index n, const Run& run = {});

} // namespace attention
