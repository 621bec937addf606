// A figure: what is shown, in the coordinates of the data, before any pixels: panels side by side,
// each with plots one above the other, axes, legend, title, caption and source. Layout (layout.h)
// turns it into a display list; files and the window draw the same one.
#pragma once

#include "core/analysis/tiles/tile_layer.h"
#include "core/pattern/prepared.h"
#include "core/plot/color.h"
#include "core/plot/column_sums.h"
#include "core/plot/curves.h"
#include "core/plot/diagram.h"
#include "core/plot/head_tiles.h"
#include "core/plot/layer_graph.h"
#include "core/plot/links.h"
#include "core/plot/mask_color.h"
#include "core/plot/ramp.h"
#include "core/plot/running_text.h"
#include "core/support/matrix.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attention {

// An axis in tokens, from `begin` to `end`. Ticks are numbers, or labels where there is room.
struct Axis {
  std::string label; // "key j"
  Index begin = 0;
  Index end = 0;
  std::vector<std::string> names; // labels of the tokens begin … end − 1, or empty
};

// The mask itself by exact coverage, or its cells where they are few.
struct MaskMark {
  std::shared_ptr<const Prepared> pattern;
  Rect cells;                 // the part that is shown
  std::optional<Index> query; // a query and a key that are framed
  std::optional<Index> key;
  std::optional<TileLayer> tiles = {}; // over the cells
  // Whose pairs count, where the pattern has more layers than these; its parts come first in both.
  std::shared_ptr<const Prepared> mask = {};
};

// The mask whose cells a matrix shows as numbers: what pages tell where one points at them.
struct MaskBehind {
  std::shared_ptr<const Prepared> pattern;
  std::vector<Index> queries = {}; // of the rows, where they are in an order of their own
  std::vector<Index> keys = {};    // of the columns, likewise
  // Of a time line, whose rows are keys and whose columns are steps: what becomes of every key.
  std::vector<std::string> fates = {};
};

// Numbers over the cells of a matrix, from 0 to `top`, the end of the ramp.
struct ValuesMark {
  std::shared_ptr<const Matrix<float>> values; // by pixel, query rows
  Rect cells;
  float top = 1;
  std::optional<Index> query; // framed, as above
  std::optional<Index> key;
  Ramp ramp = Ramp::Weights;
  std::vector<Index> cuts = {};        // lines before these rows and columns: chunks
  std::optional<ColumnSums> sums = {}; // above the matrix
  std::optional<RampBar> bar = {};     // to its right
  std::shared_ptr<const MaskBehind> behind = {};
  // Over the cells, each with the sum of its values as a share of all (weight_tiles.h).
  std::optional<TileLayer> tiles = {};
  std::vector<double> tileMasses = {};
};

// The tokens as pixels of an image (Child et al. 2019, figure 3, top): a query and the pixels that
// it attends to, each in the hue of its part.
struct ImageMark {
  Index rows = 0;
  Index columns = 0;
  Index query = 0;
  std::vector<int> hueOfPixel; // index into series, −1 where not attended to; rows · columns
};

// Words that belong to a place of a plot, in the units of its mark: those of a diagram, or of the
// axes of curves.
struct PlaceWords {
  Box box;
  std::string words;
  std::vector<Point> outline = {}; // the place, where it is not the whole box
  Index part = 0;                  // places of a part move together while a figure plays
};

constexpr Index kMostReasons = 64 * 64; // cells of a plot with a sentence each, at most

struct Plot {
  std::variant<MaskMark, ValuesMark, ImageMark, CurvesMark, LayersMark, DiagramMark, LinksMark,
               TilesMark, RunningTextMark>
      mark;
  std::optional<Axis> keys; // none: no ticks and no label on that side; curves have axes of theirs
  std::optional<Axis> queries;
  double share = 1;        // of the width of its panel
  bool ownQueries = false; // its rows are labelled differently from its neighbours'
  // What a page tells, made when it asks: of boxes, of which the first counts; of points, boxes of
  // no size; by `part` of tiles, and of cells with that number, their {query} and {key} to be put
  // in. Of a difference of masks a sentence for each of its cells, row by row, if they are at most
  // kMostReasons.
  std::function<std::vector<PlaceWords>()> told = {};
};

struct LegendEntry {
  Color color;
  std::string label;
  bool operator==(const LegendEntry&) const = default;
};

struct FigurePanel {
  std::string title;
  std::vector<Plot> plots; // one above the other
  std::vector<LegendEntry> legend;
  bool alone = false;                    // has a row of its own, as wide as the others together
  std::vector<std::string> briefly = {}; // the title in fewer words, from long to short
};

struct Figure {
  std::string title;
  std::string caption;
  std::string source;
  std::vector<FigurePanel> panels;
  std::vector<LegendEntry> legend; // what all panels share
  FigureTheme theme = FigureTheme::Light;
  // A figure of fewer panels, drawn instead of this one at a size where this one's plots would be
  // too small to read (figureFor in arrange.h); null: none.
  std::shared_ptr<const Figure> fallback = {};
};

// Makes the current figure the one that a small file shows.
inline void keepAsFallback(Figure& figure) {
  figure.fallback = std::make_shared<const Figure>(figure);
}

// How high the plot is for a width of 1: rows per column of a matrix.
double aspect(const Plot& plot);

// The same figure for a light or a dark background: its legends keep the hues of their parts.
Figure inTheme(Figure figure, FigureTheme theme);

} // namespace attention
