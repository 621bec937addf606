#include "app/gui/overlays/overlays.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kAway = 16; // from the target, at scale 1
constexpr float kAround = 5;

struct Stop {
  const char* title;
  const char* words;
  std::array<const char*, 2> targets; // controls, of which the first that is there counts
};

constexpr std::array<Stop, 5> kStops{{
    {"Choose a pattern",
     "A pattern says which keys each query may attend to. These are the ones used last; G opens "
     "all of them, with pictures.",
     {"Sidebar/recent", "Sidebar/Patterns"}},
    {"Drag a number",
     "Every parameter is a slider, and the picture follows while you drag. Ctrl+click types a "
     "value.",
     {"Sidebar/stride ℓ", "Sidebar/length n"}},
    {"Point at a cell",
     "The inspector on the right says whether the query attends to the key, and by which rule. A "
     "click pins the query, Shift+click a key.",
     {"View/Mask", "View"}},
    {"Look at it in nine ways",
     "The mask, its reach through layers, attention on real data, kernels, choosing, timings, "
     "encodings, patterns compared, and what they cost a real model: keys 1 to 9.",
     {"", ""}}, // the tabs
    {"Follow a lesson",
     "Lessons lead through the subject step by step, with questions. F5 presents one, or any "
     "view, to a room.",
     {"Menu/Lessons", "Menu/Menu"}},
}};

const Stop& stopOf(const TourState& state) {
  return kStops[std::min(state.stop, kStops.size() - 1)];
}

Rect joined(const Rect& a, const Rect& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// What is on the screen of that address, or of all that lies in that scope.
std::optional<Rect> placeOf(const WidgetLog& log, std::string_view address) {
  if (const Widget* widget = log.find(address); widget && widget->visible)
    return widget->rect;
  std::optional<Rect> all;
  for (const Widget& widget : log.widgets())
    if (widget.visible && widget.scope == address)
      all = all ? joined(*all, widget.rect) : widget.rect;
  return all;
}

std::optional<Rect> tabs(const WidgetLog& log) {
  std::optional<Rect> all;
  for (const Widget& widget : log.widgets()) {
    const bool ofView = std::ranges::any_of(
        windowViews(), [&](const WindowView& view) { return widget.label == view.label; });
    if (widget.kind == WidgetKind::Tab && widget.visible && ofView)
      all = all ? joined(*all, widget.rect) : widget.rect;
  }
  return all;
}

void frameTarget(const Ui& ui, const Rect& target) {
  const float around = ui.px(kAround);
  ImGui::GetForegroundDrawList()->AddRect(ImVec2(target.x0 - around, target.y0 - around),
                                          ImVec2(target.x1 + around, target.y1 + around),
                                          color(ui.colors().accent), ui.px(6), 0, ui.px(2));
}

} // namespace

void beginTour(Workbench& bench) {
  if (!std::exchange(bench.ui.toured, true))
    bench.overlay = TourState{};
}

std::optional<Rect> tourTarget(const Ui& ui, const TourState& state) {
  for (const char* address : stopOf(state).targets) {
    const auto place = *address == '\0' ? tabs(ui.log) : placeOf(ui.log, address);
    if (place)
      return place;
  }
  return std::nullopt;
}

ImVec2 tourCorner(const Ui& ui, const TourState& state, const ImVec2& box) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const auto target = tourTarget(ui, state);
  if (!target)
    return ImVec2((screen.x - box.x) / 2, (screen.y - box.y) / 2);
  const float away = ui.px(kAway);
  const bool below = target->y1 + away + box.y <= screen.y;
  const bool right = target->x1 + away + box.x <= screen.x;
  ImVec2 corner(target->x0, target->y1 + away);
  if (!below)
    corner = right ? ImVec2(target->x1 + away, target->y0)
                   : ImVec2(target->centerX() - box.x / 2, target->centerY() - box.y / 2);
  corner.x = std::clamp(corner.x, away, std::max(away, screen.x - box.x - away));
  corner.y = std::clamp(corner.y, away, std::max(away, screen.y - box.y - away));
  return corner;
}

OverlayStep drawTour(TourState& state, const PanelContext& c) {
  const Ui& ui = c.ui;
  const Stop& stop = stopOf(state);
  if (const auto target = tourTarget(ui, state))
    frameTarget(ui, *target);
  {
    const UseFont bold(ui.fonts.bold);
    words(ui, stop.title);
  }
  words(ui, stop.words);
  space(ui, 6);
  const bool last = state.stop + 1 >= kStops.size();
  const bool on = button(ui, last ? "Done" : "Next", {"Enter or →"});
  ImGui::SameLine(0, ui.px(8));
  const bool skip = !last && button(ui, "Skip", {"Leave the tour (Esc); Help shows it again"});
  ImGui::SameLine(0, ui.px(12));
  caption(ui, std::to_string(state.stop + 1) + " of " + std::to_string(kStops.size()));
  if (chordPressed({Key::Left}) && state.stop > 0)
    --state.stop;
  const bool next = on || chordPressed({Key::Right}) || chordPressed({Key::Enter});
  if (skip || (next && last))
    return OverlayStep::Close;
  if (!next)
    return OverlayStep::Stay;
  ++state.stop;
  return OverlayStep::Stay;
}

} // namespace attention::gui
