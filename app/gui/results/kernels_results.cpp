#include "app/gui/results/kernels_results.h"

namespace attention::gui {
namespace {

using Question = KernelsQuestion (*)(const Scene&, const Lengths&);

// The key of a part; nothing where the Scene asks what has no answer, which is the picture's
// problem then.
std::shared_ptr<const KernelsKey> keyOf(const KernelsAsking& asking, Question question,
                                        KernelsResults& results) {
  const auto key = outcomeOf<KernelsKey>(
      [&](const Run&) {
        KernelsKey made{question(asking.scene, asking.lengths), {}};
        if (made.question.spec.loaded)
          made.input = {asking.input.value, asking.scene.input.batch, asking.scene.input.head};
        return std::make_shared<const KernelsKey>(std::move(made));
      },
      {});
  if (!key.value)
    results.problem = key.problem;
  return key.value;
}

template <class T>
using Make = T (*)(const KernelsQuestion&, const KernelsInput&, const Run&);

// A job that makes a shared T from its key.
template <class T>
auto making(Make<T> make, const KernelsKey& key) {
  return [make, key](const Run& run) {
    return std::make_shared<const T>(make(key.question, key.input, run));
  };
}

// Why the numbers that there are make no picture.
std::optional<Problem> problemOfPicture(const KernelsShownKey& key) {
  return outcomeOf<KernelsShownKey>(
             [&](const Run&) {
               requirePicture(key.spec, key.answer);
               return nullptr;
             },
             {})
      .problem;
}

} // namespace

bool readsInput(const KernelsSpec& spec) {
  return spec.loaded && spec.picture != KernelsPicture::Ratio;
}

void KernelsStages::update(const KernelsAsking& asking, KernelsResults& results) {
  const KernelsSpec& spec = asking.scene.kernels;
  results.problem.reset();
  dropUnread(spec.picture, results);
  if (readsInput(spec) && !asking.input && asking.input.pending)
    return waitForInput(results);
  switch (spec.picture) {
  case KernelsPicture::Error:
    askMatrices(asking, results); // quick, and beside the curves
    askSweep(asking, results);
    break;
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    askMatrices(asking, results);
    break;
  case KernelsPicture::Spectrum:
    askSpectrum(asking, results);
    break;
  case KernelsPicture::Ratio:
  case KernelsPicture::Order:
    break;
  }
  show(asking, results);
}

void KernelsStages::askSweep(const KernelsAsking& asking, KernelsResults& results) {
  const auto key = keyOf(asking, sweepQuestion, results);
  if (!key)
    return halt(sweep_, results.sweep);
  const auto make = [key](const Run& run, Parts<KernelSweep>& parts) {
    const auto onPart = [&](const KernelSweep& part) {
      parts.publish(std::make_shared<const KernelSweep>(part));
    };
    return std::make_shared<const KernelSweep>(kernelSweep(key->question, key->input, onPart, run));
  };
  results.sweep = sweep_.askInParts(asking.pool, "errors of features", *key, make, asking.patience);
  noteProblem(results.sweep, results.problem);
}

void KernelsStages::askMatrices(const KernelsAsking& asking, KernelsResults& results) {
  const auto key = keyOf(asking, matricesQuestion, results);
  if (!key)
    return halt(matrices_, results.matrices);
  results.matrices = matrices_.ask(asking.pool, "attention and its estimate", *key,
                                   making<KernelMatrices>(kernelMatrices, *key), asking.patience);
  noteProblem(results.matrices, results.problem);
}

void KernelsStages::askSpectrum(const KernelsAsking& asking, KernelsResults& results) {
  const auto key = keyOf(asking, spectrumQuestion, results);
  if (!key)
    return halt(spectrum_, results.spectrum);
  results.spectrum = spectrum_.ask(asking.pool, "singular values", *key,
                                   making<KernelSpectrum>(kernelSpectrum, *key), asking.patience);
  noteProblem(results.spectrum, results.problem);
}

void KernelsStages::show(const KernelsAsking& asking, KernelsResults& results) {
  const KernelsSpec& spec = asking.scene.kernels;
  KernelsShownKey key{spec, {}};
  key.answer.sweep = results.sweep.value;
  key.answer.matrices = results.matrices.value;
  key.answer.spectrum = results.spectrum.value;
  if (spec.picture == KernelsPicture::Order) {
    const auto shapes = outcomeOf<ProductShapes>(
        [&](const Run&) {
          return std::make_shared<const ProductShapes>(
              productShapes(asking.scene, asking.lengths, asking.input.value.get()));
        },
        {});
    results.problem = shapes.problem;
    key.answer.shapes = shapes.value ? *shapes.value : ProductShapes();
  }
  const bool whole = !results.sweep.pending && !results.sweep.stale;
  if (whole && !results.problem)
    results.problem = problemOfPicture(key);
  if (results.problem || !complete(spec, key.answer))
    return halt(shown_, results.shown);
  const auto make = [key](const Run& run) {
    return std::make_shared<const KernelsShown>(makeKernelsShown(key, run));
  };
  results.shown = shown_.ask(asking.pool, "the picture", key, make, asking.patience);
}

void KernelsStages::waitForInput(KernelsResults& results) {
  haltAll(results);
  results.shown.pending = true;
}

void KernelsStages::haltAll(KernelsResults& results) {
  halt(sweep_, results.sweep);
  halt(matrices_, results.matrices);
  halt(spectrum_, results.spectrum);
  halt(shown_, results.shown);
}

// What the picture does not read is forgotten, and its jobs end.
void KernelsStages::dropUnread(KernelsPicture picture, KernelsResults& results) {
  const bool curves = picture == KernelsPicture::Error;
  if (!curves) {
    sweep_.drop();
    results.sweep = {};
  }
  if (!curves && picture != KernelsPicture::Matrices && picture != KernelsPicture::Normalisers) {
    matrices_.drop();
    results.matrices = {};
  }
  if (picture != KernelsPicture::Spectrum) {
    spectrum_.drop();
    results.spectrum = {};
  }
}

void KernelsStages::drop() {
  sweep_.drop();
  matrices_.drop();
  spectrum_.drop();
  shown_.drop();
}

void KernelsStages::retry() {
  sweep_.retry();
  matrices_.retry();
  spectrum_.retry();
  shown_.retry();
}

bool KernelsStages::pending() const {
  return sweep_.pending() || matrices_.pending() || spectrum_.pending() || shown_.pending();
}

} // namespace attention::gui
