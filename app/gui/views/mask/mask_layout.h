// Where the parts of the Mask view lie: matrices (one, or small multiples), their axes, the row's
// strip below, the pinned key's strip on the right, the image beside or below (of each of small
// multiples), the hint. In whole points, so that pixels of rasters are pixels of the screen.
#pragma once

#include "app/gui/widgets/ui.h"
#include "core/pattern/lengths.h"

#include <optional>
#include <utility>
#include <vector>

namespace attention::gui {

// Points at scale 1 between the words of tokens and the edge of the area.
constexpr float kLeftOfWords = 6;
constexpr float kAboveWords = 4;

struct MaskLayoutSpec {
  Rect area; // of the view
  Lengths lengths;
  std::size_t tiles = 1;
  std::size_t titleLines = 0;  // below each matrix
  std::size_t legendLines = 0; // below them
  float wordsWidth = 0;        // of the widest words there in one line
  float legendWidth = 0;       // of the legend beside each matrix, where it stands there
  float lastLegend = 0;        // likewise, where only the last one has one
  float axisWidth = 0;         // points for labels to the left of the matrices
  float axisHeight = 0;        // points for labels above them
  ImVec2 ownLabels = {0, 0};   // points to the left of and above each for labels of its own
  ImVec2 words = {0, 0};       // points on the left and above for tokens' words at least
  float beyond = 0;            // points by which the last number above a matrix overhangs its edge
  float numbersApart = 0;      // gap between matrices, for that and the first number of the next
  std::optional<std::pair<Index, Index>> image; // its rows and columns, where it is shown
  std::optional<Rect> imageRoom; // of a single one, with its captions, where it is not in the area
  bool hint = true;              // a line at the bottom
};

struct MaskLayout {
  std::vector<Rect> matrices; // in rows of `columns`
  std::size_t columns = 1;
  Rect block;           // around the matrices
  float titleLeft = 0;  // of "query i"
  float titleTop = 0;   // of "key j"
  float wordsWidth = 0; // of the room below a matrix: its own, taller where the matrix is low
  float wordsTop = 0;   // of a matrix's title, below its lower edge
  float legendTop = 0;  // of its legend, likewise
  float captionTop = 0; // line over the strip
  Rect strip;           // the query's row; empty for several matrices
  Rect column;          // the key's column; likewise
  float hintTop = 0;
  std::vector<Rect>
      images; // one per matrix, where they are shown; with the captions of a single one
  float imageCaptionTop = 0; // of several: the line below the strip's caption
  // Size of the smallest area in which several matrices are this large; the rest stays blank.
  float leastWidth = 0;
  float leastHeight = 0;
};

// Points between the lines of titles and legends below a matrix.
float lineBelow(const Ui& ui);

MaskLayout layoutMask(const Ui& ui, const MaskLayoutSpec& spec);

} // namespace attention::gui
