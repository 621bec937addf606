// What the Attention view shows: its parts, each keyed by what it reads, and the picture made of
// them.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "core/views/attention/attention_figure.h"

#include <string>
#include <vector>

namespace attention::gui {

struct AttentionShown {
  AttentionSpec spec; // that it was made for
  AttentionAnswer answer;
  AttentionLook look;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels;
  std::size_t maps = 0; // the number of panels, from the first, that are matrices
  std::string factsHeading;
  std::vector<Fact> facts;
  std::vector<std::string> notes;
  std::vector<std::string> reading; // what to see in the picture, in sentences
};

// The picture with its facts; the answer must be complete.
AttentionShown makeAttentionShown(const AttentionSpec& spec, const AttentionAnswer& answer,
                                  const AttentionLook& look, const Run& run);

// Only while the Attention view is shown; else empty.
struct AttentionResults {
  Latest<AttentionHead> head;
  Latest<WeightMaps> maps;
  Latest<HeadSketches> sketches; // only some of them while their job runs
  Latest<WeightTiles> tiles;     // where they are shown
  Latest<AttentionRow> row;      // of the query that is pointed at or pinned
  Latest<AttentionShown> shown;
  std::optional<Problem> problem = {}; // of the picture's parts

  bool pending() const {
    return head.pending || maps.pending || sketches.pending || tiles.pending || shown.pending;
  }
};

} // namespace attention::gui
