#include "app/gui/views/mask/draw_strip.h"

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/views/shown_patterns.h"

#include <cmath>
#include <initializer_list>

namespace attention::gui {
namespace {

constexpr float kBesideStrip = 14; // at scale 1, as all lengths here
constexpr float kAboveStrip = 8;
constexpr float kAroundLabel = 16;
constexpr float kButtonGap = 3; // within a group
constexpr float kGroupGap = 14; // between groups

// Groups of buttons from left to right, on a further line where one does not fit.
class ToolRow {
public:
  explicit ToolRow(const ViewContext& context)
      : c_(context), x_(left()), y_(context.area.y0 + px(kAboveStrip)),
        line_(ImGui::GetFrameHeight()) {}

  // Room for a group of these words.
  void begin(std::initializer_list<std::string_view> all) {
    float width = 0;
    for (const std::string_view words : all)
      width += widthOf(words) + px(kButtonGap);
    if (x_ > left() && x_ + width > c_.area.x1 - px(kBesideStrip)) {
      x_ = left();
      y_ += line_ + px(kButtonGap) * 2;
    }
  }
  void end() { x_ += px(kGroupGap) - px(kButtonGap); }

  void words(const char* text) {
    ImFont* font = c_.ui.fonts.small;
    const ImVec2 size = textSize(font, text);
    const ImVec2 at(x_, y_ + (line_ - size.y) / 2);
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
  float bottom() const { return y_ + line_; }

private:
  float px(float length) const { return c_.ui.px(length); }
  float left() const { return c_.area.x0 + px(kBesideStrip); }
  float widthOf(std::string_view words) const {
    return std::ceil(textSize(c_.ui.fonts.text, words).x + px(kAroundLabel));
  }
  void place() const { ImGui::SetCursorScreenPos(ImVec2(x_, y_)); }

  const ViewContext& c_;
  float x_;
  float y_;
  float line_;
};

void drawTools(const ViewContext& c, ToolRow& row) {
  const WidgetScope scope(c.ui.log, "tool");
  const Setting<DrawTool>& tools = settingNamed(drawToolSettings(), "tool");
  const Value now = tools.resolved(c.draw, 1);
  row.begin({"brush", "rectangle", "block", "row", "column", "diagonal"});
  for (const Choice& tool : tools.choices)
    row.choose(tool.value, "draw." + tool.value, tool.meaning,
               std::get<std::string>(now) == tool.value);
  row.end();
}

void drawSigns(const ViewContext& c, ToolRow& row) {
  const WidgetScope scope(c.ui.log, "strokes");
  row.begin({"add", "erase"});
  row.choose("add", "draw.add", "Strokes add cells; with Shift they erase them", !c.draw.remove);
  row.choose("erase", "draw.remove", "Strokes erase cells; with Shift they add them",
             c.draw.remove);
  row.end();
}

void drawStart(const ViewContext& c, ToolRow& row) {
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

bool looksAhead(const ViewContext& c) {
  const Latest<MaskCounts>& counts = c.results.counts;
  return !counts || counts.stale || counts->base == Base::Full;
}

} // namespace

bool hasDrawStrip(const ViewContext& context) {
  return context.draw.on && canDraw(context.scene) && !context.presented;
}

float drawDrawStrip(const ViewContext& context) {
  const WidgetScope scope(context.ui.log, "Draw");
  ToolRow row(context);
  drawTools(context, row);
  drawSigns(context, row);
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
