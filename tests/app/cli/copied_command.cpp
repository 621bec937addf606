#include "tests/app/cli/copied_command.h"

#include "core/input/assets.h"
#include "core/model/model_input.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/figures.h"
#include "core/scene/input_data.h"
#include "core/scene/lessons.h"

#include <fstream>

namespace attention::cli {
namespace {

constexpr Index kTokens = 20;

void shrink(Scene& scene) {
  scene.length.n = std::min(scene.length.n.value_or(kTokens), kTokens);
  if (scene.length.queries)
    scene.length.queries = std::min(*scene.length.queries, *scene.length.n);
  scene.kernels.length = std::min<Index>(scene.kernels.length, 24);
  scene.kernels.d = std::min<Index>(scene.kernels.d, 8);
  scene.kernels.repeats = 2;
  scene.kernels.projections = {4, 8};
  scene.kernels.chosen = std::min<Index>(scene.kernels.chosen, 8);
  scene.kernels.layers = 2;
  scene.timings.from = 16;
  scene.timings.to = 32;
  scene.timings.heads = 1;
  scene.reach.layers = std::min<Index>(scene.reach.layers, 4);
  if (scene.reach.shown)
    scene.reach.shown = std::min(*scene.reach.shown, scene.reach.layers);
}

Pattern patternOf(const char* mechanism, Index window) {
  return patternFromJson(
      {{"mechanism", mechanism},
       {"params", {{mechanism == std::string("topk") ? "k" : "window", window}}}});
}

// Pictures of the input that figures and lessons rarely show.
std::vector<NamedScene> furtherScenes(View view) {
  std::vector<NamedScene> scenes;
  const auto add = [&](const char* name, const auto& change) {
    scenes.push_back({name, {}});
    change(scenes.back().scene);
  };
  if (view == View::Kernels) {
    for (const KernelsPicture picture :
         {KernelsPicture::Error, KernelsPicture::Spectrum, KernelsPicture::Matrices})
      add("kernels of the input", [&](Scene& scene) {
        scene.kernels.loaded = true;
        scene.kernels.picture = picture;
        scene.kernels.causal = picture == KernelsPicture::Error;
      });
  }
  if (view == View::Attention) {
    for (const AttentionPicture picture : {AttentionPicture::Heads, AttentionPicture::Lines})
      add("weights of the input", [&](Scene& scene) {
        scene.pattern = patternOf("topk", 3);
        scene.attention.picture = picture;
        scene.attention.base = AttentionBase::Causal;
      });
  }
  if (view == View::Timings)
    add("features of two sizes", [](Scene& scene) {
      TimedMechanism few;
      few.kind = TimedMechanism::Kind::Features;
      few.m = 8;
      TimedMechanism many = few;
      many.m = 16;
      scene.timings.mechanisms = {few, many};
    });
  if (view == View::Compare || view == View::Reach)
    add("keys that the input chooses", [&](Scene& scene) {
      scene.pattern = patternOf("topk", 3);
      scene.reach.stack = {{"", scene.pattern}, {"", patternOf("local", 2)}};
      scene.compare.patterns = scene.reach.stack;
    });
  return scenes;
}

} // namespace

std::vector<std::string> wordsOfShell(const std::string& line) {
  std::vector<std::string> words{""};
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k)
    if (line[k] == '\'')
      quoted = !quoted;
    else if (!quoted && line[k] == '\\')
      words.back() += line[++k];
    else if (!quoted && line[k] == ' ')
      words.emplace_back();
    else
      words.back() += line[k];
  REQUIRE_FALSE(quoted);
  return words;
}

std::string textOf(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<NamedScene> scenesOf(View view) {
  std::vector<NamedScene> scenes = furtherScenes(view);
  for (const ShippedFigure& figure : listFigures(assetFolder()))
    scenes.push_back({figure.name, findFigure(assetFolder(), figure.name)});
  for (const Lesson& lesson : readLessons(assetFolder()))
    for (const LessonStep& step : lesson.steps)
      scenes.push_back({lesson.title + ", " + step.title, step.scene});
  for (NamedScene& scene : scenes)
    shrink(scene.scene);
  return scenes;
}

bool ShownScene::covered() const {
  return input && covers(*input, lengths, scene.length.align);
}

ShownScene shownOf(Scene scene, View view, const NamedInput& kind) {
  scene.view = view;
  if (kind.spec) {
    scene.input = *kind.spec;
    scene.labels = {};
  }
  if (kind.with)
    kind.with(scene);
  ShownScene shown;
  shown.input = openInput(scene.input);
  shown.lengths = currentLengths(scene.length, shown.input.get());
  shown.scene = std::move(scene);
  return shown;
}

} // namespace attention::cli
