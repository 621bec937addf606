#include "app/gui/widgets/canvas.h"

#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>

namespace attention::gui {
namespace {

bool movedWhileDown(ImGuiMouseButton which) {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseDragMaxDistanceSqr[which] >= io.MouseDragThreshold * io.MouseDragThreshold;
}

void readButtons(CanvasInput& input) {
  const bool left = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
  const bool middle = ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
  const ImGuiIO& io = ImGui::GetIO();
  input.pressed = ImGui::IsItemActivated() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  input.doubleClicked = input.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  input.held = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  input.dragging = ImGui::IsItemActive() && (left || middle);
  input.dragsMiddle = input.dragging && middle && !left;
  if (input.dragging) {
    input.dragX = io.MouseDelta.x;
    input.dragY = io.MouseDelta.y;
  }
  if (!ImGui::IsItemDeactivated())
    return;
  const bool leftUp = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  const bool middleUp = ImGui::IsMouseReleased(ImGuiMouseButton_Middle);
  const bool rightUp = ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  input.released = (leftUp && movedWhileDown(ImGuiMouseButton_Left)) ||
                   (middleUp && movedWhileDown(ImGuiMouseButton_Middle));
  input.clicked = leftUp && input.hovered && !movedWhileDown(ImGuiMouseButton_Left);
  input.rightClicked = rightUp && input.hovered && !movedWhileDown(ImGuiMouseButton_Right);
}

} // namespace

CanvasInput canvas(const Ui& ui, std::string_view label, ImVec2 size, std::string value,
                   Wheel wheel) {
  allowOverlapBefore();
  invisibleButton(std::string(label).c_str(),
                  ImVec2(std::max(size.x, 1.0F), std::max(size.y, 1.0F)),
                  ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                      ImGuiButtonFlags_MouseButtonMiddle);
  allowOverlapAfter();
  if (wheel == Wheel::Zooms)
    keepScrollForItem();
  keepArrowsForItem();
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  const ImGuiIO& io = ImGui::GetIO();
  CanvasInput input;
  input.area = {from.x, from.y, to.x, to.y};
  input.hovered = ImGui::IsItemHovered();
  input.mouseX = io.MousePos.x;
  input.mouseY = io.MousePos.y;
  input.ctrl = io.KeyCtrl;
  input.shift = io.KeyShift;
  input.alt = io.KeyAlt;
  input.scroll = input.hovered && wheel == Wheel::Zooms ? io.MouseWheel : 0;
  readButtons(input);
  const bool used = input.scroll != 0 || input.clicked || input.dragging;
  recordPressed(ui, WidgetKind::Canvas, label, used, false, std::move(value));
  if (ImGui::IsItemFocused() && focusVisible()) // around it, where no picture lies
    ImGui::GetWindowDrawList()->AddRect(ImVec2(from.x - ui.px(2), from.y - ui.px(2)),
                                        ImVec2(to.x + ui.px(2), to.y + ui.px(2)),
                                        color(ui.colors().accent), ui.px(2), 0, ui.px(1.5F));
  return input;
}

} // namespace attention::gui
