#include "app/gui/panels/grouping_offers.h"

#include "app/gui/panels/choose_pattern.h"
#include "app/gui/panels/layout.h"
#include "app/gui/widgets/words.h"
#include "core/figure/scene_hashing.h"

#include <algorithm>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kSide = 232;  // of a picture at scale 1, at most
constexpr float kGap = 26;    // between pictures
constexpr float kMargin = 26; // of the view

// As the gallery would choose them.
std::vector<const Pattern*> grouping(const PatternOffers& offers) {
  std::vector<const Pattern*> found;
  for (const Pattern& pattern : offers.mechanisms)
    if (groupsTokens(pattern))
      found.push_back(&pattern);
  return found;
}

// The mask as tokens stand, with name and summary below, `side` wide.
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

void drawGroupingOffers(const PanelContext& c, const Rect& area, bool presented) {
  if (c.scene.view != View::Hashing || hasGroups(c.scene))
    return;
  const Ui& ui = c.ui;
  const WidgetScope scope(ui.log, "Way out");
  const float left = area.x0 + ui.px(kMargin);
  const float width = area.x1 - ui.px(kMargin) - left;
  const std::vector<const Pattern*> patterns = grouping(c.offers);
  const auto count = static_cast<float>(patterns.size());
  const float side = std::min(ui.px(kSide), (width - (count - 1) * ui.px(kGap)) / count);
  ImGui::SetCursorScreenPos(ImVec2(left, ImGui::GetCursorScreenPos().y + ui.px(10)));
  for (const Pattern* pattern : patterns) {
    if (pattern != patterns.front())
      ImGui::SameLine(0, ui.px(kGap));
    drawOffer(c, *pattern, side, presented);
  }
}

} // namespace attention::gui
