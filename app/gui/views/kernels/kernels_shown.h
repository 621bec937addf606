// What the Kernels view shows: its parts, each keyed by what it reads, and the picture made of
// them.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "core/views/kernels/kernels_figure.h"

#include <string>
#include <vector>

namespace attention::gui {

struct KernelsShown {
  KernelsSpec spec; // that it was made for
  KernelsAnswer answer;
  std::string title;
  std::string caption;
  std::vector<FigurePanel> panels;
  std::vector<Plot> small; // A, Â, |A − Â| and normalisers beside the curves; else empty
  std::string factsHeading;
  std::vector<Fact> facts;
  std::vector<std::string> warnings;
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

// Fills heading, facts and warnings from the spec and the complete answer.
void addKernelsFacts(KernelsShown& shown);

} // namespace attention::gui
