#include "app/gui/panels/side_panels.h"

#include "app/gui/panels/layout.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kSide = 232;      // of a picture at scale 1, at most
constexpr float kPictureGap = 26; // between pictures
constexpr float kAbove = 10;      // them
constexpr std::size_t kInRow = 4;

// The mask in the original order, with name and summary below, `side` wide.
void drawOffer(const PanelContext& c, const Pattern& pattern, float side, bool presented) {
  const Ui& ui = c.ui;
  const Description& d = description(pattern);
  ImGui::BeginGroup();
  const Tile shown =
      tile(ui, d.title, ImVec2(side, side), false, {"Show this pattern: " + d.summary, !presented});
  c.thumbnails.draw(ui, "grouping " + d.name, pattern, c.offers.lengths, shown.area,
                    ui.colors().accent);
  const float right = contentRight();
  setContentRight(shown.area.x1);
  {
    const UseFont bold(ui.fonts.bold);
    words(ui, d.title);
  }
  caption(ui, d.summary);
  setContentRight(right);
  ImGui::EndGroup();
  if (shown.pressed)
    choosePattern(c.actions, pattern);
}

} // namespace

void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name) {
  actions.edit(name.empty() ? description(pattern).title : name,
               [pattern, name](Scene& s) { replaceEditedPattern(s, pattern, name); });
}

void drawSuitedOffers(const PanelContext& c, const Rect& room, bool presented) {
  const Ui& ui = c.ui;
  const WidgetScope scope(ui.log, "Way out");
  const std::vector<const Pattern*> patterns = suitedPatterns(c.offers, c.scene.choosing.picture);
  const std::size_t inRow = std::min(patterns.size(), kInRow);
  const float gap = ui.px(kPictureGap);
  const float side = std::min(
      ui.px(kSide),
      (room.x1 - room.x0 + gap) / static_cast<float>(std::max<std::size_t>(inRow, 1)) - gap);
  float top = room.y0 + ui.px(kAbove);
  float height = 0; // of the row above
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const std::size_t column = k % inRow;
    if (column == 0 && k > 0) {
      top += height + gap;
      if (top + height > room.y1) // only whole rows
        break;
      height = 0;
    }
    ImGui::SetCursorScreenPos(ImVec2(room.x0 + static_cast<float>(column) * (side + gap), top));
    drawOffer(c, *patterns[k], side, presented);
    height = std::max(height, ImGui::GetItemRectSize().y);
  }
}

} // namespace attention::gui
