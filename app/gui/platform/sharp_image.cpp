#include "app/gui/platform/sharp_image.h"

namespace attention::gui {
namespace {

#if IMGUI_VERSION_NUM >= 19200
// A template, since the callbacks came within 1.92.
template <class Backend>
void sample(ImDrawList& list, const Backend& backend, bool sharp) {
  if constexpr (requires { backend.DrawCallback_SetSamplerNearest; }) {
    const auto callback =
        sharp ? backend.DrawCallback_SetSamplerNearest : backend.DrawCallback_SetSamplerLinear;
    if (callback)
      list.AddCallback(callback, nullptr);
  }
}

void sampleSharply(ImDrawList& list, bool sharp) {
  sample(list, ImGui::GetPlatformIO(), sharp);
}
#else
// The filter is the texture's own.
void sampleSharply(ImDrawList&, bool) {}
#endif

} // namespace

void drawSharpImage(ImTextureID texture, ImVec2 from, ImVec2 to) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  sampleSharply(list, true);
  list.AddImage(texture, from, to);
  sampleSharply(list, false);
}

} // namespace attention::gui
