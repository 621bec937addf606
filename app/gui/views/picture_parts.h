// What views of several pictures share: a title, swatches, a line of words, a framed cell.
#pragma once

#include "app/gui/view/actions.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/ui.h"
#include "core/figure/figure.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// Notes, words and controls one below the other from the top of `area`, while it lives.
class Lines {
public:
  explicit Lines(const Rect& area);
  ~Lines();
  Lines(Lines&&) = delete;

private:
  float right_;
};

// A picture of a view, as a tab above it.
template <class Picture>
struct PictureTab {
  Picture picture;
  const char* label;
  const char* tooltip;
};

// The tab that was chosen, if one was.
template <class Picture, std::size_t Count>
std::optional<Picture> drawPictureTabs(const Ui& ui, const Rect& area,
                                       const std::array<PictureTab<Picture>, Count>& tabs,
                                       Picture shown) {
  const WidgetScope scope(ui.log, "Pictures");
  std::optional<Picture> chosen;
  ImGui::SetCursorScreenPos(ImVec2(area.x0 - ui.px(10), area.y0 + ui.px(4)));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(10), ui.px(5)));
  for (const PictureTab<Picture>& of : tabs) {
    if (tab(ui, of.label, shown == of.picture, {of.tooltip}))
      chosen = of.picture;
    ImGui::SameLine(0, ui.px(2));
  }
  ImGui::PopStyleVar();
  return chosen;
}

// Bold, at the top of `area`, cut to its width.
void drawPictureTitle(const Ui& ui, const Rect& area, const std::string& title);

// Small words at the top of `area`.
void drawLineIn(const Ui& ui, const Rect& area, const std::string& words);

// Swatches with words in a row, as many as fit.
void drawSwatches(const Ui& ui, const Rect& area, const std::vector<LegendEntry>& entries);

// A frame around the cell of a matrix that the pointer is on, whichever matrix that is; `box`: what
// the mark fills, in points.
void frameCell(const Ui& ui, const ValuesMark& mark, const Rect& box, const Hover& hover);

} // namespace attention::gui
