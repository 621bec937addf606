#include "app/gui/frame/stopped_note.h"

#include "app/gui/views/paint.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/lines.h"

namespace attention::gui {
namespace {

constexpr float kPadding = 12; // at scale 1

std::string wordsFor(const StoppedPart& part) {
  if (!part.there)
    return "Stopped before there was a picture.";
  return part.stale ? "Stopped: this picture is the one from before."
                    : "Stopped: this picture is not complete.";
}

} // namespace

Rect drawStopped(const PanelContext& c, const Rect& area, const StoppedPart& part) {
  const Ui& ui = c.ui;
  if (part.there && part.stale)
    dim(ui, area);
  const std::string words = wordsFor(part);
  const std::string again = "Run again (Ctrl+R)";
  const float padding = ui.px(kPadding);
  const float width = area.x1 - area.x0 - 2 * padding;
  const float line = fontSize(ui.fonts.text) + ui.px(6);
  const bool oneLine = textSize(ui.fonts.text, words + "  " + again).x <= width;
  const float height = (oneLine ? 1 : 2) * line + padding;
  const Rect bar{area.x0, area.y1 - height, area.x1, area.y1};
  fill(bar, color(ui.colors().card));
  ImGui::GetWindowDrawList()->AddLine(ImVec2(bar.x0, bar.y0), ImVec2(bar.x1, bar.y0),
                                      color(ui.colors().warning), ui.px(1.5F));
  const ImVec2 at(bar.x0 + padding, bar.y0 + padding / 2 + ui.px(3));
  const float wide = textSize(ui.fonts.text, words).x;
  drawText(ui.fonts.text, at, ui.colors().warning, cutToWidth(ui.fonts.text, words, width));
  recordText(ui, words, at, ImVec2(at.x + wide, at.y + line));
  ImGui::SetCursorScreenPos(oneLine ? ImVec2(at.x + wide + padding, at.y - ui.px(2))
                                    : ImVec2(at.x, at.y + line - ui.px(2)));
  if (link(ui, again, {"Compute anew what was stopped"}))
    c.actions.run("view.retry");
  return {area.x0, area.y0, area.x1, bar.y0};
}

} // namespace attention::gui
