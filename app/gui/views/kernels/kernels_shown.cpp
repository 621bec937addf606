#include "app/gui/views/kernels/kernels_shown.h"

namespace attention::gui {
namespace {

// Without ticks and words: a small picture that says what its large one looks like.
Plot bare(Plot plot) {
  plot.keys.reset();
  plot.queries.reset();
  if (auto* curves = std::get_if<CurvesMark>(&plot.mark)) {
    curves->x.label.clear();
    curves->y.label.clear();
    for (Curve& curve : curves->curves)
      curve.label.clear();
  }
  return plot;
}

} // namespace

KernelsShown makeKernelsShown(const KernelsShownKey& key, const Run&) {
  KernelsShown shown;
  shown.spec = key.spec;
  shown.answer = key.answer;
  shown.title = kernelsTitle(key.spec, key.answer);
  shown.caption = kernelsCaption(key.spec, key.answer);
  shown.panels = kernelsPanels(key.spec, key.answer);
  if (key.spec.picture == KernelsPicture::Error && key.answer.matrices) {
    for (Plot& plot : matrixPlots(*key.answer.matrices))
      shown.small.push_back(bare(std::move(plot)));
    shown.small.push_back(bare(normaliserPlot(*key.answer.matrices)));
  }
  addKernelsFacts(shown);
  shown.reading = readingOf(key.spec, key.answer);
  return shown;
}

} // namespace attention::gui
