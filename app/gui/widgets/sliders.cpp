#include "app/gui/widgets/sliders.h"

#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention::gui {
namespace {

// What a slider of either type needs for drawing.
struct Track {
  double value;
  double least;
  double most;
  bool whole; // integers
};

// Share of the way from least to most.
float shareOf(const Track& t, bool logarithmic) {
  if (t.most <= t.least)
    return 0;
  const double v = std::clamp(t.value, t.least, t.most);
  if (logarithmic) {
    const double floor = t.whole ? 0.1 : 1e-3;
    const double low = std::max(t.least, floor);
    return static_cast<float>(std::log(std::max(v, low) / low) / std::log(t.most / low));
  }
  return static_cast<float>((v - t.least) / (t.most - t.least));
}

// Name, note and value above the track.
void drawHead(const Ui& ui, std::string_view label, const std::string& value,
              const SliderSpec& spec) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = availableWidth();
  const UiColors& c = ui.colors();
  const float valueWidth = textSize(ui.fonts.bold, value).x;
  const float noteWidth = spec.note.empty() ? 0 : textSize(ui.fonts.small, spec.note).x;
  const float valueX = at.x + width - valueWidth;
  float nameRoom = width - valueWidth - ui.px(8);
  if (noteWidth > 0) {
    const float middle = at.x + std::max(width * 0.53F - noteWidth / 2, width * 0.4F);
    const float noteX = std::min(middle, valueX - ui.px(10) - noteWidth);
    drawText(ui.fonts.small, ImVec2(noteX, at.y + ui.px(1)), c.dim, spec.note);
    nameRoom = noteX - at.x - ui.px(8);
  }
  drawText(ui.fonts.text, at, spec.enabled ? c.text : c.disabled,
           cutToWidth(ui.fonts.text, shownLabel(label), nameRoom));
  drawText(ui.fonts.bold, ImVec2(valueX, at.y), spec.enabled ? c.accentText : c.disabled, value);
  ImGui::Dummy(ImVec2(width, fontSize(ui.fonts.text)));
}

struct Knob {
  float x;
  float y;
  float radius;
};

// From end to end. ImGui gives each of few integers an equal part of the track, in which the knob
// lies: it stays where it is pressed.
Knob knobOf(const Ui& ui, const Track& track, bool logarithmic) {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  constexpr float kGrabPadding = 2; // ImGui's own, not scaled
  const float length = to.x - from.x - 2 * kGrabPadding;
  const float grab = std::min(ImGui::GetStyle().GrabMinSize, length);
  const float share = shareOf(track, logarithmic);
  return {from.x + kGrabPadding + grab / 2 + share * (length - grab), (from.y + to.y) / 2,
          ui.px(7)};
}

void drawTrack(const Ui& ui, const Knob& knob, bool enabled) {
  const UiColors& c = ui.colors();
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  const float half = ui.px(2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(from.x, knob.y - half), ImVec2(to.x, knob.y + half), color(c.track),
                     half);
  list.AddRectFilled(ImVec2(from.x, knob.y - half), ImVec2(knob.x, knob.y + half),
                     color(enabled ? c.accent : c.disabled), half);
  const bool held = ImGui::IsItemActive() || ImGui::IsItemHovered();
  list.AddCircleFilled(ImVec2(knob.x, knob.y), knob.radius + (held ? ui.px(1) : 0),
                       color(enabled ? c.knob : c.disabled), 24);
  if (ImGui::IsItemFocused() && focusVisible())
    list.AddCircle(ImVec2(knob.x, knob.y), knob.radius + ui.px(3), color(c.accent), 24,
                   ui.px(1.5F));
}

// ImGui's slider without its look: it provides dragging, keys and typing.
bool bareSlider(const Ui& ui, const std::string& id, ImGuiDataType type, void* value,
                const void* least, const void* most, const SliderSpec& spec, bool typingNow) {
  StyleColors style;
  if (!typingNow) {
    const ImVec4 none(0, 0, 0, 0);
    const std::array<ImGuiCol, 8> colors{ImGuiCol_FrameBg,
                                         ImGuiCol_FrameBgHovered,
                                         ImGuiCol_FrameBgActive,
                                         ImGuiCol_SliderGrab,
                                         ImGuiCol_SliderGrabActive,
                                         ImGuiCol_Border,
                                         ImGuiCol_Text,
                                         kNavColor};
    for (const ImGuiCol which : colors)
      style.set(which, none);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(4), 0));
  ImGui::SetNextItemWidth(availableWidth());
  const char* format = type == ImGuiDataType_S64 ? "%lld" : "%.9g";
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_NoRoundToFormat | (spec.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
  const bool changed = ImGui::SliderScalar(id.c_str(), type, value, least, most, format, flags);
  ImGui::PopStyleVar();
  return changed;
}

