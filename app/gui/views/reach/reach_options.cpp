#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/views/reach/reach_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/pattern_title.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <vector>

namespace attention::gui {
namespace {

constexpr const char* kDragged = "reach layer"; // the payload of a drag: the layer's place

using Stack = std::vector<Panel>;

// The layers and the place of the one that the controls edit, while a row changes them.
struct LayerList {
  Stack stack;
  std::size_t chosen = 0;
  bool changed = false;

  void give(std::size_t place, const Pattern& pattern) {
    stack[place] = Panel{"", pattern};
    chosen = place;
    changed = true;
  }
  // The chosen one stays the same layer.
  void move(std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t place) {
      return stack.begin() + static_cast<std::ptrdiff_t>(place);
    };
    if (from < to)
      std::rotate(at(from), at(from + 1), at(to + 1));
    else
      std::rotate(at(to), at(from), at(from + 1));
    if (chosen == from)
      chosen = to;
    else if (from < chosen && chosen <= to)
      --chosen;
    else if (to <= chosen && chosen < from)
      ++chosen;
    changed = true;
  }
  // If the chosen one is removed, the one above it is chosen, or the highest.
  void remove(std::size_t place) {
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(place));
    if (chosen > place || chosen == stack.size())
      --chosen;
    changed = true;
  }
};

void setRows(const PanelContext& c, const char* label, LayerList rows) {
  c.actions.edit(label, [rows = std::move(rows)](Scene& s) {
    s.reach.stack = rows.stack;
    s.reach.chosen = static_cast<Index>(rows.chosen);
  });
}

void patternsChoice(const PanelContext& c) {
  const std::vector<ChoiceItem> items{
      {"same in all", "Every layer has the pattern above"},
      {"in turn", "Each layer has its own pattern, in turn from the lowest"}};
  int selected = c.scene.reach.stack.empty() ? 0 : 1;
  ChoiceSpec spec;
  spec.tooltip = "Whether all layers have the same pattern";
  if (!choice(c.ui, "patterns", selected, items, spec))
    return;
  if (selected == 0)
    c.actions.edit("same in all layers", [](Scene& s) {
      s.pattern = editedPattern(s);
      s.reach.stack.clear();
      s.reach.chosen = 0;
    });
  else
    setRows(c, "patterns in turn", {Stack(2, Panel{"", c.scene.pattern})});
}

// Dragging a row onto another moves it there; a small picture of the strip dropped on a row becomes
// its pattern.
void dragRow(const PanelContext& c, LayerList& rows, std::size_t place) {
  const Ui& ui = c.ui;
  if (ImGui::BeginDragDropSource()) {
    const int from = static_cast<int>(place);
    ImGui::SetDragDropPayload(kDragged, &from, sizeof from);
    words(ui, titlesOf(rows.stack)[place]);
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget())
    return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDraggedPattern)) {
    const auto from = static_cast<std::size_t>(*static_cast<const int*>(payload->Data));
    if (from < c.offers.strip.size())
      rows.give(place, c.offers.strip[from]);
  }
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragged)) {
    const auto from = static_cast<std::size_t>(*static_cast<const int*>(payload->Data));
    if (from < rows.stack.size() && from != place) // not removed while it was dragged
      rows.move(from, place);
  }
  ImGui::EndDragDropTarget();
}

// The layer's pattern in `room`; if that is too little, without the parameters that all layers
// share.
std::string titleIn(const Ui& ui, const Stack& stack, std::size_t place, float room) {
  std::vector<const Pattern*> all;
  for (const Panel& layer : stack)
    all.push_back(&layer.pattern);
  std::string title = titleText(stack[place].pattern, all);
  if (textSize(ui.fonts.small, title).x > room)
    title = titleAmong(stack[place].pattern, all);
  return cutToWidth(ui.fonts.small, title, room);
}

// A row of the stack: its pattern, and its actions, which also work by keyboard; a press makes the
// controls edit it.
void layerRow(const PanelContext& c, LayerList& rows, std::size_t place) {
  const Ui& ui = c.ui;
  const std::string name = "layer " + std::to_string(place + 1);
  const RowScope row(ui.log, name);
  const bool chosen = place == rows.chosen;
  Control control;
  const std::string tip =
      titlesOf(rows.stack)[place] +
      (chosen ? ". The parameters above are this layer's."
              : ". Press to edit this layer: the parameters, strip and gallery then apply to it.") +
      " Drag it to change the order, or drop a pattern from the strip of thumbnails on it";
  control.tooltip = tip;
  control.width = availableWidth() - 3 * ui.px(28);
  const float room = control.width - textSize(ui.fonts.text, name).x - ui.px(26);
  if (listItem(ui, name, chosen, titleIn(ui, rows.stack, place, room), control) && !chosen)
    c.actions.edit("choose " + name,
                   [place](Scene& s) { s.reach.chosen = static_cast<Index>(place); });
  dragRow(c, rows, place);
  ImGui::SameLine(0, ui.px(4));
  if (iconButton(ui, "up", "▲", {"One place higher", place + 1 < rows.stack.size()}))
    rows.move(place, place + 1);
  ImGui::SameLine(0, ui.px(2));
  if (iconButton(ui, "remove", "×", {"Remove this layer", rows.stack.size() > 1}))
    rows.remove(place);
}

void layerRows(const PanelContext& c) {
  LayerList rows{c.scene.reach.stack, editedLayer(c.scene.reach).value_or(0)};
  caption(c.ui, "Listed from the top layer down. If the stack has more layers than this list, the "
                "list repeats, starting at layer 1. The parameters above belong to the selected "
                "layer.");
  for (std::size_t place = rows.stack.size(); place-- > 0 && !rows.changed;)
    layerRow(c, rows, place);
  if (rows.changed)
    return setRows(c, "order of layers", std::move(rows));
  if (link(c.ui, "+ add current", {"One more layer with the selected pattern, on top"})) {
    rows.stack.push_back({"", editedPattern(c.scene)});
    rows.chosen = rows.stack.size() - 1;
    c.actions.edit("add a layer", [rows = std::move(rows)](Scene& s) {
      s.reach.layers =
          std::max(s.reach.layers, static_cast<Index>(rows.stack.size())); // all are seen
      s.reach.stack = rows.stack;
      s.reach.chosen = static_cast<Index>(rows.chosen);
    });
  }
}

// The names of the curves, the stack's first.
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
    if (removeAtRight(ui, "remove", {"Remove this curve"})) {
      beside.erase(beside.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
    }
  }
  if (beside.size() < kMostBeside &&
      link(ui, "+ compare current", {"Keep a curve of how far the current pattern reaches"})) {
    beside.push_back({"", editedPattern(c.scene)});
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
  const SettingControls settings(c, &Scene::reach, reachSettings());
  settings.draw({"layers"});
  patternsChoice(c);
  if (!c.scene.reach.stack.empty())
    layerRows(c);
  settings.draw({"residual"});
  space(c.ui, 4);
  besideRows(c);
  drawModelOptions(c);
}

} // namespace attention::gui
