// The marks of plots as primitives, each drawn in a file of its own. `box` is what the mark fills:
// for curves what the axes span, for layers what the tokens span; plot_margins.h gives the room for
// the words around it.
#pragma once

#include "core/analysis/tiles/tile_layer.h"
#include "core/plot/curves.h"
#include "core/plot/diagram.h"
#include "core/plot/draw_plot.h"
#include "core/plot/head_tiles.h"
#include "core/plot/layer_graph.h"
#include "core/plot/links.h"
#include "core/plot/plot_margins.h"

#include <memory>
#include <vector>

namespace attention {

// ---- attention weights, so that they are seen from afar ----

// Whether the ramp is of attention weights, or of their changes.
bool showsWeights(Ramp ramp);
// As addPicture, but a pixel that touches several weights shows the largest, and the columns `wide`
// are wide enough to be seen from afar.
void addWeights(const Box& box, std::shared_ptr<const Matrix<float>> values, const RampScale& scale,
                const std::vector<Index>& wide, const Drawing& drawing);

// ---- curves over axes of numbers ----

void drawCurves(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                const Drawing& drawing);

// Where a point of the data lies.
Point placeOf(const CurvesMark& mark, const Box& box, const Point& point);

// ---- points of a plot with words beside them, or numbers that a list explains ----

// Without the names of points and curves, which are listed elsewhere: points have only numbers,
// except those without a place near them.
Plot withoutNames(Plot plot);

// Each a dot in the colour of text with its words on the side and at the height where they touch
// neither the edge of `box` nor words already there; points outside it are left out. Where
// style.names is off and listsPoints(mark): a number beside each dot, and to the right of the box a
// list of numbers and names, in the room style.right. Where no point has words there are only
// numbers, near their dots or not at all.
void drawNamedPoints(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing);

// Whether the plot is about its points, so that their list can go beside it: no curve of data has
// words there.
bool listsPoints(const CurvesMark& mark);

// Whether all names fit in `box`, nearly all of them beside their dots.
bool namesHaveRoom(const CurvesMark& mark, const Box& box, double type, const TextMeasure& measure);

// The room for the list to the right of the plot, in pixels.
double listWidth(const CurvesMark& mark, double type, const TextMeasure& measure);

// ---- tiles over the cells of a mask ----

// Cell (0, 0) of the mask would lie at `origin`; what lies outside `box` is cut off.
void drawTileLayer(const TileLayer& layer, const Point& origin, const Size& unit, const Box& box,
                   FigureTheme theme, DisplayList& list);

// The same over numbers: only outlines, since fills would change their colours; and in a tile that
// has room for it, its mass in percent, with a sign where `changes`.
struct TileMasses {
  const TileLayer& layer;
  std::span<const double> masses;
  bool changes = false;
};
void drawTileMasses(const TileMasses& of, const Point& origin, const Size& unit, const Box& box,
                    const PlotStyle& style, const Drawing& drawing);

// ---- diagrams ----

// `box` has the diagram's shape.
void drawDiagram(const DiagramMark& mark, const Box& box, const PlotStyle& style,
                 const Drawing& drawing);

// Where a box of the diagram lies.
Box placeOf(const DiagramMark& mark, const Box& box, const Box& inUnits);

// ---- running text ----

// The size of the smallest of its words that shrink to their lines, in a diagram that wide: `type`
// where all have room.
double leastType(const DiagramMark& mark, double width, double type);
void drawRunningText(const RunningTextMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing);
double aspectOf(const RunningTextMark& mark);
// The size of its type: above `type` as far as all of a text that begins with its first token has
// room then, or as the lines of a longer text do.
double runningType(const RunningTextMark& mark, const Size& size, double type,
                   const TextMeasure& measure);

// ---- the graph of a stack of layers ----

// `tokens`: the axis below the input, if any.
void drawLayers(const LayersMark& mark, const std::optional<Axis>& tokens, const Box& box,
                const PlotStyle& style, const Drawing& drawing);

// The middle of a token; row 0 is the input, the lowest.
Point placeOf(const LayersMark& mark, const Box& box, Index row, Index token);

// ---- lines between two columns of tokens (links.h) ----

// `box`: from the left column's right end to the right column's left end.
void drawLinks(const LinksMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing);

// The room for the columns' words on either side, and for their headings above.
PlotMargins marginsOf(const LinksMark& mark, double type, const TextMeasure& measure);

// Height for a width of 1: one line of words per token, within reason.
double aspectOf(const LinksMark& mark);

// ---- the heads of a model side by side (head_tiles.h) ----

void drawTiles(const TilesMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing);

// The room for the names of rows and columns.
PlotMargins marginsOf(const TilesMark& mark, double type, const TextMeasure& measure);

// Height for a width of 1.
double aspectOf(const TilesMark& mark);

// Where the matrix of a tile lies within the mark's box.
Box tileBox(const TilesMark& mark, const Box& box, std::size_t tile);

// ---- the bars of a plot of curves: one per value, or one per column of several values where they
// would have less than a pixel each ----

bool hasBars(const CurvesMark& mark);

// How many bars share a column of a plot in `box`; 1 also where there are none.
Index barsPerColumn(const CurvesMark& mark, const Box& box);

struct BarBoxes {
  std::vector<Box> solid; // as far as all bars of a column reach
  std::vector<Box> light; // from there as far as any does
};

// Those above zero and those below; bars that exceed the axes are cut.
BarBoxes barBoxes(const CurvesMark& mark, const Box& box, const Curve& curve);

} // namespace attention
