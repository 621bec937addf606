#include "core/views/view_unit.h"

#include "core/scene/kernels_spec.h"
#include "core/views/kernels/kernels_figure.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr Index kQuickLength = 256;
constexpr Index kQuickRepeats = 3;
constexpr double kLeastSlice = 0.05;
constexpr double kMostSlice = 2; // of the map of the ratio of errors
constexpr double kLeastSigma = 0.05;
constexpr Index kLeastTokens = 16;  // of drawn Q, K and V, where there are more
constexpr double kLowErrors = 0.32; // height of the curves above an estimate, of their width

KernelsAnswer computed(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return kernelsAnswer(scene, lengthsIn(scene, options), headIn(scene, options),
                       threaded(run, options));
}

KernelsAnswer answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<KernelsAnswer>();
  return ready ? *ready : computed(scene, options, run);
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  return readingOf(scene.kernels, answerOf(scene, options, run));
}

// The matrices and normalisers of one estimate, as the view has them below the errors.
void addEstimate(Figure& figure, KernelsSpec spec, const KernelsAnswer& estimate) {
  keepAsFallback(figure);
  figure.panels.front().alone = true;
  std::get<CurvesMark>(figure.panels.front().plots.front().mark).aspect = kLowErrors;
  spec.picture = KernelsPicture::Matrices;
  for (FigurePanel& panel : kernelsPanels(spec, estimate))
    figure.panels.push_back(std::move(panel));
  for (LegendEntry& entry : kernelsLegend(spec, estimate, figure.theme))
    figure.legend.push_back(std::move(entry));
  addToCaption(figure, "Below, one estimate: " + estimateText(*estimate.matrices) + ". " +
                           kernelsCaption(spec, estimate));
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const KernelsAnswer answer = answerOf(scene, options, run);
  Figure figure = inWordsOf(scene, kernelsFigure(scene.kernels, answer, options.theme));
  if (scene.kernels.picture == KernelsPicture::Error && !isPublished(scene)) {
    Scene estimated = scene;
    estimated.kernels.picture = KernelsPicture::Matrices;
    addEstimate(figure, scene.kernels,
                answer.matrices ? answer : computed(estimated, options, run.quiet()));
  }
  return figure;
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return kernelsTable(scene.kernels, answerOf(scene, options, run));
}

void writeNumbers(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  writeKernelsNpy(scene.kernels, answerOf(scene, options, run), path);
}

constexpr std::array kForms{
    DataForm{".npy", "The picture's numbers as float64: errors, matrices, normalisers …",
             writeNumbers},
    DataForm{".csv", "The picture's numbers as a table", writeTable<tableOf>}};

// Of curves, shorter and of fewer repeats.
Figure quickFigureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Scene quick = scene;
  if (scene.kernels.picture == KernelsPicture::Error) {
    quick.kernels.length = std::min(scene.kernels.length, kQuickLength);
    quick.kernels.repeats = std::min(scene.kernels.repeats, kQuickRepeats);
  }
  return figureOf(quick, options, run);
}

bool takesInput(const Scene& scene) {
  return scene.kernels.loaded && KernelsReads(scene.kernels).lengths;
}

bool sameKind(const Scene& a, const Scene& b) {
  return a.kernels.picture == b.kernels.picture && a.kernels.errorOf == b.kernels.errorOf;
}

// Projections are drawn again to see what stays.
void ignoreLooks(Scene& looked, const Scene& own) {
  if (looked.kernels.errorOf != KernelsErrorOf::Layers) // which have that many projections
    looked.kernels.chosen = own.kernels.chosen;
  looked.kernels.redraws = own.kernels.redraws;
}

Moving numberIn(const char* name, Index KernelsSpec::*field, double from, double to) {
  return {name, from, to, true,
          [field](Scene& s, double value) { s.kernels.*field = whole(value); }};
}

Moving numberIn(const char* name, double KernelsSpec::*field, double from, double to) {
  return {name, from, to, false, [field](Scene& s, double value) { s.kernels.*field = value; }};
}

// Only what the picture reads: other numbers would give frames that differ only in words.
std::vector<Moving> movingIn(const Scene& scene, Index n) {
  const KernelsSpec& spec = scene.kernels;
  std::vector<Moving> all;
  const KernelsReads reads(spec);
  const auto upTo = [](Index present) { return std::max(2.0, static_cast<double>(present)); };
  if (spec.picture == KernelsPicture::Ratio)
    all.push_back(numberIn("slice", &KernelsSpec::slice, kLeastSlice, kMostSlice));
  if (reads.drawn)
    all.push_back(numberIn("redraws", &KernelsSpec::redraws, static_cast<double>(spec.redraws),
                           static_cast<double>(spec.redraws + kSweptRedraws)));
  if (reads.m)
    all.push_back(numberIn("m", &KernelsSpec::chosen, 1, upTo(spec.chosen)));
  if (spec.picture == KernelsPicture::Error && spec.errorOf == KernelsErrorOf::Layers)
    all.push_back(numberIn("layers", &KernelsSpec::layers, 1, upTo(spec.layers)));
  if (!reads.lengths)
    return all;
  if (spec.loaded) {
    all.push_back({"n", 1, static_cast<double>(n), true,
                   [](Scene& s, double value) { s.length.n = whole(value); }});
    return all;
  }
  if (reads.numbers)
    all.push_back(numberIn("sigma", &KernelsSpec::sigma, kLeastSigma,
                           std::max(1.0, kSweptFactor * spec.sigma)));
  all.push_back(numberIn("L", &KernelsSpec::length,
                         static_cast<double>(std::min(kLeastTokens, spec.length)),
                         upTo(spec.length)));
  all.push_back(numberIn("d", &KernelsSpec::d, 1, upTo(spec.d)));
  return all;
}

std::string pictureOf(const Scene& scene) {
  return pictureName(kernelsSettings(), scene.kernels);
}

} // namespace

ViewUnit kernelsUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .thumbnail = quickFigureOf,
          .reading = readingIn,
          .answers = giveAnswer<KernelsAnswer, answerOf>,
          .copySpec = takeMember<&Scene::kernels>,
          .choosesPattern = false,
          .takesInput = takesInput,
          .picture = pictureOf,
          .showsInput = always,
          .sameKind = sameKind,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn};
}

} // namespace attention
