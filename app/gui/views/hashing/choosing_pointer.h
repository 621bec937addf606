// The pointer in pictures of choices and caches, and the walk through their queries.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/widgets/canvas.h"
#include "core/plot/figure.h"

#include <optional>

namespace attention::gui {

// One of the plots on the screen, which `box` holds: says what is under the pointer, which goes to
// `hover`; a click pins the query, or the step of a cache.
void pointAtChoice(const ViewContext& context, const Plot& plot, const Rect& box,
                   const CanvasInput& input, std::optional<Hover>& hover);

// Play, step and a slider over the queries, or over the steps of a cache.
void drawQueryWalk(const ViewContext& context, const Rect& area);

} // namespace attention::gui
