#include "app/gui/views/choosing/choosing_layout.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kControlsHeight = 54; // at scale 1, like all that follow
constexpr float kSecondRow = 44;
constexpr float kLeastControls = 330; // width of buttons and slider in one row
constexpr float kRowGap = 26;
constexpr float kSmallSide = 110;
constexpr float kLeastHashes = 240;    // height of the large one; with less, nothing is below it
constexpr float kSortingShare = 0.56F; // of the height, at most
constexpr float kSortingShown = 0.48F; // of a presentation's, which has no controls
constexpr float kSortingBroad = 0.42F; // and of the width
constexpr float kLeastSorting = 190;   // height that it leaves for what is below
constexpr float kAloneBroad = 0.6F;    // where nothing is below it
constexpr float kCirclesShare = 0.68F;
constexpr float kBesideCircles = 0.4F;  // of the width, for curves at their right
constexpr float kMatricesShare = 0.62F; // of the height, over the centroids
constexpr float kLeastBelow = 90;       // height of a matrix or of curves below the sorting
constexpr float kSideShare = 0.25F;     // of the width, for a matrix there
constexpr float kLeastCaptured = 200;   // width of the curves there
constexpr float kChoiceShare = 0.64F;   // of the height, for the matrices of a choice
constexpr float kTimeLineShare = 0.64F; // of the width, for a time line with its step beside it
constexpr float kHigh = 1000;           // of an area in which all words are shown in full

// The least room for what is below the sorting.
float leastBelow(const Ui& ui) {
  return ui.px(6 + kLineHeight + kLeastBelow + 1); // what rounding takes
}

float controlsHeight(const Ui& ui, float width) {
  return ui.px(kControlsHeight + (controlsInTwoRows(ui, width) ? kSecondRow : 0));
}

void placeSorting(const Ui& ui, const Rect& room, bool controls, ChoosingAreas& areas) {
  const float gap = ui.px(kRowGap);
  const float under = controls ? controlsHeight(ui, widthOf(room)) : 0;
  const float most = controls ? kSortingShare : kSortingShown;
  const float above = heightOf(room) - under - leastBelow(ui); // at most, with something below
  const float share = std::min({heightOf(room) * most, kSortingBroad * widthOf(room), above});
  // A pixel less, since sums of fractions in another order may round down.
  const bool alone =
      above + ui.px(1) < std::min(ui.px(kLeastSorting), kSortingBroad * widthOf(room));
  const float height =
      alone ? std::min(std::max(heightOf(room) - under, 0.0F), kAloneBroad * widthOf(room)) : share;
  areas.sorting = {room.x0, room.y0, room.x1, room.y0 + height};
  areas.controls = {room.x0, areas.sorting.y1, room.x1, areas.sorting.y1 + under};
  if (alone)
    return;
  const Rect below{room.x0, areas.controls.y1 + ui.px(6), room.x1, room.y1};
  // Matrices are squares; the curves take the rest, below them where too little is beside. Where
  // that is too low, the matrices leave them room.
  float side = std::min(heightOf(below) - ui.px(kLineHeight), kSideShare * widthOf(below));
  const bool fitsBelow = ui.px(kLineHeight) + side + leastBelow(ui) <= heightOf(below);
  if (const float beside = (widthOf(below) - ui.px(kLeastCaptured)) / 2 - gap - 1;
      !fitsBelow && beside >= ui.px(kLeastBelow))
    side = std::min(side, beside);
  float left = below.x0;
  for (std::size_t k = 0; k < 2 && side >= ui.px(kLeastBelow); ++k) {
    areas.panels.push_back({left, below.y0, left + side, below.y0 + ui.px(kLineHeight) + side});
    left += side + gap;
  }
  if (below.x1 - left >= ui.px(kLeastCaptured))
    areas.captured = {left, below.y0, below.x1, below.y1};
  else if (fitsBelow)
    areas.captured = {below.x0, below.y0 + ui.px(kLineHeight + 6) + side, below.x1, below.y1};
}

// A column of circles per round, with the curves below them, or at their right where that makes the
// circles larger.
void placeCircles(const Ui& ui, const Rect& room, const ChoosingShown& shown,
                  ChoosingAreas& areas) {
  const std::size_t panels = std::max<std::size_t>(shown.panels.size(), 2);
  const auto rounds = static_cast<float>(panels - 1);
  const auto pairs =
      static_cast<float>(shown.panels.empty() ? 1 : shown.panels.front().plots.size());
  const float gap = ui.px(10);
  const auto side = [&](float width, float height) {
    return std::min(width / rounds, height / pairs);
  };
  if (side((1 - kBesideCircles) * widthOf(room), heightOf(room)) >
      side(widthOf(room), kCirclesShare * heightOf(room))) {
    const float right = room.x1 - kBesideCircles * widthOf(room);
    areas.panels = rowOf({room.x0, room.y0, right - gap, room.y1}, panels - 1, gap);
    areas.panels.push_back({right + gap, room.y0, room.x1, room.y1});
    return;
  }
  const float middle = room.y0 + kCirclesShare * heightOf(room);
  areas.panels = rowOf({room.x0, room.y0, room.x1, middle - gap}, panels - 1, gap);
  areas.panels.push_back({room.x0, middle + gap, room.x1, room.y1});
}

