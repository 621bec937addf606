// The Kernels view: six pictures of attention by features, one large at a time, chosen by tabs;
// below the error curves, the matrices and normalisers of one estimate, small.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "app/gui/pictures/picture_parts.h"
#include "core/views/kernels/kernels_figure.h"

#include <memory>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

struct KernelsShown {
  KernelsSpec spec; // that it was made for
  KernelsAnswer answer;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels;
  std::vector<Plot> small; // A, Â, |A − Â| and normalisers beside the curves; else empty
  std::string normalisers; // what stands below the last of them
  Facts facts;
  std::vector<std::string> reading; // what to see in the picture, in sentences
};

// The picture with its facts; the answer must be complete.
KernelsShown makeKernelsShown(const KernelsSpec& spec, const KernelsAnswer& answer, const Run& run);

// Only while the Kernels view is shown; else empty.
struct KernelsResults {
  Latest<KernelSweep> sweep; // only part of it while its job runs
  Latest<KernelMatrices> matrices;
  Latest<KernelSpectrum> spectrum;
  Latest<KernelsShown> shown;
  std::optional<Problem> problem = {}; // of the picture's parts

  bool pending() const {
    return sweep.pending || matrices.pending || spectrum.pending || shown.pending;
  }
};

// ---- what the pictures say in numbers ----

// Of the complete answer.
Facts kernelsFacts(const KernelsSpec& spec, const KernelsAnswer& answer);

std::unique_ptr<ViewPane> kernelsPane(const std::filesystem::path& shaders);
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
