#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/support/number_text.h"

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

// "0 of 1 024 rows at or below 0"; where most bars have no height their median.
std::string normaliserNote(const KernelMatrices& of) {
  const Index bad = of.negativeRows + of.zeroRows;
  if (bad > 0)
    return "▼ " + groupDigits(bad) + " of " + counted(of.n, "row") + " at or below 0";
  if (const auto median = vanishingNormaliser(of))
    return "median: " + shortNumber(*median, 2) + " × exact";
  return "0 of " + counted(of.n, "row") + " at or below 0";
}

} // namespace

KernelsShown makeKernelsShown(const KernelsSpec& spec, const KernelsAnswer& answer, const Run&) {
  KernelsShown shown;
  shown.spec = spec;
  shown.answer = answer;
  shown.title = kernelsTitle(spec, answer);
  shown.caption = kernelsCaption(spec, answer);
  shown.panels = kernelsPanels(spec, answer);
  if (spec.picture == KernelsPicture::Error && answer.matrices) {
    for (Plot& plot : matrixPlots(*answer.matrices))
      shown.small.push_back(bare(std::move(plot)));
    shown.small.push_back(bare(normaliserPlot(*answer.matrices)));
    shown.normalisers = normaliserNote(*answer.matrices);
  }
  shown.facts = kernelsFacts(spec, answer);
  shown.reading = readingOf(spec, answer);
  return shown;
}

} // namespace attention::gui
