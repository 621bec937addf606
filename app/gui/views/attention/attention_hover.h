// What the Attention view's plots other than matrices do under the pointer: lines between tokens,
// small heads, curves; and the words about the cell under the pointer.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/widgets/canvas.h"
#include "core/plot/figure.h"

#include <string>

namespace attention::gui {

// The queries and keys that have rows in `box`: fewer than the mark has where not all fit. `box`
// here and below: what the mark fills, in points.
attention::Rect pageOfLines(const ViewContext& context, const LinksMark& mark, const Rect& box);
// Whether some cells are left out.
bool showsPart(const attention::Rect& cells, const Lengths& lengths);

// Which token of the lines is under the pointer: the nearer column's; a click pins it. Where only a
// part of the tokens is shown, the wheel moves it along; `rest` keeps the fraction of a token left
// over.
Hover pointAtLines(const ViewContext& context, const CanvasInput& input, const LinksMark& mark,
                   const Rect& box, float& rest);

// The key whose bar is under the pointer in the strip above a matrix, and what it receives; a click
// pins it.
Hover pointAtSums(const ViewContext& context, const CanvasInput& input, const ValuesMark& mark,
                  const Rect& box);

// The words for the head under the pointer; a click opens it.
void pointAtHeads(const ViewContext& context, const CanvasInput& input, const TilesMark& mark,
                  const Rect& box);

// The query below the pointer on curves of `number`, and the words of the nearest point; a click
// pins it.
Hover pointAtCurves(const ViewContext& context, const CanvasInput& input, const CurvesMark& mark,
                    const std::string& number, const Rect& box);

// A line on the curves at the query under the pointer elsewhere.
void markQuery(const Ui& ui, const CurvesMark& mark, const Rect& box, const Hover& hover);

// "query 17 “river” → key 3 “the”: full 0.041, pattern 0.12"; else what the picture shows.
std::string attentionWords(const ViewContext& context, const AttentionShown& shown);

} // namespace attention::gui
