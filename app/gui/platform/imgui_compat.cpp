#include "app/gui/platform/imgui_compat.h"

#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

namespace attention::gui {
namespace {

#if IMGUI_VERSION_NUM >= 19200
// A template, since the callbacks were added during 1.92.
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

// A number, and later a struct.
template <class Context>
void clearFirstFocus(Context& g) {
  if constexpr (requires { g.NavInitResultId; })
    g.NavInitResultId = 0;
  else
    g.NavInitResult.Clear();
}

} // namespace

void setFontDensity([[maybe_unused]] float density) {
#if IMGUI_VERSION_NUM < 19200
  ImGui::GetIO().FontGlobalScale = 1 / density; // 1.92 takes it from DisplayFramebufferScale
#endif
}

void setDefaultFont(ImFont* font) {
  ImGui::GetIO().FontDefault = font;
#if IMGUI_VERSION_NUM >= 19200
  ImGui::GetStyle().FontSizeBase = font->LegacySize;
#endif
}

float fontSize(const ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  return font->LegacySize * ImGui::GetStyle().FontScaleMain;
#else
  return font->FontSize * ImGui::GetIO().FontGlobalScale;
#endif
}

bool fontHasGlyph(ImFont* font, char32_t character) {
  if (character > IM_UNICODE_CODEPOINT_MAX)
    return false;
#if IMGUI_VERSION_NUM >= 19200
  return font->IsGlyphInFont(static_cast<ImWchar>(character));
#else
  return font->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
#endif
}

bool typingNumberIn(ImGuiID id) {
  return ImGui::TempInputIsActive(id);
}

void forgetTyping(ImGuiID id) {
  ImGuiInputTextState* state = ImGui::GetInputTextState(id);
  if (state && ImGui::GetActiveID() != id)
    state->ID = 0;
}

bool isActive(ImGuiID id) {
  return ImGui::GetActiveID() == id;
}

bool itemDisabled() {
  return (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) != 0;
}

void keepScrollForItem() {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#else
  ImGui::SetItemUsingMouseWheel();
#endif
}

void scrollNextToTop() {
  ImGui::SetNextWindowScroll(ImVec2(-1, 0)); // -1: unchanged
}

float contentRight() {
  return ImGui::GetCurrentWindow()->ContentRegionRect.Max.x;
}

void setContentRight(float x) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  window->ContentRegionRect.Max.x = x;
  window->WorkRect.Max.x = x;
}

ImGuiID lastItem() {
  return ImGui::GetItemID();
}

bool focusVisible() {
#if IMGUI_VERSION_NUM >= 19140
  return GImGui->NavCursorVisible;
#else
  return !GImGui->NavDisableHighlight;
#endif
}

ImGuiID focusedItem() {
  return GImGui->NavId;
}

void focusLastItem(bool adjust) {
  ImGuiContext& g = *GImGui;
  const ImGuiID id = ImGui::GetItemID();
  ImGui::FocusWindow(ImGui::GetCurrentWindow());
  ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
  g.NavInputSource = ImGuiInputSource_Keyboard;
#if IMGUI_VERSION_NUM >= 19140
  ImGui::SetNavCursorVisible(true);
#else
  g.NavDisableHighlight = false;
#endif
  const bool field = (ImGui::GetItemFlags() & ImGuiItemFlags_Inputable) != 0;
  if (field || adjust) {
    g.NavNextActivateId = id;
    g.NavNextActivateFlags =
        adjust ? ImGuiActivateFlags_PreferTweak : ImGuiActivateFlags_PreferInput;
  }
}

void dropFirstFocus() {
  ImGuiContext& g = *GImGui;
  if (!g.NavInitRequestFromMove)
    return;
  g.NavInitRequest = false;
  g.NavInitRequestFromMove = false;
  clearFirstFocus(g);
#if IMGUI_VERSION_NUM >= 19140
  ImGui::SetNavCursorVisible(false);
#else
  g.NavDisableHighlight = true;
#endif
}

void pressFocusedByEnter() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiContext& g = *GImGui;
  if (g.NavActivateInputId == 0 || g.NavActivateInputId != g.NavId || g.ActiveId != 0)
    return;
  g.NavActivateId = g.NavActivateDownId = g.NavActivatePressedId = g.NavId;
#endif
}

void endTyping() {
  ImGui::ClearActiveID();
}

void clearActiveItem() {
  ImGui::ClearActiveID();
  ImGui::SetWindowFocus(nullptr);
}

void setClipboardFunctions(ClipboardFunctions& functions) {
#if IMGUI_VERSION_NUM >= 19110
  ImGuiPlatformIO& io = ImGui::GetPlatformIO();
  io.Platform_ClipboardUserData = &functions;
  io.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    const auto* f =
        static_cast<ClipboardFunctions*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    return f->get(f->user);
  };
  io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    const auto* f =
        static_cast<ClipboardFunctions*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    f->set(f->user, text);
  };
#else
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = functions.user;
  io.GetClipboardTextFn = functions.get;
  io.SetClipboardTextFn = functions.set;
#endif
}

void renewFontTexture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void drawSharpImage(ImTextureID texture, ImVec2 from, ImVec2 to) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  sampleSharply(list, true);
  list.AddImage(texture, from, to);
  sampleSharply(list, false);
}

} // namespace attention::gui
