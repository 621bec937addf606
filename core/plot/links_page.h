// Which tokens of lines between tokens (links.h) get a row in a picture of a given height: as many
// as can be labelled whole, query k on one baseline with key k. Keys off the page at which lines
// end stand at the upper or lower edge, the strongest by name, the others together.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/links.h"

namespace attention {

// The least distance between rows, in sizes of type: whole words on lines of their own.
constexpr double kLinkRow = 1.15;

struct LinksPage {
  // A row at an edge: one key, or several together.
  struct Edge {
    std::vector<Index> keys; // places in the mark
    Index others = 0;        // tokens that it stands for together; 0: one key
  };

  Index queryBegin = 0; // places in the mark
  Index queryEnd = 0;
  Index keyBegin = 0;
  Index keyEnd = 0;
  std::vector<Edge> above; // from the top
  std::vector<Edge> below;
  double top = 0; // of the first row, pixels
  double row = 1; // height of a row

  // Middles of rows; nothing for a query without one. Every key has one.
  std::optional<double> queryY(Index place) const;
  double keyY(Index place) const;
  // The row at height y, the nearest: a place in the mark; nothing for a row of several keys.
  Index queryAt(double y) const;
  std::optional<Index> keyAt(double y) const;

private:
  double pageTop() const;
  double edgeY(bool isAbove, Index k) const;
};

// Shows the surroundings of the marked tokens where not all fit, else from the first on.
LinksPage linksPage(const LinksMark& mark, const Box& box, double type);

} // namespace attention
