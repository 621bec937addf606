#include "app/gui/frame/bars.h"

#include "app/gui/panels/side_panels.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "core/support/text.h"

#include <filesystem>

namespace attention::gui {
namespace {

constexpr float kNotePadding = 12; // at scale 1

std::string wordsFor(const StoppedPart& part) {
  if (!part.there)
    return "Stopped before there was a picture.";
  return part.stale ? "Stopped: this is the previous picture."
                    : "Stopped: this picture is not complete.";
}

std::string wordsFor(const std::vector<std::string>& files) {
  const std::string name = std::filesystem::path(files.front()).filename().string();
  if (files.size() == 1)
    return printableLabel(name) + " has changed on disk.";
  return printableLabel(name) + " and " + std::to_string(files.size() - 1) +
         (files.size() == 2 ? " other file have" : " other files have") + " changed on disk.";
}

struct Bar {
  std::string words;
  std::string press; // the label of what can be done
  std::string tooltip;
  const char* action;
};

Bar barFor(const FileNote& note) {
  return {note.words, "Reload (Ctrl+Shift+R)",
          "Read the files again; layer, head and view stay as they are", "file.reload"};
}

float lineOf(const Ui& ui) {
  return fontSize(ui.fonts.text) + ui.px(6);
}

// Whether words and what can be pressed have room in one line of that width.
bool isOneLine(const Ui& ui, const Bar& bar, float width) {
  return textSize(ui.fonts.text, bar.words + "  " + bar.press).x <= width - 2 * ui.px(kNotePadding);
}

float heightOf(const Ui& ui, const Bar& bar, float width) {
  return (isOneLine(ui, bar, width) ? 1 : 2) * lineOf(ui) + ui.px(kNotePadding);
}

// At the bottom of `area`; the part of it that is left above.
Rect drawBar(const PanelContext& c, const Rect& area, const Bar& bar) {
  const Ui& ui = c.ui;
  const float padding = ui.px(kNotePadding);
  const float width = area.x1 - area.x0 - 2 * padding;
  const float line = lineOf(ui);
  const bool oneLine = isOneLine(ui, bar, area.x1 - area.x0);
  const Rect foot{area.x0, area.y1 - heightOf(ui, bar, area.x1 - area.x0), area.x1, area.y1};
  fill(foot, color(ui.colors().card));
  ImGui::GetWindowDrawList()->AddLine(ImVec2(foot.x0, foot.y0), ImVec2(foot.x1, foot.y0),
                                      color(ui.colors().warning), ui.px(1.5F));
  const ImVec2 at(foot.x0 + padding, foot.y0 + padding / 2 + ui.px(3));
  const float wide = textSize(ui.fonts.text, bar.words).x;
  drawText(ui.fonts.text, at, ui.colors().warning, cutToWidth(ui.fonts.text, bar.words, width));
  recordText(ui, bar.words, at, ImVec2(at.x + wide, at.y + line));
  ImGui::SetCursorScreenPos(oneLine ? ImVec2(at.x + wide + padding, at.y - ui.px(2))
                                    : ImVec2(at.x, at.y + line - ui.px(2)));
  if (link(ui, bar.press, {bar.tooltip}))
    c.actions.run(bar.action);
  return {area.x0, area.y0, area.x1, foot.y0};
}

} // namespace

Rect drawStopped(const PanelContext& c, const Rect& area, const StoppedPart& part) {
  if (part.there && part.stale)
    dim(c.ui, area);
  return drawBar(
      c, area,
      {wordsFor(part), "Run again (Ctrl+R)", "Compute again what was stopped", "view.retry"});
}

std::optional<FileNote> fileNote(const PanelContext& c, const std::vector<std::string>& changed) {
  if (c.results.input && c.results.input.problem)
    return FileNote{inputTitle(c.scene.input) +
                    " cannot be read yet: this picture is of what was read before."};
  return changed.empty() ? std::nullopt : std::optional(FileNote{wordsFor(changed)});
}

float heightOf(const Ui& ui, const FileNote& note, float width) {
  return heightOf(ui, barFor(note), width);
}

Rect drawFileNote(const PanelContext& c, const Rect& area, const FileNote& note) {
  return drawBar(c, area, barFor(note));
}

} // namespace attention::gui