// `top`: of its name, which is part of it.
void recordSlider(const Ui& ui, std::string_view label, const Knob& knob, bool used,
                  std::string value, float top) {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  Widget widget;
  widget.kind = WidgetKind::Slider;
  widget.label = shownLabel(label);
  widget.rect = {from.x, top, to.x, to.y};
  clipped(from, to, widget);
  widget.grip = {knob.x - 1, knob.y - 1, knob.x + 1, knob.y + 1};
  widget.enabled = !itemDisabled();
  widget.value = std::move(value);
  takeKeyboard(ui, widget, true);
  if (used)
    ui.log.markUsed(ui.log.scope(), widget.label);
  if (ui.log.takeShow(widget))
    ImGui::SetScrollHereY(0.5F);
  ui.log.record(std::move(widget));
}

// Draws around `slide`, which calls bareSlider; `track` and `text` read the value afterwards.
template <class Slide, class ReadTrack, class ReadText>
Edit sliderAround(const Ui& ui, std::string_view label, const SliderSpec& spec, Slide slide,
                  ReadTrack track, ReadText text) {
  const DisabledWhile off(!spec.enabled);
  const std::string id = "##" + std::string(label);
  ImGui::BeginGroup();
  const float top = ImGui::GetCursorScreenPos().y;
  drawHead(ui, label, text(), spec);
  ImGui::SetCursorScreenPos(
      ImVec2(ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y - ui.px(5)));
  const ImGuiID item = ImGui::GetID(id.c_str());
  forgetTyping(item);
  const bool typingNow = typingNumberIn(item);
  Edit edit;
  edit.changed = slide(id, typingNow);
  edit.typed = edit.changed && typingNow;
  edit.active = ImGui::IsItemActive();
  edit.finished = ImGui::IsItemDeactivatedAfterEdit();
  const Knob knob = knobOf(ui, track(), spec.logarithmic);
  if (!typingNow)
    drawTrack(ui, knob, spec.enabled);
  recordSlider(ui, label, knob, ImGui::IsItemActivated() || edit.changed, text(), top);
  tooltip(ui, spec.tooltip);
  ImGui::EndGroup();
  return edit;
}

} // namespace

// ImGui needs ordered ends within half of the type's range; the value may be anything.
Edit sliderInt(const Ui& ui, std::string_view label, std::int64_t& value, std::int64_t least,
               std::int64_t most, const SliderSpec& spec) {
  constexpr std::int64_t kFar = std::int64_t{1} << 53;
  least = std::clamp(least, -kFar, kFar);
  most = std::clamp(most, least, kFar);
  return sliderAround(
      ui, label, spec,
      [&](const std::string& id, bool typingNow) {
        return bareSlider(ui, id, ImGuiDataType_S64, &value, &least, &most, spec, typingNow);
      },
      [&] {
        return Track{static_cast<double>(value), static_cast<double>(least),
                     static_cast<double>(most), true};
      },
      [&] { return spec.named.empty() ? groupDigits(value) + spec.unit : spec.named; });
}

Edit sliderReal(const Ui& ui, std::string_view label, double& value, double least, double most,
                const SliderSpec& spec) {
  constexpr double kFar = 1e300;
  least = least > -kFar ? std::min(least, kFar) : -kFar; // NaN is no end
  most = most < kFar ? std::max(least, most) : kFar;
  return sliderAround(
      ui, label, spec,
      [&](const std::string& id, bool typingNow) {
        const bool changed =
            bareSlider(ui, id, ImGuiDataType_Double, &value, &least, &most, spec, typingNow);
        if (!std::isfinite(value)) // 1e999 can be typed but not saved
          value = value > 0 ? most : least;
        return changed;
      },
      [&] {
        return Track{value, least, most, false};
      },
      [&] { return shortNumber(value, spec.digits) + std::string(spec.unit); });
}

} // namespace attention::gui
