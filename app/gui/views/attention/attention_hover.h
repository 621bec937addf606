// What the plots of the Attention view do under the pointer beside matrices: lines between tokens,
// small heads, curves; and what is said of the cell that is pointed at.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/views/attention/attention_shown.h"
#include "app/gui/widgets/canvas.h"
#include "core/plot/figure.h"

#include <string>

namespace attention::gui {

// The queries and keys of lines that have rows in `box`: fewer than the mark has where not all have
// room. `box` here and below: what the mark fills, in points.
attention::Rect pageOfLines(const ViewContext& context, const LinksMark& mark, const Rect& box);
// Whether the cells are not all that there are.
bool showsPart(const attention::Rect& cells, const Lengths& lengths);

// Which token of lines is under the pointer: the nearer column's; a click pins it. Where a part of
// the tokens is shown it stays, and the wheel moves it along; `rest` keeps the part of a token that
// it moved beyond whole ones.
Hover pointAtLines(const ViewContext& context, const CanvasInput& input, const LinksMark& mark,
                   const Rect& box, float& rest);

// The key whose bar is under the pointer in the strip above a matrix, and what it receives; a click
// pins it.
Hover pointAtSums(const ViewContext& context, const CanvasInput& input, const ValuesMark& mark,
                  const Rect& box);

// The head under the pointer: its words, and a click opens it.
void pointAtHeads(const ViewContext& context, const CanvasInput& input, const TilesMark& mark,
                  const Rect& box);

// The query below the pointer on curves, and the words of the nearest point; a click pins it.
Hover pointAtCurves(const ViewContext& context, const CanvasInput& input, const CurvesMark& mark,
                    const Rect& box);

// A line on the curves at the query that is pointed at elsewhere.
void markQuery(const Ui& ui, const CurvesMark& mark, const Rect& box, const Hover& hover);

// "query 17 “river” → key 3 “the”: full 0.041, pattern 0.12"; else what the picture is of.
std::string attentionWords(const ViewContext& context, const AttentionShown& shown);

} // namespace attention::gui
