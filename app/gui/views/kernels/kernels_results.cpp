#include "app/gui/results/view_stages.h"
#include "app/gui/views/kernels/kernels_shown.h"
#include "app/gui/views/kernels/kernels_view.h"

namespace attention::gui {
namespace {

struct KernelsKey {
  KernelsQuestion question;
  ModelHead input; // where the question reads it
  bool operator==(const KernelsKey&) const = default;
};

using Question = KernelsQuestion (*)(const Scene&, const Lengths&);

// Why the available numbers make no picture.
std::optional<Problem> problemOfPicture(const KernelsShownKey& key) {
  return outcomeOf<KernelsShownKey>(
             [&](const Run&) {
               requirePicture(key.spec, key.answer);
               return nullptr;
             },
             {})
      .problem;
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
    dropUnread(spec.picture);
    if (readsInput(spec) && waitsForInput(asking))
      return;
    switch (spec.picture) {
    case KernelsPicture::Error:
      askMatrices(asking); // quick, and beside the curves
      askSweep(asking);
      break;
    case KernelsPicture::Matrices:
    case KernelsPicture::Normalisers:
      askMatrices(asking);
      break;
    case KernelsPicture::Spectrum:
      askSpectrum(asking);
      break;
    case KernelsPicture::Ratio:
    case KernelsPicture::Order:
      break;
    }
    show(asking);
  }

private:
  // The key of a part; nothing if the Scene's question has no answer, which then becomes the
  // picture's problem.
  std::shared_ptr<const KernelsKey> keyOf(const Asking& asking, Question question) {
    const auto key = madeOrProblem([&] {
      KernelsKey made{question(asking.scene, all_.lengths), {}};
      if (made.question.spec.loaded)
        made.input = modelHead(asking.scene, all_.input.value);
      return made;
    });
    if (!key.value)
      results_.problem = key.problem;
    return key.value;
  }

  void askSweep(const Asking& asking) {
    const auto key = keyOf(asking, sweepQuestion);
    if (!key)
      return sweep_.halt();
    const auto make = [key](const Run& run, Parts<KernelSweep>& parts) {
      const auto onPart = [&](const KernelSweep& part) {
        parts.publish(std::make_shared<const KernelSweep>(part));
      };
      return std::make_shared<const KernelSweep>(
          kernelSweep(key->question, key->input, onPart, run));
    };
    sweep_.askInParts(asking, "errors of features", *key, make);
    noteProblem(results_.sweep, results_.problem);
  }

  void askMatrices(const Asking& asking) {
    const auto key = keyOf(asking, matricesQuestion);
    if (!key)
      return matrices_.halt();
    matrices_.ask(asking, "attention and its estimate", *key,
                  [](const KernelsKey& of, const Run& run) {
                    return kernelMatrices(of.question, of.input, run);
                  });
    noteProblem(results_.matrices, results_.problem);
  }

  void askSpectrum(const Asking& asking) {
    const auto key = keyOf(asking, spectrumQuestion);
    if (!key)
      return spectrum_.halt();
    spectrum_.ask(asking, "singular values", *key, [](const KernelsKey& of, const Run& run) {
      return kernelSpectrum(of.question, of.input, run);
    });
    noteProblem(results_.spectrum, results_.problem);
  }

  void show(const Asking& asking) {
    const KernelsSpec& spec = asking.scene.kernels;
    KernelsShownKey key{spec, {}};
    key.answer.sweep = results_.sweep.value;
    key.answer.matrices = results_.matrices.value;
    key.answer.spectrum = results_.spectrum.value;
    if (spec.picture == KernelsPicture::Order) {
      const auto shapes = madeOrProblem(
          [&] { return productShapes(asking.scene, all_.lengths, all_.input.value.get()); });
      results_.problem = shapes.problem;
      key.answer.shapes = shapes.value ? *shapes.value : ProductShapes();
    }
    const bool whole = !results_.sweep.pending && !results_.sweep.stale;
    if (whole && !results_.problem)
      results_.problem = problemOfPicture(key);
    if (results_.problem || !complete(spec, key.answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", key, makeKernelsShown);
  }

  // What the picture does not read is dropped, and its jobs end.
  void dropUnread(KernelsPicture picture) {
    const bool curves = picture == KernelsPicture::Error;
    if (!curves)
      sweep_.drop();
    if (!curves && picture != KernelsPicture::Matrices && picture != KernelsPicture::Normalisers)
      matrices_.drop();
    if (picture != KernelsPicture::Spectrum)
      spectrum_.drop();
  }

  StageOf<KernelsKey, KernelSweep> sweep_{results_.sweep};
  StageOf<KernelsKey, KernelMatrices> matrices_{results_.matrices};
  StageOf<KernelsKey, KernelSpectrum> spectrum_{results_.spectrum};
  StageOf<KernelsShownKey, KernelsShown> shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> kernelsStages(Results& results) {
  return std::make_unique<KernelsStages>(results);
}

} // namespace attention::gui
