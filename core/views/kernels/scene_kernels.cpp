#include "core/views/kernels/scene_kernels.h"

#include "core/analysis/kernel_error_size.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/stoppable.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

// What every part reads: where Q, K and V come from.
KernelsQuestion questionAbout(const Scene& scene, const Lengths& lengths) {
  const KernelsSpec& spec = scene.kernels;
  checkSettings(kernelsSettings(), spec);
  KernelsQuestion question;
  question.spec.loaded = spec.loaded;
  question.spec.causal = spec.causal;
  question.spec.redraws = spec.redraws;
  question.spec.seed = spec.seed; // of the projections too
  if (spec.loaded) {
    question.n = lengths.keys;
    if (question.n < 1 || question.n > kMostKernelsLength)
      throwRange("n", std::to_string(question.n),
                 "1 to " + std::to_string(kMostKernelsLength) + " tokens in this view");
    return question;
  }
  question.spec.length = spec.length;
  question.spec.d = spec.d;
  question.spec.sigma = spec.sigma;
  return question;
}

Matrix<double> firstRows(const Matrix<double>& m, Index n, double factor = 1) {
  Matrix<double> rows(n, m.cols());
  for (Index x = 0; x < n * m.cols(); ++x)
    rows.data()[x] = factor * m.data()[x];
  return rows;
}

void requireLoaded(const Input* input) {
  if (!input || !input->hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                input
                    ? "the input has only attention weights; open one with Q, K and V, or draw them"
                    : "No input loaded. Open Q, K and V, or draw them.");
}

KernelErrorInput loadedHead(const KernelsQuestion& question, const ModelHead& of, const Run& run) {
  requireLoaded(of.input.get());
  const Input& input = *of.input;
  requireValues(input, "this view");
  requirePlainScores(input);
  const Index n = question.n;
  if (n > input.keys || n > input.queries)
    throw Error(ErrorCode::Shape, "n",
                "n is " + std::to_string(n) + "; it must be at most " +
                    std::to_string(std::min(input.keys, input.queries)) +
                    ", the length of the input");
  const ScaleFactors factors = scaleFactors(input);
  return {firstRows(input.q<double>(of.head, of.batch, run), n, factors.query),
          firstRows(input.k<double>(of.head, of.batch, run), n, factors.key),
          firstRows(input.v<double>(of.head, of.batch, run), n)};
}

std::string dataText(const KernelsQuestion& question, Index n, Index d) {
  const std::string sizes = "L " + groupedDigits(n) + ", d " + groupedDigits(d);
  const std::string base = question.spec.causal   ? "causal attention, "
                           : question.spec.loaded ? "full attention, "
                                                  : "";
  return (question.spec.loaded
              ? "The loaded input, "
              : "Q, K = sigma N(0, 1) with sigma " + shortest(question.spec.sigma) + ", ") +
         base + sizes;
}

} // namespace

KernelErrorOptions sweepOptions(const KernelsSpec& spec) {
  KernelErrorOptions options;
  options.curves.clear();
  const KernelsCompared& with = spec.compared;
  const auto add = [&](bool shown, FeatureMap map) {
    if (shown && with.iid)
      options.curves.push_back({map, ProjectionKind::Iid, Norms::Chi});
    if (shown && with.orthogonal)
      options.curves.push_back({map, ProjectionKind::Orthogonal, spec.norms});
  };
  add(with.trig, FeatureMap::Trig);
  add(with.positive, FeatureMap::Positive);
  add(with.hyperbolic, FeatureMap::Hyperbolic);
  options.projections = spec.projections;
  std::sort(options.projections.begin(), options.projections.end());
  options.projections.erase(std::unique(options.projections.begin(), options.projections.end()),
                            options.projections.end());
  options.repeats = spec.repeats;
  options.seed = static_cast<std::uint64_t>(spec.seed) + static_cast<std::uint64_t>(spec.redraws);
  options.sameInput = spec.loaded;
  options.causal = spec.causal;
  options.stabilize = spec.stabilize;
  options.eps = spec.eps;
  return options;
}

KernelsQuestion sweepQuestion(const Scene& scene, const Lengths& lengths) {
  KernelsQuestion question = questionAbout(scene, lengths);
  const KernelsSpec& spec = scene.kernels;
  question.spec.compared = spec.compared;
  question.spec.projections = spec.projections;
  question.spec.repeats = spec.repeats;
  if (!spec.loaded)
    requireFewErrorNumbers("length", spec.length, spec.d, spec.repeats);
  question.spec.norms = spec.norms;
  if (spec.errorOf == KernelsErrorOf::Layers) {
    question.spec.errorOf = spec.errorOf;
    question.spec.layers = spec.layers;
    question.spec.chosen = spec.chosen;
    question.spec.projections = KernelsSpec().projections;
  }
  if (spec.errorOf != KernelsErrorOf::Entries) { // entries are meaningful only for plain features
    question.spec.stabilize = spec.stabilize;
    question.spec.eps = spec.eps;
  }
  return question;
}

KernelsQuestion matricesQuestion(const Scene& scene, const Lengths& lengths) {
  KernelsQuestion question = questionAbout(scene, lengths);
  const KernelsSpec& spec = scene.kernels;
  question.spec.kernel = spec.kernel;
  question.spec.cells = spec.cells;
  if (!takesProjections(currentMap(spec)) || spec.kernel == Kernel::Relu)
    return question;
  question.spec.map = spec.map;
  question.spec.projection = spec.projection;
  question.spec.norms = spec.norms;
  question.spec.chosen = spec.chosen;
  if (spec.kernel == Kernel::Softmax) {
    question.spec.stabilize = spec.stabilize;
    question.spec.eps = spec.eps;
  }
  return question;
}

