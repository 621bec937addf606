// The Kernels view: six pictures of attention by features, one large at a time, chosen by tabs;
// below the error curves, the matrices and normalisers of one estimate, small.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/kernels/kernels_shown.h"

#include <memory>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class KernelsView final : public ViewPane {
public:
  KernelsView();
  ~KernelsView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> kernelsStages(Results& results);
void drawKernelsOptions(const PanelContext& context); // features, projections, data
void drawKernelsFacts(const PanelContext& context);   // the picture's numbers, words and formulas
// Where the mathematics of its pictures comes from.
std::string kernelsSource(const Scene& scene);

// Where its parts lie.
struct KernelsAreas {
  PictureFrame frame;
  std::vector<Rect> panels;             // words at their top where a panel has a title
  std::vector<std::vector<Rect>> plots; // of each panel
  std::vector<Rect> small;              // below; empty if there is no room
  Rect note;                            // what the small ones show
};

KernelsAreas kernelsAreas(const Ui& ui, const Rect& area, const KernelsShown& shown,
                          const PictureWords& words);

} // namespace attention::gui
