// The weights of one model head as matrices side by side with what each query keeps, all heads
// small, or lines between tokens. One cell is pointed at in all matrices at once, and they share
// the camera.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "app/gui/pictures/picture_parts.h"
#include "core/views/attention/attention_figure.h"

#include <memory>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

struct AttentionShown {
  AttentionSpec spec; // that it was made for
  AttentionAnswer answer;
  AttentionLook look;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels;
  std::size_t maps = 0; // the number of panels, from the first, that are matrices
  Facts facts;
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

std::unique_ptr<ViewPane> weightsPane();
std::unique_ptr<ViewStages> weightsStages(Results& results);
void drawWeightsOptions(const PanelContext& context); // what is shown of the weights
void drawWeightsFacts(const PanelContext& context);   // the query, what is kept, formulas

// Where its parts lie.
struct AttentionAreas {
  PictureFrame frame;
  std::vector<Rect> panels; // one per panel of the picture, with a line for its title at the top
  Rect hint;
};

// The height in points of a panel's title.
float panelTitle(const Ui& ui);

AttentionAreas attentionAreas(const Ui& ui, const Rect& area, const AttentionShown& shown,
                              const PictureWords& words);

} // namespace attention::gui
