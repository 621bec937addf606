#include "app/gui/panels/choose_pattern.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/views/paint.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/pattern_title.h"
#include "core/scene/shown_patterns.h"

#include <algorithm>
#include <vector>

namespace attention::gui {
namespace {

constexpr Index kMostDragged = 24;              // layers that a slider gives; more are typed
constexpr const char* kDragged = "reach layer"; // the payload of a drag: the layer's place

using Stack = std::vector<Panel>;

void setStack(const PanelContext& c, const char* label, Stack stack) {
  c.actions.edit(label, [stack = std::move(stack)](Scene& s) { s.reach.stack = stack; });
}

void layerCount(const PanelContext& c) {
  Index layers = c.scene.reach.layers;
  SliderSpec spec;
  spec.tooltip = "How many layers are stacked, T";
  const Edit edit = sliderInt(c.ui, "layers", layers, 1, kMostDragged, spec);
  if (edit.changed)
    c.actions.push(EditScene{"layers", [layers](Scene& s) { s.reach.layers = layers; }, "layers"});
  if (edit.finished)
    c.actions.push(EndGesture{});
}

void patternsChoice(const PanelContext& c) {
  const std::vector<ChoiceItem> items{
      {"same in all", "Every layer has the pattern above"},
      {"in turn", "Layers have patterns of their own, in turn from the lowest"}};
  int selected = c.scene.reach.stack.empty() ? 0 : 1;
  ChoiceSpec spec;
  spec.tooltip = "Whether all layers have the same pattern";
  if (!choice(c.ui, "patterns", selected, items, spec))
    return;
  if (selected == 0)
    setStack(c, "same in all layers", {});
  else
    setStack(c, "patterns in turn", Stack(2, Panel{"", c.scene.pattern}));
}

// Dragging a row onto another moves it there; a small picture of the strip dropped on a row becomes
// its pattern.
void dragRow(const PanelContext& c, Stack& stack, std::size_t place, bool& changed) {
  const Ui& ui = c.ui;
  if (ImGui::BeginDragDropSource()) {
    const int from = static_cast<int>(place);
    ImGui::SetDragDropPayload(kDragged, &from, sizeof from);
    words(ui, titlesOf(stack)[place]);
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget())
    return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDraggedPattern)) {
    const auto from = static_cast<std::size_t>(*static_cast<const int*>(payload->Data));
    if (from < c.offers.strip.size()) {
      stack[place] = Panel{"", c.offers.strip[from]};
      changed = true;
    }
  }
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragged)) {
    const auto from = static_cast<std::ptrdiff_t>(*static_cast<const int*>(payload->Data));
    if (from >= static_cast<std::ptrdiff_t>(stack.size())) // taken out while it was dragged
      return ImGui::EndDragDropTarget();
    const Panel moved = stack[static_cast<std::size_t>(from)];
    stack.erase(stack.begin() + from);
    stack.insert(stack.begin() + static_cast<std::ptrdiff_t>(place), moved);
    changed = true;
  }
  ImGui::EndDragDropTarget();
}

// The layer's pattern at the right of the button drawn last, beside `taken` points of its label;
// where it has no room without what all layers have.
void patternOver(const Ui& ui, const Stack& stack, std::size_t place, float taken) {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  const float gap = ui.px(8);
  const float room = to.x - from.x - taken - 3 * gap;
  std::vector<const Pattern*> all;
  for (const Panel& layer : stack)
    all.push_back(&layer.pattern);
  std::string title = titleText(stack[place].pattern, all);
  if (textSize(ui.fonts.small, title).x > room)
    title = titleAmong(stack[place].pattern, all);
  const std::string shown = cutToWidth(ui.fonts.small, title, room);
  const ImVec2 size = textSize(ui.fonts.small, shown);
  drawText(ui.fonts.small, ImVec2(to.x - gap - size.x, (from.y + to.y - size.y) / 2),
           ui.colors().accentText, shown);
}

