#include "app/gui/results/view_stages.h"
#include "app/gui/views/kernels/kernels_view.h"

namespace attention::gui {
namespace {

using Question = KernelsQuestion (*)(const Scene&, const Lengths&);

// Why the available numbers make no picture.
std::optional<Problem> problemOfPicture(const KernelsSpec& spec, const KernelsAnswer& answer) {
  const auto check = [&](const Run&) {
    requirePicture(spec, answer);
    return nullptr;
  };
  return outcomeOf<KernelsAnswer>(check, {}).problem;
}

bool readsInput(const KernelsSpec& spec) {
  return spec.loaded && spec.picture != KernelsPicture::Ratio;
}

// The curves of errors (which grow point by point), the matrices, the singular values; and the
// picture with its facts, made from those that it reads.
class KernelsStages final : public PictureStages<KernelsResults> {
public:
  explicit KernelsStages(Results& all)
      : PictureStages(all, {&sweep_, &matrices_, &spectrum_, &shown_}) {}

  void update(const Asking& asking) override {
    const KernelsSpec& spec = asking.scene.kernels;
    results_.problem.reset();
    const bool curves = spec.picture == KernelsPicture::Error;
    const bool spectrum = spec.picture == KernelsPicture::Spectrum;
    const bool matrices = curves || spec.picture == KernelsPicture::Matrices ||
                          spec.picture == KernelsPicture::Normalisers;
    sweep_.keepIf(curves);
    matrices_.keepIf(matrices);
    spectrum_.keepIf(spectrum);
    if (readsInput(spec) && waitsForInput(asking))
      return;
    const ModelHead input = spec.loaded ? modelHead(asking.scene, all_.input.value) : ModelHead();
    if (matrices) // quick, and beside the curves
      matrices_.ask(asking, "attention and its estimate", kernelMatrices,
                    questionOf(asking, matricesQuestion), input);
    if (curves)
      sweep_.askInParts(asking, "errors of features", kernelSweep,
                        questionOf(asking, sweepQuestion), input);
    if (spectrum)
      spectrum_.ask(asking, "singular values", kernelSpectrum, questionOf(asking, spectrumQuestion),
                    input);
    show(asking);
  }

private:
  // Where the Scene's question has no answer, that is the picture's problem.
  Outcome<KernelsQuestion> questionOf(const Asking& asking, Question question) {
    auto made = madeOrProblem([&] { return question(asking.scene, all_.lengths); });
    if (made.problem)
      results_.problem = made.problem;
    return made;
  }

  void show(const Asking& asking) {
    const KernelsSpec& spec = asking.scene.kernels;
    KernelsAnswer answer;
    answer.sweep = results_.sweep.value;
    answer.matrices = results_.matrices.value;
    answer.spectrum = results_.spectrum.value;
    if (spec.picture == KernelsPicture::Order) {
      const auto shapes = madeOrProblem(
          [&] { return productShapes(asking.scene, all_.lengths, all_.input.value.get()); });
      results_.problem = shapes.problem;
      answer.shapes = shapes.value ? *shapes.value : ProductShapes();
    }
    const bool whole = !results_.sweep.pending && !results_.sweep.stale;
    if (whole && !results_.problem)
      results_.problem = problemOfPicture(spec, answer);
    if (results_.problem || !complete(spec, answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", makeKernelsShown, spec, answer);
  }

  // Made from the question and, where it reads it, the input.
  template <class T>
  using Asked = StageOf<T, KernelsQuestion, ModelHead>;
  Asked<KernelSweep> sweep_{results_.sweep, results_.problem};
  Asked<KernelMatrices> matrices_{results_.matrices, results_.problem};
  Asked<KernelSpectrum> spectrum_{results_.spectrum, results_.problem};
  StageOf<KernelsShown, KernelsSpec, KernelsAnswer> shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> kernelsStages(Results& results) {
  return std::make_unique<KernelsStages>(results);
}

} // namespace attention::gui
