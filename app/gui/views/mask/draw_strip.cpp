#include "app/gui/views/mask/draw_strip.h"

#include "app/gui/interface/latest.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace attention::gui {
namespace {

constexpr float kBesideStrip = 14; // at scale 1, as all lengths here
constexpr float kAboveStrip = 8;
constexpr float kAroundLabel = 16;
constexpr float kButtonGap = 3; // within a group
constexpr float kGroupGap = 14; // between groups
constexpr float kSize = 104;    // width of the slider
constexpr float kPeriod = 48;   // of the field
constexpr const char* kDraw = "Draw";

float widthOfPress(const Ui& ui, std::string_view words) {
  return std::ceil(textSize(ui.fonts.text, words).x + ui.px(kAroundLabel));
}

// Groups of controls from left to right, on a further line where one does not fit.
class ToolRow {
public:
  ToolRow(const PanelContext& context, const Rect& area)
      : c_(context), area_(area), x_(left()), y_(area.y0 + px(kAboveStrip)),
        bottom_(y_ + ImGui::GetFrameHeight()) {}

  // Room for a group of these words, and of so much more.
  void begin(std::initializer_list<std::string_view> all, float more = 0) {
    float width = px(more);
    for (const std::string_view words : all)
      width += widthOf(words) + px(kButtonGap);
    if (x_ > left() && x_ + width > right()) {
      x_ = left();
      y_ = bottom_ + px(kButtonGap) * 2;
      bottom_ = y_ + ImGui::GetFrameHeight();
    }
  }
  void end() { x_ += px(kGroupGap) - px(kButtonGap); }

  void words(const char* text) {
    ImFont* font = c_.ui.fonts.small;
    const ImVec2 size = textSize(font, text);
    const ImVec2 at(x_, y_ + (ImGui::GetFrameHeight() - size.y) / 2);
    drawText(font, at, c_.ui.colors().dim, text);
    recordText(c_.ui, text, at, ImVec2(at.x + size.x, at.y + size.y));
    x_ += size.x + px(kButtonGap) * 2;
  }
  void press(const char* label, const char* action, const char* tooltip, bool enabled = true) {
    place();
    if (button(c_.ui, label, {tooltip, enabled, widthOf(label)}))
      c_.actions.run(action);
    x_ += widthOf(label) + px(kButtonGap);
  }
  void choose(std::string_view label, const std::string& action, const std::string& tooltip,
              bool chosen) {
    place();
    bool on = chosen;
    if (toggle(c_.ui, label, on, {tooltip, true, widthOf(label)}) && !chosen)
      c_.actions.run(action);
    x_ += widthOf(label) + px(kButtonGap);
  }
  void flip(const Setting<DrawTool>& setting) {
    place();
    bool on = std::get<bool>(setting.resolved(c_.memory.draw, 1));
    if (toggle(c_.ui, setting.label, on, {setting.meaning, true, widthOf(setting.label)}))
      setting.set(c_.memory.draw, on);
    x_ += widthOf(setting.label) + px(kButtonGap);
  }
  // What `draw` places, and what it says below.
  template <class Draw>
  void control(float width, const Draw& draw) {
    place();
    const float right = contentRight();
    setContentRight(x_ + px(width));
    ImGui::BeginGroup();
    draw();
    ImGui::EndGroup();
    setContentRight(right);
    bottom_ = std::max(bottom_, ImGui::GetItemRectMax().y);
    x_ += px(width + kButtonGap);
  }
  float right() const { return area_.x1 - px(kBesideStrip); }
  float bottom() const { return bottom_; }

private:
  float px(float length) const { return c_.ui.px(length); }
  float left() const { return area_.x0 + px(kBesideStrip); }
  float widthOf(std::string_view words) const { return widthOfPress(c_.ui, words); }
  void place() const { ImGui::SetCursorScreenPos(ImVec2(x_, y_)); }

