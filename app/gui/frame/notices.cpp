#include "app/gui/frame/notices.h"

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kMostShown = 3;

} // namespace

void Notices::add(NoteKind kind, std::string text) {
  // A sentence is not shown twice.
  list_.erase(
      std::remove_if(list_.begin(), list_.end(), [&](const Notice& n) { return n.text == text; }),
      list_.end());
  list_.push_back({kind, std::move(text), 0});
  if (list_.size() > kMostShown)
    list_.erase(list_.begin());
}

// The number of the note that was closed, or -1.
int Notices::drawList(const Ui& ui) const {
  int closed = -1;
  if (!ImGui::BeginTable("list", 2))
    return closed;
  ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("close", ImGuiTableColumnFlags_WidthFixed, ui.px(28));
  for (int i = 0; i < static_cast<int>(list_.size()); ++i) {
    const Notice& shown = list_[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    ImGui::TableNextColumn();
    note(ui, shown.kind, shown.text);
    ImGui::TableNextColumn();
    if (iconButton(ui, "close note", "×", {"Close this note"}))
      closed = i;
    ImGui::PopID();
  }
  ImGui::EndTable();
  return closed;
}

void Notices::draw(const Ui& ui, const Rect& area, float step) {
  for (Notice& notice : list_)
    notice.age += step;
  list_.erase(std::remove_if(list_.begin(), list_.end(),
                             [this](const Notice& n) {
                               const bool stays =
                                   n.kind == NoteKind::Error || n.kind == NoteKind::Warning;
                               return !stays && n.age > seconds_;
                             }),
              list_.end());
  if (list_.empty())
    return;
  const float width = std::min(area.x1 - area.x0 - ui.px(24), ui.px(560));
  ImGui::SetNextWindowPos(ImVec2((area.x0 + area.x1) / 2, area.y1 - ui.px(8)), ImGuiCond_Always,
                          ImVec2(0.5F, 1));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  const WidgetScope scope(ui.log, "Notes");
  ImGui::Begin("##notes", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoSavedSettings);
  const int closed = drawList(ui);
  ImGui::End();
  if (closed >= 0)
    list_.erase(list_.begin() + closed);
}

} // namespace attention::gui
