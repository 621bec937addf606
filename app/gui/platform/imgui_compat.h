// Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13, Ubuntu 24.04) and 1.92 under one set of calls. The
// only header that includes imgui.h: whatever changed its name or meaning between the versions is
// called through here. Sizes of type: GetFontSize(), never ImFont's own field; the atlas is built
// by fonts.h alone.
#pragma once

#include "app/gl/texture.h"

#include <cstdint>
#include <imgui.h>
#include <string_view>

namespace attention::gui {

// Handle of an OpenGL texture for ImGui::Image and ImDrawList::AddImage.
inline ImTextureID textureHandle(GLuint id) {
#if IMGUI_VERSION_NUM >= 19140
  return static_cast<ImTextureID>(id);
#else
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the handle is a pointer type in this version.
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(id));
#endif
}
inline ImTextureID textureHandle(const gl::Texture& texture) {
  return textureHandle(texture.id());
}

// A picture multiplied by `tint`.
inline void imageTinted(ImTextureID texture, ImVec2 size, ImVec2 uv0, ImVec2 uv1, ImVec4 tint) {
#if IMGUI_VERSION_NUM >= 19190
  ImGui::ImageWithBg(texture, size, uv0, uv1, ImVec4(0, 0, 0, 0), tint);
#else
  ImGui::Image(texture, size, uv0, uv1, tint);
#endif
}

// BeginChild with or without border and padding; EndChild() always follows.
inline bool beginChild(const char* id, ImVec2 size, bool border, ImGuiWindowFlags flags = 0) {
  return ImGui::BeginChild(id, size, border, flags); // bool is bit 0 of the newer flags
}

// The next item may have others on top of it: call `before` it and `after` it.
inline void allowOverlapBefore() {
#if IMGUI_VERSION_NUM >= 18966
  ImGui::SetNextItemAllowOverlap();
#endif
}
inline void allowOverlapAfter() {
#if IMGUI_VERSION_NUM < 18966
  ImGui::SetItemAllowOverlap();
#endif
}

// PushFont at the font's own size, and PopFont.
inline void pushFont(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, font->LegacySize);
#else
  ImGui::PushFont(font);
#endif
}
inline void popFont() {
  ImGui::PopFont();
}

// Rasterises fonts `density` times as large as they are drawn (pixels per point).
void setFontDensity(float density);

// Sets the font of all text that pushes none; call it between frames.
void setDefaultFont(ImFont* font);

// The font's size in points, as GetFontSize() is while it is pushed.
float fontSize(const ImFont* font);

// Whether the font has a glyph of its own for the character.
bool fontHasGlyph(ImFont* font, char32_t character);

// Whether the item `id` is a slider or drag in which a number is being typed.
bool typingNumberIn(ImGuiID id);
// Call it before a text field or slider is drawn: clears what was typed there when it was last
// active. ImGui keeps its undo steps, which reach beyond the end of the text once that has changed.
void forgetTyping(ImGuiID id);
// Whether the item `id` is pressed or typed into.
bool isActive(ImGuiID id);

// Whether the item drawn last is disabled.
bool itemDisabled();

// The wheel belongs to the item drawn last while the pointer is on it: its window does not scroll.
void keepScrollForItem();

// InvisibleButton that the keyboard reaches.
inline bool invisibleButton(const char* id, ImVec2 size, ImGuiButtonFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19140
  flags |= ImGuiButtonFlags_EnableNav;
#endif
  return ImGui::InvisibleButton(id, size, flags);
}

// Colour of the ring around the item with the keyboard focus.
#if IMGUI_VERSION_NUM >= 19140
inline constexpr ImGuiCol kNavColor = ImGuiCol_NavCursor;
#else
inline constexpr ImGuiCol kNavColor = ImGuiCol_NavHighlight;
#endif

// The right edge of what is drawn in the current window, in screen points: for
// GetContentRegionAvail, wrapping and full-width widgets. For boxes inside a window; put the old
// edge back.
float contentRight();
void setContentRight(float x);

// The next window or child shows its top, already in this frame.
void scrollNextToTop();

// The item drawn last, and whether the keyboard's focus ring is shown.
ImGuiID lastItem();
bool focusVisible();
// Which item has the keyboard: 0 for none.
ImGuiID focusedItem();
// Gives the keyboard to the item drawn last: a text field begins to take text; `adjust` lets the
// arrow keys change a slider at once.
void focusLastItem(bool adjust);
// The first arrow key of all focuses the first control where none was ever focused. Not this one:
// it is the view's. Call it within a window.
void dropFirstFocus();
// Enter presses the focused item, as Space does in all versions. Call it between NewFrame and the
// widgets.
void pressFocusedByEnter();

// Ends text entry and dragging; the focus stays.
void endTyping();

// Ends text entry and dragging, and clears the keyboard focus.
void clearActiveItem();

// The clipboard of the current context: `user` is passed to both functions.
struct ClipboardFunctions {
  const char* (*get)(void* user) = nullptr;
  void (*set)(void* user, const char* text) = nullptr;
  void* user = nullptr;
};
// `functions` must outlive the context.
void setClipboardFunctions(ClipboardFunctions& functions);

// Call it after the fonts were replaced: renews the OpenGL backend's copy of them.
void renewFontTexture();

// 32-bit colour of a float colour, alpha multiplied by the style's.
inline ImU32 color(const ImVec4& value) {
  return ImGui::GetColorU32(value);
}
inline ImU32 color(const ImVec4& value, float alpha) {
  return ImGui::GetColorU32(ImVec4(value.x, value.y, value.z, value.w * alpha));
}

// Like ImDrawList::AddImage of the whole texture in the current window, for textures whose texels
// are cells: with sharp edges in every version of ImGui. Since 1.92.8 its OpenGL backend filters
// all textures linearly, whatever filter they have, unless told otherwise.
void drawSharpImage(ImTextureID texture, ImVec2 from, ImVec2 to);

} // namespace attention::gui
