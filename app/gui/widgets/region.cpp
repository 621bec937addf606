#include "app/gui/widgets/region.h"

#include "app/gl/gl.h"

#include <cassert>
#include <cmath>
#include <cstdint>
#include <imgui_internal.h>

namespace attention::gui {
namespace {

// The command carries the rectangle as its clip rectangle and the colour as its data.
void clearGround(const ImDrawList*, const ImDrawCmd* command) {
  const ImDrawData& frame = *ImGui::GetDrawData();
  const ImVec2 scale = frame.FramebufferScale;
  // The pixels with their centres inside, as for a triangle.
  const auto pixel = [](float at) { return static_cast<GLint>(std::ceil(at - 0.5F)); };
  const ImVec4& r = command->ClipRect;
  const GLint left = pixel((r.x - frame.DisplayPos.x) * scale.x);
  const GLint right = pixel((r.z - frame.DisplayPos.x) * scale.x);
  const GLint top = pixel((r.y - frame.DisplayPos.y) * scale.y);
  const GLint bottom = pixel((r.w - frame.DisplayPos.y) * scale.y);
  if (right <= left || bottom <= top)
    return;
  const auto height = static_cast<GLint>(std::lround(frame.DisplaySize.y * scale.y));
  const auto tint = static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(tint);
  glScissor(left, height - bottom, right - left, bottom - top); // on; each command sets its own
  glClearColor(c.x, c.y, c.z, c.w);
  glClear(GL_COLOR_BUFFER_BIT);
}

} // namespace

void fillGround(ImVec2 from, ImVec2 to, ImU32 tint) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(from, to);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): ImGui hands a pointer on and no more.
  list.AddCallback(clearGround, reinterpret_cast<void*>(static_cast<std::uintptr_t>(tint)));
  list.PopClipRect();
}

Region::Region(const Ui& ui, const char* name) : scope_(ui.log, name) {
  // With another name, ImGui would make a movable window with a title.
  assert(ImGui::FindWindowByName(name) && ImGui::FindWindowByName(name)->Active);
  ImGui::Begin(name);
}

} // namespace attention::gui
