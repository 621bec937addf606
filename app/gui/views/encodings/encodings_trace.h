// Tracing rows of axial encodings: which rows of E1 and E2 and which positions belong to what is
// under the pointer, and frames around them in every picture.
#pragma once

#include "app/gui/widgets/ui.h"
#include "core/views/encodings/scene_encodings.h"

#include <array>
#include <optional>

namespace attention::gui {

enum class EncodingPlot { E1, E2, Positions, E };
constexpr std::size_t kEncodingPlots = 4;

// A position with its rows, or a row of only one table.
struct EncodingTrace {
  std::optional<Index> first;  // row of E1
  std::optional<Index> second; // row of E2
  std::optional<Index> position;
};

EncodingTrace traceOf(const AxialShape& shape, Index position);

// What is under the pointer in a plot whose axes span `box`; nothing outside, and where the grid
// has no position.
std::optional<EncodingTrace> traceUnder(const CurvesMark& mark, EncodingPlot plot,
                                        const AxialShape& shape, const Rect& box, ImVec2 pointer);

// "row 3 of E1 belongs to 16 positions: 3, 19, 35 …", or the same for the position.
std::string wordsOf(const AxialShape& shape, const EncodingTrace& trace);

// Frames in the plots, whose axes span `boxes` (in the order of EncodingPlot).
void drawTrace(const Ui& ui, const EncodingsPlots& plots,
               const std::array<std::optional<Rect>, kEncodingPlots>& boxes,
               const AxialShape& shape, const EncodingTrace& trace, const ImVec4& tint);

} // namespace attention::gui
