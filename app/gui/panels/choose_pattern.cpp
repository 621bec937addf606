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
  const std::vector<const Pattern*> patterns = suitedPatterns(c.offers, c.scene.hashing.picture);
  const auto count = static_cast<float>(patterns.size());
  const float side =
      std::min(ui.px(kSide), (room.x1 - room.x0 - (count - 1) * ui.px(kPictureGap)) / count);
  ImGui::SetCursorScreenPos(ImVec2(room.x0, room.y0 + ui.px(kAbove)));
  for (const Pattern* pattern : patterns) {
    if (pattern != patterns.front())
      ImGui::SameLine(0, ui.px(kPictureGap));
    drawOffer(c, *pattern, side, presented);
  }
}

} // namespace attention::gui