// Two matrices and the centroids side by side, or these below where that makes the matrices larger.
Rects matricesIn(const Rect& room, std::size_t count, float gap) {
  const float upper = kMatricesShare * (heightOf(room) - gap);
  const float inOneRow = std::min((widthOf(room) - 2 * gap) / 3, heightOf(room));
  const float inTwo = std::min((widthOf(room) - gap) / 2, upper);
  if (count != 3 || inTwo <= inOneRow)
    return rowOf(room, count, gap);
  Rects panels = rowOf({room.x0, room.y0, room.x1, room.y0 + upper}, 2, gap);
  panels.push_back({room.x0, room.y0 + upper + gap, room.x1, room.y1});
  return panels;
}

void placeMatrices(const Ui& ui, Rect room, const ChoosingShown& shown, ChoosingAreas& areas) {
  const float below = ui.px(kLineHeight + kSmallSide + 10);
  if (!shown.small.empty() && heightOf(room) - below > ui.px(kLeastHashes)) {
    const float top = room.y1 - ui.px(kSmallSide);
    for (std::size_t k = 0; k < shown.small.size(); ++k) {
      const float left = room.x0 + static_cast<float>(k) * ui.px(kSmallSide + 18);
      if (left + ui.px(kSmallSide) <= room.x1)
        areas.small.push_back({left, top, left + ui.px(kSmallSide), room.y1});
    }
    room.y1 -= below;
  }
  areas.panels = matricesIn(room, shown.panels.size(), ui.px(kRowGap));
}

// Matrices side by side with the row of one query below them, or beside them where that makes them
// larger; of a cache the time line with its step, likewise.
void placeChoice(const Ui& ui, Rect room, const ChoosingShown& shown, bool controls,
                 ChoosingAreas& areas) {
  if (controls) {
    areas.controls = {room.x0, room.y1 - controlsHeight(ui, widthOf(room)), room.x1, room.y1};
    room.y1 = areas.controls.y0;
  }
  const float gap = ui.px(kRowGap);
  const std::size_t panels = shown.panels.size();
  if (panels < 2) {
    areas.panels = rowOf(room, std::max<std::size_t>(panels, 1), gap);
    return;
  }
  const float above = kChoiceShare * (heightOf(room) - gap);
  if (panels == 2 && std::min(kTimeLineShare * widthOf(room), heightOf(room)) > above) {
    const float side = std::min(kTimeLineShare * widthOf(room), heightOf(room));
    const float right = room.x0 + side;
    const float bottom = std::min(room.y1, room.y0 + side + ui.px(kLineHeight));
    areas.panels = {{room.x0, room.y0, right, bottom}, {right + gap, room.y0, room.x1, bottom}};
    return;
  }
  if (const float side = (widthOf(room) - 2 * gap) / 3; panels == 3 && side > above) {
    const float bottom = std::min(room.y1, room.y0 + side + ui.px(kLineHeight));
    areas.panels = rowOf({room.x0, room.y0, room.x1, bottom}, panels, gap);
    return;
  }
  const float most = (widthOf(room) - gap) / 2 + ui.px(kLineHeight); // squares fill no more
  const float middle = room.y0 + (panels == 2 ? above : std::min(above, most));
  areas.panels = rowOf({room.x0, room.y0, room.x1, middle}, panels - 1, gap);
  areas.panels.push_back({room.x0, middle + ui.px(6), room.x1, room.y1});
}

} // namespace

bool controlsInTwoRows(const Ui& ui, float width) {
  return width < ui.px(kLeastControls);
}

ChoosingAreas choosingAreas(const Ui& ui, const Rect& area, const ChoosingShown& shown,
                            const PictureWords& words, bool controls) {
  ChoosingAreas areas;
  areas.frame = pictureFrame(ui, area, words);
  const Rect& room = areas.frame.room;
  switch (shown.spec.picture) {
  case ChoosingPicture::Sorting:
    placeSorting(ui, room, controls, areas);
    break;
  case ChoosingPicture::Circle:
    placeCircles(ui, room, shown, areas);
    break;
  case ChoosingPicture::Matrices:
    placeMatrices(ui, room, shown, areas);
    break;
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    placeChoice(ui, room, shown, controls, areas);
    break;
  case ChoosingPicture::Budget:
  case ChoosingPicture::Captured:
    areas.panels = rowOf(room, std::max<std::size_t>(shown.panels.size(), 1), ui.px(kRowGap));
  }
  for (std::size_t k = 0; k < std::min(shown.panels.size(), areas.panels.size()); ++k)
    areas.plots.push_back(
        plotRects(areas.panels[k], shown.panels[k], ui.px(kLineHeight), ui.px(6)));
  return areas;
}

float leastSorting(const Ui& ui, Rect area, const PictureWords& words) {
  area.y1 = area.y0 + ui.px(kHigh);
  const Rect room = pictureFrame(ui, area, words).room;
  const float width = widthOf(room);
  const bool narrow = width < ui.px(kLeastCaptured + 2 * (kLeastBelow + kRowGap)) + 2;
  const float under = // curves below the matrices
      narrow ? leastBelow(ui) + std::max(0.0F, kSideShare * width - ui.px(kLeastBelow)) : 0;
  return heightOf(area) - heightOf(room) + ui.px(kLeastSorting) + controlsHeight(ui, width) +
         leastBelow(ui) + under;
}

} // namespace attention::gui
