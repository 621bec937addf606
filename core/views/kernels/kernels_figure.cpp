#include "core/views/kernels/kernels_figure.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/scene_kernels.h"

#include <algorithm>
#include <array>
#include <cfloat>

namespace attention {
namespace {

constexpr Index kFewRows = 256; // as many bars have columns of their own in most pictures

std::string cellsText(const KernelMatrices& matrices) {
  const Index cells = matrices.exact->rows();
  const std::string both = agreeing(cells, " query and key", " queries and keys");
  return cells == matrices.n
             ? agreeing(cells, "the only", "all " + groupedDigits(cells)) + both
             : "the first " + groupedDigits(cells) + both + " of " + groupedDigits(matrices.n);
}

// What bars mean where many rows share columns.
std::string columnsText(const KernelMatrices& matrices) {
  return matrices.n <= kFewRows ? ""
                                : " Where several rows share a column, the bar is solid up to the "
                                  "one nearest 0 and light up to the farthest.";
}

std::string normaliserCaption(const KernelMatrices& matrices) {
  const Index cut = cutNormalisers(matrices);
  return "One bar for each of " + counted(matrices.n, "query row") +
         (cut == 0 ? "."
                   : "; " + groupedDigits(cut) + (cut == 1 ? " is" : " are") +
                         " longer than the axis and cut off.") +
         columnsText(matrices);
}

std::string matricesCaption(const KernelMatrices& matrices) {
  return "Shown: " + cellsText(matrices) + ". All matrices share one scale." +
         columnsText(matrices);
}

std::string layersCaption(const KernelSweep& sweep) {
  return "|X′ − X| / |X| after each layer: median over " +
         counted(sweep.options.repeats, "repeat") +
         ", bands from the lower to the upper quartile; X′ comes from features, X from exact "
         "attention. Each layer is attention with a residual connection, its rows scaled to one "
         "size; weights are random, m = " +
         groupedDigits(sweep.options.projections.front()) +
         " projections, the same in all layers. " + sweep.data + ".";
}

std::string sweepCaption(const KernelsSpec& spec, const KernelSweep& sweep) {
  const KernelsErrorOf of = errorOfSweep(spec, sweep);
  if (of == KernelsErrorOf::Layers)
    return layersCaption(sweep);
  const bool output = of == KernelsErrorOf::Output;
  const Index repeats = sweep.options.repeats;
  std::string text = output
                         ? "Median over " + counted(repeats, "repeat") +
                               "; bands from the lower to the upper quartile."
                         : "Single entries of the kernel, " + counted(sweep.options.pairs, "pair") +
                               " in each of " + counted(repeats, "repeat") +
                               "; dashed: the expected error in closed form.";
  if (!output)
    if (const std::string missed = missedTailText(sweep.result, repeats); !missed.empty())
      text += " " + missed;
  return text + " " + sweep.data + ".";
}

std::string spectrumCaption(const KernelSpectrum& spectrum) {
  const std::string object = spectrum.object == LowRankObject::Softmax
                                 ? "A: softmax rows"
                                 : "A: exp(q·k / √d), not normalised";
  const std::string tokens = spectrum.n == spectrum.all ? groupedDigits(spectrum.n)
                                                        : "the first " + groupedDigits(spectrum.n) +
                                                              " of " + groupedDigits(spectrum.all);
  return object + ", " + tokens + " tokens. Errors are relative, " +
         "|A − Â| / |A|; features count as m numbers per token.";
}

std::vector<FigurePanel> sweepPanels(const KernelsSpec& spec, const KernelSweep& sweep) {
  const KernelErrorMarks marks{spec.chosen, sweep.d};
  switch (errorOfSweep(spec, sweep)) {
  case KernelsErrorOf::Layers:
    return {{"", {layerErrorPlot(sweep.layers)}, {}}};
  case KernelsErrorOf::Entries:
    return {{"", {entryErrorPlot(sweep.result, sweep.options, marks).value()}, {}}};
  case KernelsErrorOf::Output:
    break;
  }
  return {{"", {outputErrorPlot(sweep.result, sweep.options, marks)}, {}}};
}

std::string sweepTitle(KernelsErrorOf of) {
  switch (of) {
  case KernelsErrorOf::Layers:
    return "Error of the output through a stack of attention layers";
  case KernelsErrorOf::Entries:
    return "Error of the kernel's entries against the number of projections";
  case KernelsErrorOf::Output:
    break;
  }
  return "Error of the attention output against the number of projections";
}

std::vector<FigurePanel> matrixPanels(const KernelsSpec& spec, const KernelMatrices& matrices) {
  const std::array<std::string, 4> titles = matrixTitles(spec);
  std::vector<Plot> plots = matrixPlots(matrices);
  std::vector<FigurePanel> panels;
  for (std::size_t k = 0; k < plots.size(); ++k)
    panels.push_back({titles[k], {std::move(plots[k])}, {}});
  Plot bars = normaliserPlot(matrices);
  std::get<CurvesMark>(bars.mark).aspect = 1; // as high as the matrices
  panels.push_back({titles.back(), {std::move(bars)}, {}});
  return panels;
}

std::vector<LegendEntry> matrixLegend(const KernelsSpec& spec, const KernelMatrices& matrices,
                                      FigureTheme theme) {
  const auto top = static_cast<double>(matrices.top);
  const auto swatch = [&](Ramp ramp, double share, const std::string& what) {
    const double value = roundTowardZero(share * top);
    return LegendEntry{rampColor(ramp, value, top, theme), what + readableNumber(value)};
  };
  std::vector<LegendEntry> legend{swatch(Ramp::Signed, 1, "weight "),
                                  swatch(Ramp::Signed, 0.25, "weight "),
                                  swatch(Ramp::Signed, 0.05, "weight ")};
  if (matrices.negativeEntries > 0)
    legend.push_back(swatch(Ramp::Signed, -0.25, "negative "));
  const std::string error = estimatesA(spec) ? "error " : "difference ";
  legend.push_back(swatch(Ramp::Errors, 1, error));
  legend.push_back(swatch(Ramp::Errors, 0.25, error));
  return legend;
}

std::vector<LegendEntry> normaliserLegend(const KernelMatrices& matrices, FigureTheme theme) {
  const auto& series = figureColors(theme).series;
  const Index bad = matrices.negativeRows + matrices.zeroRows + matrices.nonFiniteRows;
  std::vector<LegendEntry> legend{{series[2], counted(matrices.n - bad, "row") + " above 0"},
                                  {series[5], counted(matrices.negativeRows, "row") + " below 0"}};
  if (matrices.zeroRows > 0)
    legend.push_back({series[1], counted(matrices.zeroRows, "row") + " at 0"});
  return legend;
}

std::vector<LegendEntry> ratioLegend(FigureTheme theme) {
  struct Step {
    double decades; // log10 of the ratio
    const char* words;
  };
  static constexpr std::array kSteps{Step{-3, "trig better 1\u2009000 ×"}, Step{-1, "10 ×"},
                                     Step{0, "equal"}, Step{1, "10 ×"},
                                     Step{3, "positive better 1\u2009000 ×"}};
  std::vector<LegendEntry> legend;
  legend.reserve(kSteps.size());
  for (const Step& step : kSteps)
    legend.push_back({rampColor(Ramp::Diverging, step.decades, 3, theme), step.words});
  return legend;
}

} // namespace

KernelsAnswer kernelsAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& input,
                            const Run& run) {
  KernelsAnswer answer;
  switch (scene.kernels.picture) {
  case KernelsPicture::Error:
    answer.sweep = std::make_shared<const KernelSweep>(
        kernelSweep(sweepQuestion(scene, lengths), input, {}, run));
    break;
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    answer.matrices = std::make_shared<const KernelMatrices>(
        kernelMatrices(matricesQuestion(scene, lengths), input, run));
    break;
  case KernelsPicture::Spectrum:
    answer.spectrum = std::make_shared<const KernelSpectrum>(
        kernelSpectrum(spectrumQuestion(scene, lengths), input, run));
    break;
  case KernelsPicture::Ratio:
    break;
  case KernelsPicture::Order:
    answer.shapes = productShapes(scene, lengths, input.input.get());
  }
  requirePicture(scene.kernels, answer);
  return answer;
}