  const PanelContext& c_;
  Rect area_;
  float x_;
  float y_;
  float bottom_;
};

void drawTools(const PanelContext& c, ToolRow& row) {
  const WidgetScope scope(c.ui.log, "tool");
  const Setting<DrawTool>& tools = settingNamed(drawToolSettings(), "tool");
  const Value now = tools.resolved(c.memory.draw, 1);
  row.begin({"brush", "rectangle", "block", "row", "column", "diagonal"});
  for (const Choice& tool : tools.choices)
    row.choose(tool.value, "draw." + tool.value, tool.meaning,
               std::get<std::string>(now) == tool.value);
  row.end();
}

void drawSigns(const PanelContext& c, ToolRow& row) {
  const WidgetScope scope(c.ui.log, "strokes");
  row.begin({"add", "erase"});
  row.choose("add", "draw.add", "Strokes add cells; with Shift they erase them",
             !c.memory.draw.remove);
  row.choose("erase", "draw.remove", "Strokes erase cells; with Shift they add them",
             c.memory.draw.remove);
  row.end();
}

// Of the tool, which is no part of the Scene: what is set here is no step of undo.
void drawSize(const PanelContext& c, ToolRow& row, std::string_view name) {
  DrawTool& tool = c.memory.draw;
  const Setting<DrawTool>& setting = settingNamed(drawToolSettings(), name);
  if (!setting.visible(tool))
    return;
  row.begin({}, kSize);
  row.control(kSize, [&] {
    const SettingNow now{setting, setting.resolved(tool, 1), setting.bounds(tool, 1)};
    if (const SettingEdit edit = settingControl(c, now, setting.name); edit.value)
      setting.set(tool, *edit.value);
  });
  row.end();
}

void drawRepeats(const PanelContext& c, ToolRow& row) {
  DrawTool& tool = c.memory.draw;
  const Setting<DrawTool>& mirror = settingNamed(drawToolSettings(), "mirror");
  row.begin({mirror.label});
  row.flip(mirror);
  row.end();
  const Setting<DrawTool>& setting = settingNamed(drawToolSettings(), "period");
  Value typed;
  const auto accept = [&](const std::string& text) {
    typed = valueOf(setting, text);
    checkValue(setting.name, typed, setting.bounds(tool, 1), setting.type);
  };
  FieldSpec spec;
  spec.hint = setting.none;
  spec.tooltip = setting.meaning;
  spec.labelWidth = 0;
  spec.width = c.ui.px(kPeriod);
  row.begin({setting.label}, kPeriod);
  row.words(setting.label.c_str());
  row.control(kPeriod, [&] {
    setContentRight(row.right()); // of what is wrong with it
    if (draftField(c.ui, c.memory, "draw.period", setting.label, textOf(setting.resolved(tool, 1)),
                   spec, accept))
      setting.set(tool, typed);
  });
  row.end();
}

void drawStart(const PanelContext& c, ToolRow& row) {
  const WidgetScope scope(c.ui.log, "start from");
  const Pattern pattern = editedPattern(c.scene);
  const auto* drawn = pattern.as<Drawn>();
  const bool empty = drawn && !drawn->on;
  row.begin({"start from", "this pattern", "nothing"});
  row.words("start from");
  row.choose("this pattern", "draw.pattern", "Strokes change the pattern that was there", !empty);
  row.choose("nothing", "draw.nothing", "An empty mask: only the cells you draw are attended",
             empty);
  row.end();
}

bool looksAhead(const PanelContext& c) {
  const Latest<MaskCounts>& counts = c.results.counts;
  return !counts || counts.stale || counts->base == Base::Full;
}

} // namespace

std::optional<ImVec2> drawPressRoom(const ViewContext& context) {
  if (context.presented || !canDraw(context.scene) || context.draw.on)
    return std::nullopt;
  const Ui& ui = context.ui;
  return ImVec2(widthOfPress(ui, kDraw) + ui.px(kGroupGap),
                ui.px(kAboveStrip) + ImGui::GetFrameHeight());
}

float drawMaskTools(const PanelContext& context, const Rect& area) {
  if (!canDraw(context.scene) || !context.results.masks)
    return area.y0;
  const WidgetScope scope(context.ui.log, "Draw");
  ToolRow row(context, area);
  if (!context.memory.draw.on) {
    row.press(kDraw, "view.draw", "Draw on the mask: add and remove cells by hand (B)");
    return area.y0; // in the corner, which the mask leaves free
  }
  drawTools(context, row);
  drawSigns(context, row);
  for (const char* size : {"brush", "block"})
    drawSize(context, row, size);
  drawRepeats(context, row);
  drawStart(context, row);
  row.begin({"keep j ≤ i", "Undo", "Done"});
  row.press("keep j ≤ i", "draw.causal",
            looksAhead(context) ? "Erases every cell above the diagonal, where j > i"
                                : "No cell lies above the diagonal",
            looksAhead(context));
  row.press("Undo", "edit.undo", "Takes the last change back (Ctrl+Z)");
  row.press("Done", "view.draw", "Ends drawing: a click pins a query again (B)");
  return row.bottom();
}

} // namespace attention::gui