// A row of the stack: its pattern, and what can be done with it by keyboard too.
void layerRow(const PanelContext& c, Stack& stack, std::size_t place, bool& changed) {
  const Ui& ui = c.ui;
  const std::string name = "layer " + std::to_string(place + 1);
  const RowScope row(ui.log, name);
  const float buttons = 3 * ui.px(28);
  const float width = availableWidth() - buttons;
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5F));
  if (button(
          ui, name,
          {titlesOf(stack)[place] +
               ". Press: the pattern above becomes this layer's, as does a small picture that is "
               "dropped here. Drag: changes the order",
           true, width}) &&
      !(stack[place].pattern == c.scene.pattern)) {
    stack[place] = Panel{"", c.scene.pattern};
    changed = true;
  }
  ImGui::PopStyleVar();
  patternOver(ui, stack, place, textSize(ui.fonts.text, name).x);
  dragRow(c, stack, place, changed);
  ImGui::SameLine(0, ui.px(4));
  if (iconButton(ui, "up", "▲", {"One place higher", place + 1 < stack.size()})) {
    std::swap(stack[place], stack[place + 1]);
    changed = true;
  }
  ImGui::SameLine(0, ui.px(2));
  if (iconButton(ui, "remove", "×", {"Take this layer out", stack.size() > 1})) {
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(place));
    changed = true;
  }
}

void layerRows(const PanelContext& c) {
  Stack stack = c.scene.reach.stack;
  caption(c.ui, "from the top down, repeated where there are more layers; press one to give it the "
                "pattern above");
  bool changed = false;
  for (std::size_t place = stack.size(); place-- > 0 && !changed;)
    layerRow(c, stack, place, changed);
  if (changed)
    return setStack(c, "order of layers", std::move(stack));
  if (link(c.ui, "+ add current", {"One pattern more, on top of the others"})) {
    stack.push_back({"", c.scene.pattern});
    c.actions.edit("add a layer", [stack = std::move(stack)](Scene& s) {
      s.reach.layers = std::max(s.reach.layers, static_cast<Index>(stack.size())); // all are seen
      s.reach.stack = stack;
    });
  }
}

// As the curves are called, the stack's first.
std::vector<std::string> titlesBeside(const Scene& scene) {
  Stack all = drawnPatterns(scene);
  all.resize(1);
  all.insert(all.end(), scene.reach.beside.begin(), scene.reach.beside.end());
  return titlesOf(all);
}

void besideRows(const PanelContext& c) {
  const Ui& ui = c.ui;
  Stack beside = c.scene.reach.beside;
  const std::vector<std::string> titles = titlesBeside(c.scene);
  sectionHeading(ui, "Compare growth with");
  bool changed = false;
  for (std::size_t k = 0; k < beside.size() && !changed; ++k) {
    const RowScope row(ui.log, "beside " + std::to_string(k + 1));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec4& hue = ui.colors().series[(k + 1) % ui.colors().series.size()];
    fill({at.x, at.y + ui.px(3), at.x + ui.px(13), at.y + ui.px(16)}, color(hue), ui.px(2));
    ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(22), at.y));
    words(ui, titles[k + 1]);
    if (removeAtRight(ui, "remove", {"Take this curve out"})) {
      beside.erase(beside.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
    }
  }
  if (beside.size() < kMostBeside &&
      link(ui, "+ compare current", {"A curve of its growth that stays"})) {
    beside.push_back({"", c.scene.pattern});
    changed = true;
  }
  if (changed)
    c.actions.edit("compare growth",
                   [beside = std::move(beside)](Scene& s) { s.reach.beside = beside; });
}

} // namespace

void drawReachOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Layers");
  sectionHeading(c.ui, "Layers");
  layerCount(c);
  patternsChoice(c);
  if (!c.scene.reach.stack.empty())
    layerRows(c);
  bool residual = c.scene.reach.residual;
  if (checkbox(c.ui, "residual connection", residual,
               {"A path around attention: every token keeps what it has (M ∨ I)"}))
    c.actions.edit("residual", [residual](Scene& s) { s.reach.residual = residual; });
  space(c.ui, 4);
  besideRows(c);
}

} // namespace attention::gui
