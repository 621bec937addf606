// What views of several pictures share: a title, swatches, a line of words, a framed cell, and how
// they divide their room.
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

struct TabWords {
  const char* label;
  const char* tooltip;
};
// In one row; where that would leave `area` in two, with labels cut to their columns. The number of
// the tab that was chosen, if one was.
std::optional<std::size_t> drawTabs(const Ui& ui, const Rect& area, std::span<const TabWords> tabs,
                                    std::size_t selected);

// The tab that was chosen, if one was.
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

// At the top of a view whose pictures are chosen by tabs; at scale 1.
constexpr float kTabsHeight = 46;

// The area of such a view. An audience sees neither its tabs nor a line of hints, `hint` points
// high, at its bottom: they lie outside then.
Rect areaOfPictures(const ViewContext& context, float hint = 0);

// Where the parts lie that views of several pictures share: tabs and title at the top, swatches and
// the caption, in as many lines as it has where the view is high enough, at the bottom; between
// them the room for pictures.
struct PictureFrame {
  Rect tabs;
  Rect title;
  Rect room;
  Rect legend; // empty where there is none
  Rect caption;
};
struct PictureWords {
  const std::string& title;
  const std::string& caption;
  std::span<const LegendEntry> legend = {}; // swatches stand below
};
PictureFrame pictureFrame(const Ui& ui, const Rect& area, const PictureWords& words);

// Points that a line takes that stands above a panel, or below all of them; at scale 1.
constexpr float kLineHeight = 24;

// Nothing where a presentation has the Scene's own title above the picture: one is enough.
std::string pictureTitle(const ViewContext& context, const std::string& title);
// What stands below it; nothing to an audience where the figure has a caption of its own.
std::string pictureCaption(const ViewContext& context, const std::string& caption);

// Bold; where `area` is too narrow for that smaller, then in lines, which are as high as
// titleHeight says, at scale 1 at most 38 points for two of them.
void drawPictureTitle(const Ui& ui, const Rect& area, const std::string& title);
float titleHeight(const Ui& ui, const std::string& title, float width);
// The same of a picture without tabs above it; nothing without a title.
float headingHeight(const Ui& ui, const std::string& title, float width);

// The panel's title, in fewer words where it has no room in `width`.
std::string panelHeading(const Ui& ui, const FigurePanel& panel, float width);

// Small words at the top of `area`, cut to its width.
void drawLineIn(const Ui& ui, const Rect& area, const std::string& words);
// The same in lines where one is too short, and `area` has room for them.
void drawCaptionIn(const Ui& ui, const Rect& area, const std::string& words);

// Swatches with words from the top of `area`, in as many lines as its width asks for, `line` points
// from one to the next; words that are wider than a line are broken, a word that is wider is cut.
void drawSwatches(const Ui& ui, const Rect& area, float line, std::span<const LegendEntry> entries);
// Of all of them in one line.
float swatchesWidth(const Ui& ui, std::span<const LegendEntry> entries);
// How many lines they take in a width.
std::size_t swatchLines(const Ui& ui, std::span<const LegendEntry> entries, float width);

// Random queries, keys and values of the Scene's length, or of the nearest up to `most`.
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
// The same, the last one `more` higher than the others: what only it has at its foot.
Rects columnOf(const Rect& area, std::size_t count, float gap, float more);
// The plots of a panel one above the other, below `titleHeight` where it has a title.
Rects plotRects(Rect area, const FigurePanel& panel, float titleHeight, float gap);

} // namespace attention::gui
