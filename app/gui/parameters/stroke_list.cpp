#include "app/gui/panels/layout.h"
#include "app/gui/parameters/parameter_controls.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/strokes.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kMostListed = 5; // strokes, the last ones

void replace(const ParameterScope& scope, Pattern& pattern, Pattern by, const char* label) {
  pattern = std::move(by);
  scope.change.changed = true;
  scope.change.label = label;
}

} // namespace

void strokeList(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter) {
  const Ui& ui = scope.context.ui;
  const Value value = parameter.resolved(pattern, scope.n);
  const StrokeList strokes = std::get<StrokeList>(value); // shown whatever is pressed
  const WidgetScope inside(ui.log, parameter.name);
  words(ui, strokes.empty() ? "no strokes yet" : countText(strokes.size(), "stroke") + " by hand");
  if (strokes.empty())
    caption(ui, "Press B and draw on the mask");
  const std::size_t first = strokes.size() - std::min(strokes.size(), kMostListed);
  if (first > 0)
    caption(ui, "… " + std::to_string(first) + " before");
  for (std::size_t k = first; k < strokes.size(); ++k)
    caption(ui, std::to_string(k + 1) + ".  " + textOf(strokes[k]));
  const float width = shareOfRow(2);
  const bool any = !strokes.empty();
  if (button(ui, "remove last", {"Undo the last stroke", any, width}))
    replace(scope, pattern, withoutLastStroke(pattern), "remove stroke");
  ImGui::SameLine();
  if (button(ui, "clear", {"Erase all strokes; only the pattern under them is left", any, width}))
    replace(scope, pattern, withoutStrokes(pattern), "clear strokes");
}

} // namespace attention::gui
