#include "app/gui/panels/side_panels.h"

#include "app/gui/panels/layout.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kSide = 232;      // of a picture at scale 1, at most
constexpr float kLeastSide = 96;  // to be told apart
constexpr float kPictureGap = 26; // between pictures
constexpr float kAbove = 10;      // them
constexpr std::size_t kInRow = 4;

// How wide the pictures are, and whether their summaries stand below, so that all rows fit: each
// has its summary as a tooltip too.
struct OfferForm {
  float side = 0;
  bool summaries = true;
};

OfferForm offerForm(const Ui& ui, const std::vector<const Pattern*>& patterns, std::size_t inRow,
                    const Rect& room) {
  const float gap = ui.px(kPictureGap);
  const auto columns = static_cast<float>(inRow);
  const float side = std::min(ui.px(kSide), (widthOf(room) + gap) / columns - gap);
  const float rows = std::ceil(static_cast<float>(patterns.size()) / columns);
  const float ofRow = (heightOf(room) - ui.px(kAbove) + gap) / rows - gap;
  const float title = ImGui::GetTextLineHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
  float summary = 0;
  for (const Pattern* pattern : patterns)
    summary = std::max(summary, wrappedHeight(ui.fonts.small, description(*pattern).summary, side));
  if (side + title + summary <= ofRow)
    return {side, true};
  return {std::clamp(ofRow - title, std::min(side, ui.px(kLeastSide)), side), false};
}

// The mask in the original order, with its name below.
void drawOffer(const PanelContext& c, const Pattern& pattern, const OfferForm& form,
               bool presented) {
  const Ui& ui = c.ui;
  const Description& d = description(pattern);
  ImGui::BeginGroup();
  const Tile shown = tile(ui, d.title, ImVec2(form.side, form.side), false,
                          {"Show this pattern: " + d.summary, !presented});
  c.thumbnails.draw(ui, "grouping " + d.name, pattern, c.offers.lengths, shown.area,
                    ui.colors().accent);
  const float right = contentRight();
  setContentRight(shown.area.x1);
  {
    const UseFont bold(ui.fonts.bold);
    words(ui, d.title);
  }
  if (form.summaries)
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
  if (patterns.empty())
    return;
  const std::size_t inRow = std::min(patterns.size(), kInRow);
  const float gap = ui.px(kPictureGap);
  const OfferForm form = offerForm(ui, patterns, inRow, room);
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
    ImGui::SetCursorScreenPos(
        ImVec2(room.x0 + static_cast<float>(column) * (form.side + gap), top));
    drawOffer(c, *patterns[k], form, presented);
    height = std::max(height, ImGui::GetItemRectSize().y);
  }
}

} // namespace attention::gui
