#include "app/gui/widgets/theme.h"

#include "core/plot/color.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attention::gui {
namespace {

ImVec4 rgb(std::uint32_t hex) {
  return {static_cast<float>((hex >> 16) & 0xFF) / 255.0F,
          static_cast<float>((hex >> 8) & 0xFF) / 255.0F, static_cast<float>(hex & 0xFF) / 255.0F,
          1};
}

UiColors darkColors() {
  UiColors c;
  c.view = rgb(0x14161b);
  c.panel = rgb(0x1b1e25);
  c.card = rgb(0x242934);
  c.cardHover = rgb(0x2c3240);
  c.cardActive = rgb(0x343c4c);
  c.border = rgb(0x313744);
  c.line = rgb(0x2a2f39);
  c.track = rgb(0x39404d);
  c.knob = rgb(0xeceef2);
  c.text = rgb(0xeceef2);
  c.dim = rgb(0xb9c0cc);
  c.disabled = rgb(0x7d8594);
  c.accent = rgb(0x56b4e9);
  c.accentText = rgb(0x84caf4);
  c.selected = rgb(0x273c4c);
  c.selectedText = rgb(0xb2e0fc);
  c.onAccent = rgb(0x14161b);
  c.good = rgb(0x6fd89a);
  c.bad = rgb(0xffa79d);
  c.warning = rgb(0xf0c04a);
  c.crosshair = rgb(0xffffff);
  c.series = {rgb(0x56b4e9), rgb(0xe69f00), rgb(0x2bb48a), rgb(0xf0e442),
              rgb(0xe8743b), rgb(0xcc79a7), rgb(0x7b9be8), rgb(0xb0b0b0)};
  return c;
}

UiColors lightColors() {
  UiColors c;
  c.view = rgb(0xffffff);
  c.panel = rgb(0xf6f7f9);
  c.card = rgb(0xeceff3);
  c.cardHover = rgb(0xe2e7ee);
  c.cardActive = rgb(0xd7dee8);
  c.border = rgb(0xd2d8e0);
  c.line = rgb(0xe2e5ea);
  c.track = rgb(0xcdd3dc);
  c.knob = rgb(0x14161b);
  c.text = rgb(0x14161b);
  c.dim = rgb(0x40475a);
  c.disabled = rgb(0x858d9a);
  c.accent = rgb(0x0072b2);
  c.accentText = rgb(0x004a78);
  c.selected = rgb(0xc5dcea);
  c.selectedText = rgb(0x003a5f);
  c.onAccent = rgb(0xffffff);
  c.good = rgb(0x00513b);
  c.bad = rgb(0x8e1f14);
  c.warning = rgb(0x5f4700);
  c.crosshair = rgb(0x000000);
  c.series = {rgb(0x0072b2), rgb(0xb85c00), rgb(0x00795a), rgb(0x8a7a00),
              rgb(0xa83208), rgb(0x9c4478), rgb(0x4a5bc4), rgb(0x767676)};
  return c;
}

void setMeasures(ImGuiStyle& style, float scale) {
  const auto px = [&](float length) { return std::floor(length * scale); };
  const auto both = [&](float x, float y) { return ImVec2(px(x), px(y)); };
  const float hairline = std::max(1.0F, px(1));
  style.WindowPadding = both(18, 14);
  style.FramePadding = both(10, 5);
  style.ItemSpacing = both(8, 7);
  style.ItemInnerSpacing = both(9, 5);
  style.CellPadding = both(6, 4);
  style.IndentSpacing = px(16);
  style.ScrollbarSize = px(11);
  style.GrabMinSize = px(14);
  style.WindowBorderSize = 0;
  style.ChildBorderSize = hairline;
  style.PopupBorderSize = hairline;
  style.FrameBorderSize = hairline;
  style.WindowRounding = 0;
  style.ChildRounding = px(6);
  style.FrameRounding = px(5);
  style.PopupRounding = px(7);
  style.GrabRounding = px(7);
  style.ScrollbarRounding = px(6);
  style.DisabledAlpha = 0.55F;
  style.AntiAliasedLinesUseTex = true;
}

void setColors(ImGuiStyle& style, const UiColors& c) {
  const ImVec4 none(0, 0, 0, 0);
  const auto set = [&](ImGuiCol which, const ImVec4& value) { style.Colors[which] = value; };
  set(ImGuiCol_Text, c.text);
  set(ImGuiCol_TextDisabled, c.dim);
  set(ImGuiCol_WindowBg, c.panel);
  set(ImGuiCol_ChildBg, none);
  set(ImGuiCol_PopupBg, c.card);
  set(ImGuiCol_MenuBarBg, none);
  set(ImGuiCol_TitleBg, c.panel);
  set(ImGuiCol_TitleBgActive, c.panel);
  set(ImGuiCol_Border, c.border);
  set(ImGuiCol_BorderShadow, none);
  set(ImGuiCol_FrameBg, c.card);
  set(ImGuiCol_FrameBgHovered, c.cardHover);
  set(ImGuiCol_FrameBgActive, c.cardActive);
  set(ImGuiCol_Button, c.card);
  set(ImGuiCol_ButtonHovered, c.cardHover);
  set(ImGuiCol_ButtonActive, c.cardActive);
  set(ImGuiCol_Header, c.selected);
  set(ImGuiCol_HeaderHovered, c.cardHover);
  set(ImGuiCol_HeaderActive, c.cardActive);
  set(ImGuiCol_ScrollbarBg, none);
  set(ImGuiCol_ScrollbarGrab, c.track);
  set(ImGuiCol_ScrollbarGrabHovered, c.cardActive);
  set(ImGuiCol_ScrollbarGrabActive, c.accent);
  set(ImGuiCol_CheckMark, c.accent);
  set(ImGuiCol_SliderGrab, c.knob);
  set(ImGuiCol_SliderGrabActive, c.knob);
  set(ImGuiCol_Separator, c.line);
  set(ImGuiCol_SeparatorHovered, c.accent);
  set(ImGuiCol_SeparatorActive, c.accent);
  set(ImGuiCol_ResizeGrip, c.track);
  set(ImGuiCol_ResizeGripHovered, c.accent);
  set(ImGuiCol_ResizeGripActive, c.accent);
  set(ImGuiCol_TextSelectedBg, ImVec4(c.accent.x, c.accent.y, c.accent.z, 0.35F));
  set(ImGuiCol_DragDropTarget, c.accent);
  set(kNavColor, c.accent);
}

Color toBytes(const ImVec4& c) {
  const auto byte = [](float share) { return roundedByte(255 * static_cast<double>(share)); };
  return {byte(c.x), byte(c.y), byte(c.z), byte(c.w)};
}

} // namespace

Theme makeTheme(ThemeKind kind) {
  return {kind, kind == ThemeKind::Dark ? darkColors() : lightColors()};
}

void applyTheme(const Theme& theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  setMeasures(style, scale);
  setColors(style, theme.colors);
}

double contrast(const ImVec4& first, const ImVec4& second) {
  return attention::contrast(toBytes(first), toBytes(second));
}

ImVec4 readable(const ImVec4& hue, const ImVec4& ground) {
  const Color c = attention::readable(toBytes(hue), toBytes(ground));
  return rgb(static_cast<std::uint32_t>((c.r << 16) | (c.g << 8) | c.b));
}

} // namespace attention::gui
