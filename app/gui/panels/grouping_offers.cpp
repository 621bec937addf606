#include "app/gui/panels/grouping_offers.h"

#include "app/gui/panels/choose_pattern.h"
#include "app/gui/panels/layout.h"
#include "app/gui/widgets/words.h"
#include "core/figure/scene_hashing.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kSide = 232;  // of a picture at scale 1, at most
constexpr float kGap = 26;    // between pictures
constexpr float kMargin = 26; // of the view
constexpr std::array<const char*, 3> kGrouping{"lsh", "cluster", "routing"};

// As the gallery would choose it.
const Pattern* offered(const PatternOffers& offers, std::string_view mechanism) {
  for (const Pattern& pattern : offers.mechanisms)
    if (description(pattern).name == mechanism)
      return &pattern;
  return nullptr;
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
  if (c.scene.view != View::Hashing || c.scene.hashing.picture == HashingPicture::Circle ||
      groupsTokens(c.scene.pattern))
    return;
  const Ui& ui = c.ui;
  const WidgetScope scope(ui.log, "Way out");
  const float left = area.x0 + ui.px(kMargin);
  const float width = area.x1 - ui.px(kMargin) - left;
  const auto count = static_cast<float>(kGrouping.size());
  const float side = std::min(ui.px(kSide), (width - (count - 1) * ui.px(kGap)) / count);
  ImGui::SetCursorScreenPos(ImVec2(left, ImGui::GetCursorScreenPos().y + ui.px(10)));
  bool first = true;
  for (const char* mechanism : kGrouping)
    if (const Pattern* pattern = offered(c.offers, mechanism)) {
      if (!std::exchange(first, false))
        ImGui::SameLine(0, ui.px(kGap));
      drawOffer(c, *pattern, side, presented);
    }
}

} // namespace attention::gui
