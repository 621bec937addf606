// A small Scene of the Attention view, and the parts of its picture.
#pragma once

#include "core/views/attention/attention_figure.h"
#include "core/views/scene_figure.h"
#include "tests/core/pattern/pattern_text.h"

namespace attention {

inline Scene smallAttention(AttentionPicture picture, Index n = 24, Index heads = 3) {
  Scene scene;
  scene.view = View::Attention;
  scene.attention.picture = picture;
  scene.pattern = patternFrom("strided", R"({"stride": 5})");
  RandomInput random;
  random.n = n;
  random.d = 4;
  random.heads = heads;
  random.parameters["sigma"] = {2};
  scene.input.source = random;
  return scene;
}

inline SceneFigureOptions optionsFor(const Scene& scene) {
  SceneFigureOptions options;
  options.input = loadInput(scene.input);
  return options;
}

struct Shown {
  AttentionAnswer answer;
  AttentionLook look;
};
inline Shown shownOf(const Scene& scene) {
  const auto input = loadInput(scene.input);
  const Lengths lengths = lengthsOf(scene.length, input->keys);
  const ModelHead head = modelHead(scene, input);
  return {attentionAnswer(scene, lengths, head), attentionLook(scene, lengths, head)};
}

} // namespace attention