KernelsQuestion spectrumQuestion(const Scene& scene, const Lengths& lengths) {
  KernelsQuestion question = questionAbout(scene, lengths);
  const KernelsSpec& spec = scene.kernels;
  question.spec.compared = spec.compared;
  question.spec.projections = spec.projections;
  question.spec.norms = spec.norms;
  question.spec.exponentials = spec.exponentials;
  return question;
}

KernelErrorSource kernelsSource(const KernelsQuestion& question, const ModelHead& input,
                                const Run& run) {
  const KernelsSpec& spec = question.spec;
  if (spec.loaded)
    return givenSource(loadedHead(question, input, run));
  KernelErrorSource source =
      gaussianSource(spec.length, spec.d, spec.sigma, static_cast<std::uint64_t>(spec.seed));
  source.draw = [draw = source.draw, run = run.quiet()](Index repeat) {
    return stoppable([draw, repeat] { return draw(repeat); }, run);
  };
  return source;
}

namespace {

// E_UNSUPPORTED for a loaded input.
std::vector<LayerErrorRow> stackErrors(const KernelsSpec& spec, const KernelErrorOptions& sweep,
                                       const Run& run) {
  if (spec.loaded)
    throw Error(ErrorCode::Unsupported, "loaded",
                "a stack of layers needs the weights of its next layers, which the loaded input "
                "does not have; draw Q, K and V");
  LayerErrorOptions options;
  options.curves = sweep.curves;
  options.projections = spec.chosen;
  options.layers = spec.layers;
  options.n = spec.length;
  options.d = spec.d;
  options.sigma = spec.sigma;
  options.repeats = spec.repeats;
  options.seed = static_cast<std::uint64_t>(spec.seed);
  options.drawn = sweep.seed;
  options.causal = spec.causal;
  options.stabilize = spec.stabilize;
  options.eps = spec.eps;
  options.threads = run.threads;
  return layerErrors(options, run);
}

} // namespace

KernelSweep kernelSweep(const KernelsQuestion& question, const ModelHead& input,
                        const std::function<void(const KernelSweep&)>& onPart, const Run& run) {
  KernelSweep sweep;
  sweep.options = sweepOptions(question.spec);
  sweep.options.threads = run.threads;
  if (question.spec.errorOf == KernelsErrorOf::Layers) {
    sweep.options.projections = {question.spec.chosen};
    sweep.layers = stackErrors(question.spec, sweep.options, run);
    sweep.n = question.spec.length;
    sweep.d = question.spec.d;
    sweep.data = dataText(question, sweep.n, sweep.d);
    return sweep;
  }
  const KernelErrorSource source = kernelsSource(question, input, run);
  sweep.n = question.spec.loaded ? question.n : question.spec.length;
  sweep.d = question.spec.loaded ? input.input->d : question.spec.d;
  sweep.data = dataText(question, sweep.n, sweep.d);
  const auto onRow = [&](const KernelErrorResult& soFar) {
    if (!onPart || soFar.rows.size() % sweep.options.curves.size() != 0)
      return;
    KernelSweep part = sweep;
    part.result = soFar;
    onPart(part);
  };
  sweep.result = kernelError(source, sweep.options, onRow, run);
  return sweep;
}

ProductShapes productShapes(const Scene& scene, const Lengths& lengths, const Input* input) {
  const KernelsQuestion question = questionAbout(scene, lengths);
  const KernelsSpec& spec = scene.kernels;
  if (spec.loaded)
    requireLoaded(input);
  const Index d = spec.loaded ? input->d : spec.d;
  const FeatureMap map = currentMap(spec);
  const Index projections = spec.kernel == Kernel::Relu ? 0 : spec.chosen;
  return {spec.loaded ? question.n : spec.length, featureCount(map, projections, d),
          spec.loaded ? input->dv : spec.d, spec.causal};
}

FeatureMap currentMap(const KernelsSpec& spec) {
  switch (spec.kernel) {
  case Kernel::Gaussian:
    return FeatureMap::GaussianTrig;
  case Kernel::Elu1:
    return FeatureMap::Elu1;
  case Kernel::Relu:
    return FeatureMap::Relu;
  case Kernel::Softmax:
    break;
  }
  return spec.map;
}

std::string labelOfEstimate(const KernelsSpec& spec) {
  if (spec.kernel == Kernel::Elu1)
    return "elu + 1";
  if (spec.kernel == Kernel::Relu)
    return "ReLU";
  const std::string map =
      spec.kernel == Kernel::Gaussian ? "Gaussian, trig" : std::string(name(spec.map));
  return map + ", " + std::string(name(spec.projection));
}

bool readsProjections(const KernelsSpec& spec) {
  return KernelsReads(spec).m || spec.picture == KernelsPicture::Spectrum;
}

bool hasExactNormalisers(const KernelsSpec& spec) {
  return spec.kernel == Kernel::Gaussian ||
         (spec.kernel == Kernel::Softmax && spec.stabilize == Stabilize::Off);
}

std::array<std::string, 4> matrixTitles(const KernelsSpec& spec) {
  if (estimatesA(spec))
    return {"exact A", "estimate Â", "error |A − Â|", "normalisers dᵢ"};
  return {"softmax A", labelOfEstimate(spec) + " Â", "difference |A − Â|", "normalisers dᵢ"};
}

} // namespace attention
