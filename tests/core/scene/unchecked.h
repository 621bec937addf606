// What the window and the command line ask of a Scene before anything has checked its values:
// lengths, titles, words, what can move. Every question must be answered, or refused with an Error,
// whatever the values are. Tests and fuzz targets ask all of it; so do those of the window.
#pragma once

#include "core/scene/kernels_spec.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/views/animation.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "tests/core/pattern/unchecked.h"

#include <nlohmann/json.hpp>

namespace attention::test {

// A Scene in which every field is written.
inline Scene everyField() {
  Scene scene;
  scene.title = "title";
  scene.caption = "caption of 64 cells";
  scene.source = "source";
  scene.about = View::Mask;
  scene.labels = {"a", "b"};
  scene.length.n = 24;
  scene.length.queries = 20;
  RandomInput random;
  random.n = 24;
  random.keys = 24;
  random.d = 4;
  scene.input.source = random;
  scene.mask.image.rows = 4;
  scene.mask.image.columns = 6;
  scene.mask.heads.dilations = {1, 2, 3, 4};
  scene.mask.check.model = "mistral-7b-v0.1";
  Panel panel{"panel", patternNamed("fixed")};
  panel.parts = {{"part", Index{1}}};
  panel.queries = {"q"};
  panel.keys = {"k"};
  scene.reach.stack = {panel};
  scene.reach.beside = {Panel{"beside", patternNamed("longformer")}};
  scene.reach.models = {{"gemma-3-1b", ""}, {"", R"({"model_type": "llama"})"}};
  scene.reach.shown = 2;
  scene.timings.mechanisms = usualMechanisms();
  scene.timings.from = 16;
  scene.timings.to = 32;
  scene.encodings.n = 100;
  scene.compare.patterns = usualCompared();
  scene.compare.scored = usualScored();
  scene.model.model = "model.gguf";
  scene.model.text = "text.txt";
  scene.model.typed = "It is a truth";
  scene.model.ids = {1, 2, 3};
  scene.model.n = 16;
  scene.model.variants = {
      {"window", {{"0-1,3", "all", patternNamed("local")}, {"all", "0", patternNamed("sinks")}}},
      {"none", {}}};
  scene.kernels.length = 24;
  scene.kernels.repeats = 2;
  scene.kernels.projections = {4, 8};
  scene.kernels.chosen = 8;
  scene.kernels.cells = 8;
  scene.camera = Camera{4, 5, 6};
  scene.pins = {7, 3};
  return scene;
}

inline void askUnchecked(const Scene& scene) {
  ask([&] { wordsOf(scene); });
  ask([&] { filesOf(scene); });
  ask([&] {
    Scene edited = scene;
    dropStaleWords(edited, Scene());
  });
  ask([&] { KernelsReads{scene.kernels}; });
  ask([&] { gridOf(scene.encodings); });
  ask([&] { positionOf(scene.encodings); });
  ask([&] { comparedPanels(scene.compare); });
  ask([&] { check(scene.model); });
  ask([&] { chosenVariant(scene.model); });
  ask([&] { timedSizes(scene.timings); });
  for (const Index n : {Index{1}, Index{7}, Index{64}}) {
    ask([&] { lengthsOf(scene.length, n); });
    ask([&] { cellsOf(scene.camera, squareLengths(n)); });
    ask([&] { imageShape(scene.mask.image, n); });
    ask([&] { checkShown(scene, n); });
    ask([&] { sweptLength(scene, n); });
  }
  askUnchecked(scene.pattern);
  for (const Panel& panel : drawnPatterns(scene))
    askUnchecked(panel.pattern);
}

} // namespace attention::test
