// What views of several pictures share: a title, swatches, a line of words, a framed cell, and how
// they divide their space.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/widgets/buttons.h"
#include "core/plot/figure.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {

// While it lives, notes, words and controls go one below the other from the top of `area`.
class Lines {
public:
  explicit Lines(const Rect& area);
  ~Lines();
  Lines(Lines&&) = delete;

private:
  float right_;
};

// Buttons that walk through a picture: play or pause, one back, one on.
struct WalkStep {
  const char* action;
  std::string tooltip;
  bool possible = true;
};
struct Walk {
  WalkStep play;
  WalkStep back;
  WalkStep forward;
};
// Draws them in a row that begins at the top left of `area`. Leaves the cursor where a slider of
// the walk stands: behind them, or below them where `below` says so.
void drawWalk(const ViewContext& context, const Rect& area, const Walk& walk, bool below = false);

// A picture of a view, as a tab above it.
template <class Picture>
struct PictureTab {
  Picture picture;
  const char* label;
  const char* tooltip;
};

struct TabWords {
  const char* label;
  const char* tooltip;
};
// Draws them in one row, or in two where that would leave `area`, with labels cut to their columns.
// Returns the tab that was chosen, if any.
std::optional<std::size_t> drawTabs(const Ui& ui, const Rect& area, std::span<const TabWords> tabs,
                                    std::size_t selected);

// Returns the tab that was chosen, if any.
template <class Picture, std::size_t Count>
std::optional<Picture> drawPictureTabs(const Ui& ui, const Rect& area,
                                       const std::array<PictureTab<Picture>, Count>& tabs,
                                       Picture shown) {
  std::array<TabWords, Count> words;
  std::size_t selected = Count;
  for (std::size_t k = 0; k < Count; ++k) {
    words[k] = {tabs[k].label, tabs[k].tooltip};
    if (tabs[k].picture == shown)
      selected = k;
  }
  const auto chosen = drawTabs(ui, area, words, selected);
  return chosen ? std::optional(tabs[*chosen].picture) : std::nullopt;
}

// The height of the tabs at the top of a view, at scale 1.
constexpr float kTabsHeight = 46;

// The area of such a view. In a presentation the tabs and the line of hints at the bottom, `hint`
// points high, lie outside it.
Rect areaOfPictures(const ViewContext& context, float hint = 0);

// Where the parts lie that views of several pictures share: tabs and title at the top, swatches and
// the caption, in full where the view is high enough, at the bottom; the pictures go between them.
struct PictureFrame {
  Rect tabs;
  Rect title;
  Rect room;
  Rect legend; // empty if there is none
  Rect caption;
};
struct PictureWords {
  const std::string& title;
  const std::string& caption;
  std::span<const LegendEntry> legend = {}; // swatches stand below
  ImFont* captionFont = nullptr;            // none: small
};
PictureFrame pictureFrame(const Ui& ui, const Rect& area, const PictureWords& words);

// The height in points of a line above a panel, or below all of them, at scale 1.
constexpr float kLineHeight = 24;

// Nothing if a presentation shows the Scene's own title above the picture: one is enough.
std::string pictureTitle(const ViewContext& context, const std::string& title);
// The words below it; nothing in a presentation where the figure has a caption of its own.
std::string pictureCaption(const ViewContext& context, const std::string& caption);

// Bold; smaller where `area` is too narrow, then in several lines, as high as titleHeight says: at
// scale 1 at most 38 points for two lines.
void drawPictureTitle(const Ui& ui, const Rect& area, const std::string& title);
float titleHeight(const Ui& ui, const std::string& title, float width);
// The same for a picture without tabs above it; nothing without a title.
float headingHeight(const Ui& ui, const std::string& title, float width);

// The panel's title, shortened where it does not fit `width`.
std::string panelHeading(const Ui& ui, const FigurePanel& panel, float width);

// Small words at the top of `area`, cut to its width.
void drawLineIn(const Ui& ui, const Rect& area, const std::string& words);
// The same in several lines where one is too short and `area` has room for them. `font`: null for
// the small one.
void drawCaptionIn(const Ui& ui, const Rect& area, const std::string& words,
                   ImFont* font = nullptr);

// Swatches with words from the top of `area`, in as many lines as its width needs, `line` points
// apart; words wider than a line are wrapped, and a single wider word is cut.
void drawSwatches(const Ui& ui, const Rect& area, float line, std::span<const LegendEntry> entries);
// The width of all of them in one line.
float swatchesWidth(const Ui& ui, std::span<const LegendEntry> entries);
// How many lines they take in a given width.
std::size_t swatchLines(const Ui& ui, std::span<const LegendEntry> entries, float width);

// Random queries, keys and values of the Scene's length, or of `most` where that is longer.
void chooseRandomInput(ActionSink& actions, const std::string& generator, Index most);

// A frame around the cell of a matrix that the pointer is on, whichever matrix that is; `box`: what
// the mark fills, in points.
void frameCell(const Ui& ui, const ValuesMark& mark, const Rect& box, const Hover& hover);

// ---- rectangles side by side and one above the other, in points ----

using Rects = std::vector<Rect>;

// `count` ≥ 1 of the same width side by side.
Rects rowOf(const Rect& area, std::size_t count, float gap);
// `count` ≥ 1 of the same height one above the other.
Rects columnOf(const Rect& area, std::size_t count, float gap);
// The same, with the last one `more` higher than the others, for what only it has at its bottom.
Rects columnOf(const Rect& area, std::size_t count, float gap, float more);
// The plots of a panel one above the other, below `titleHeight` where it has a title.
Rects plotRects(Rect area, const FigurePanel& panel, float titleHeight, float gap);

} // namespace attention::gui
