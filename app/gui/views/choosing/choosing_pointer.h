// What is under the pointer in the Choosing view's pictures. Of groups, what is framed: a token
// wherever it stands, a cell in every order of its matrix; of choices and caches, also the walk
// through their queries.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/widgets/canvas.h"
#include "core/plot/figure.h"

#include <optional>
#include <string>

namespace attention::gui {

// Everything needs a picture on the screen. The token of the pointer, else the pinned one; nothing
// beyond n, or where no tokens are shown.
std::optional<Index> tokenShown(const ViewContext& context);

// "token 17 “river”: bucket 3, chunk 2 of the sorted order".
std::string tokenWords(const ViewContext& context, Index token);

// The sorting in `box`: what is under the pointer goes to `hover`; a click pins a token or chooses
// a round.
void pointAtSorting(const ViewContext& context, const Rect& box, const CanvasInput& input,
                    std::optional<Hover>& hover);
// The same for a matrix, with rows and columns sorted or not.
void pointAtMatrix(const ViewContext& context, const Rect& box, const CanvasInput& input,
                   bool sorted, std::optional<Hover>& hover);
// The sector and the point of a circle, named beside the pointer.
void pointAtCircle(const ViewContext& context, const Rect& box, const CanvasInput& input,
                   std::size_t round, std::size_t pair);

// ---- choices and caches ----

// One of the plots on the screen, which `box` holds: says what is under the pointer, which goes to
// `hover`; a click pins the query, or the step of a cache.
void pointAtChoice(const ViewContext& context, const Plot& plot, const Rect& box,
                   const CanvasInput& input, std::optional<Hover>& hover);

// Play, step and a slider over the queries, or over the steps of a cache.
void drawQueryWalk(const ViewContext& context, const Rect& area);

} // namespace attention::gui
