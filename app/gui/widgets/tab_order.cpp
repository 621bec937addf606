#include "app/gui/widgets/widget_log.h"

#include "app/gui/platform/imgui_compat.h"
#include "app/gui/platform/imgui_input.h"

#include <algorithm>
#include <array>
#include <vector>

namespace attention::gui {
namespace {

constexpr std::array<std::string_view, 6> kRegions{"Menu",      "Sidebar", "View",
                                                   "Inspector", "Status",  "Notes"};

std::string_view firstPart(std::string_view scope) {
  return scope.substr(0, scope.find('/'));
}

// The place of a widget's region; widgets outside all regions come last.
std::size_t placeOf(const Widget& widget) {
  const auto found = std::find(kRegions.begin(), kRegions.end(), firstPart(widget.scope));
  return static_cast<std::size_t>(found - kRegions.begin());
}

} // namespace

std::uint32_t nextInTabOrder(std::span<const Widget> widgets, std::uint32_t focused, int step,
                             std::string_view scope) {
  std::vector<const Widget*> stops;
  for (const Widget& widget : widgets)
    if (widget.kind != WidgetKind::Text && widget.enabled && widget.id != 0 &&
        (scope.empty() || firstPart(widget.scope) == scope))
      stops.push_back(&widget);
  if (stops.empty())
    return 0;
  std::stable_sort(stops.begin(), stops.end(),
                   [](const Widget* a, const Widget* b) { return placeOf(*a) < placeOf(*b); });
  const auto at = std::find_if(stops.begin(), stops.end(),
                               [&](const Widget* widget) { return widget->id == focused; });
  if (at == stops.end())
    return (step > 0 ? stops.front() : stops.back())->id;
  const auto count = static_cast<std::ptrdiff_t>(stops.size());
  const std::ptrdiff_t next = (at - stops.begin() + step + count) % count;
  return stops[static_cast<std::size_t>(next)]->id;
}

void moveByTab(WidgetLog& log, std::string_view overlay) {
  const int step = static_cast<int>(chordPressed({Key::Tab}, true)) -
                   static_cast<int>(chordPressed({Key::Tab, false, true}, true));
  const bool moves = step != 0 && !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  const std::uint32_t next =
      moves ? nextInTabOrder(log.widgets(), focusedItem(), step, overlay) : 0;
  log.focus(next);
  if (next != 0)
    endTyping();
}

} // namespace attention::gui