void requirePicture(const KernelsSpec& spec, const KernelsAnswer& answer) {
  if (spec.picture == KernelsPicture::Ratio)
    checkSettings(kernelsSettings(), spec);
  if (spec.picture == KernelsPicture::Error && answer.sweep && entriesOverflow(spec, *answer.sweep))
    throw Error(ErrorCode::Range, "error_of",
                "errors of the kernel's entries overflow" +
                    (spec.loaded ? " for these Q and K" : " at sigma " + shortest(spec.sigma)) +
                    ": squares of exp(q·k / √d) are beyond " + powerOfTen(DBL_MAX_10_EXP) +
                    "; they must be finite (use the error of the output, or " +
                    (spec.loaded ? "drawn Q, K and V)" : "a smaller sigma)"));
}

bool complete(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return answer.sweep && !entriesOverflow(spec, *answer.sweep);
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    return answer.matrices != nullptr;
  case KernelsPicture::Spectrum:
    return answer.spectrum != nullptr;
  case KernelsPicture::Ratio:
  case KernelsPicture::Order:
    break;
  }
  return true;
}

std::vector<FigurePanel> kernelsPanels(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return sweepPanels(spec, *answer.sweep);
  case KernelsPicture::Matrices:
    return matrixPanels(spec, *answer.matrices);
  case KernelsPicture::Normalisers:
    return {{"", {normaliserPlot(*answer.matrices)}, {}}};
  case KernelsPicture::Ratio:
    return {{"ratio of errors, trig over positive", {ratioPlot(spec.slice)}, {}},
            {"the ratio at one length", {slicePlot(spec.slice)}, {}},
            {"the two errors at that length", {sliceErrorsPlot(spec.slice, spec.chosen)}, {}}};
  case KernelsPicture::Order:
    return {{"", {orderDiagram(answer.shapes)}, {}}};
  case KernelsPicture::Spectrum:
    break;
  }
  return {{"singular values of A", {singularValuesPlot(*answer.spectrum)}, {}},
          {"error against rank", {rankErrorPlot(*answer.spectrum)}, {}}};
}

std::string estimateText(const KernelMatrices& matrices) {
  std::string text = matrices.label;
  if (matrices.projections > 0)
    text += " · m = " + groupedDigits(matrices.projections);
  if (matrices.features != matrices.projections)
    text += " · " + counted(matrices.features, "feature");
  return text;
}

std::string kernelsTitle(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return sweepTitle(errorOfSweep(spec, *answer.sweep));
  case KernelsPicture::Matrices:
    return (estimatesA(spec) ? "Attention and its estimate: " : "Attention by softmax and by ") +
           estimateText(*answer.matrices);
  case KernelsPicture::Normalisers:
    return "Normalisers of the rows: " + estimateText(*answer.matrices);
  case KernelsPicture::Ratio:
    return "Where positive features are better than trigonometric ones";
  case KernelsPicture::Order:
    return "The order of multiplication and what it costs";
  case KernelsPicture::Spectrum:
    break;
  }
  return "The best that any matrix of rank m can do";
}

std::string kernelsCaption(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return sweepCaption(spec, *answer.sweep);
  case KernelsPicture::Matrices:
    return matricesCaption(*answer.matrices);
  case KernelsPicture::Normalisers:
    return normaliserCaption(*answer.matrices);
  case KernelsPicture::Ratio:
    return "Mean squared errors by Lemma 2, for two vectors of length |ℓ| at the angle φ.";
  case KernelsPicture::Order:
    return "Dashed: the product that is taken first. Computing the features is not counted.";
  case KernelsPicture::Spectrum:
    break;
  }
  return spectrumCaption(*answer.spectrum);
}

std::string kernelsSourceText(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    if (errorOfSweep(spec, *answer.sweep) == KernelsErrorOf::Layers)
      return "After Choromanski et al. 2021, appendix, figure 14";
    return "After Choromanski et al. 2021, figure 4";
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    return spec.kernel == Kernel::Elu1 ? "Katharopoulos et al. 2020"
                                       : "Choromanski et al. 2021, section 2";
  case KernelsPicture::Ratio:
    return "After Choromanski et al. 2021, figure 2 and Lemma 2";
  case KernelsPicture::Order:
    return "After Choromanski et al. 2021, figure 1";
  case KernelsPicture::Spectrum:
    break;
  }
  return "After Wang et al. 2020, figure 1; best rank by Eckart and Young 1936";
}

std::vector<LegendEntry> kernelsLegend(const KernelsSpec& spec, const KernelsAnswer& answer,
                                       FigureTheme theme) {
  switch (spec.picture) {
  case KernelsPicture::Matrices:
    return matrixLegend(spec, *answer.matrices, theme);
  case KernelsPicture::Normalisers:
    return normaliserLegend(*answer.matrices, theme);
  case KernelsPicture::Ratio:
    return ratioLegend(theme);
  default:
    return {};
  }
}

Figure kernelsFigure(const KernelsSpec& spec, const KernelsAnswer& answer, FigureTheme theme) {
  Figure figure;
  figure.theme = theme;
  figure.title = kernelsTitle(spec, answer);
  figure.caption = kernelsCaption(spec, answer);
  figure.source = kernelsSourceText(spec, answer);
  figure.panels = kernelsPanels(spec, answer);
  figure.legend = kernelsLegend(spec, answer, theme);
  return figure;
}

} // namespace attention
