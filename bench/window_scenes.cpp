#include "bench/window_scenes.h"

#include "app/gui/state/document.h"
#include "core/pattern/mechanism/all.h"
#include "core/views/attention/scene_attention.h"
#include "core/views/choosing/hashed_tokens.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/reach/scene_reach.h"

namespace attention::gui {
namespace {

Scene sceneOf(View view, Index n) {
  Scene scene = defaultScene();
  scene.view = view;
  scene.input = InputSpec();
  scene.length.n = n;
  scene.pins = {};
  return scene;
}

Scene withInput(Scene scene, Index n, Index heads = 1) {
  RandomInput random;
  random.n = n;
  random.generator = "clustered";
  random.heads = heads;
  scene.input.source = random;
  return scene;
}

// l of a strided pattern.
void dragStride(Scene& scene, Index k) {
  set(scene.pattern, "stride", Value(16 + k % 64));
}
void dragSeed(Scene& scene, Index k) {
  set(scene.pattern, "seed", Value(1 + k));
}

HeavyScene kernels(const std::string& name, KernelsPicture picture) {
  HeavyScene heavy{"kernels " + name, sceneOf(View::Kernels, 1024), {}};
  KernelsSpec& spec = heavy.scene.kernels;
  spec.picture = picture;
  spec.length = kMostKernelsLength;
  spec.d = 64;
  spec.chosen = kMostKernelProjections;
  spec.cells = static_cast<Index>(settingNamed(kernelsSettings(), "cells").bounds({}, 1).maximum);
  spec.projections = {64, 512, kMostKernelProjections};
  heavy.drag = [](Scene& s, Index k) {
    s.kernels.sigma = 0.2 + 0.01 * static_cast<double>(k % 50);
  };
  return heavy;
}

HeavyScene hashing(const std::string& name, ChoosingPicture picture) {
  HeavyScene heavy{"hashing " + name,
                   withInput(sceneOf(View::Choosing, kMostHashedTokens), kMostHashedTokens),
                   dragSeed};
  Lsh lsh;
  lsh.rounds = 8;
  heavy.scene.pattern = lsh;
  heavy.scene.choosing.picture = picture;
  heavy.scene.choosing.most = kMostRoundsSwept;
  return heavy;
}

HeavyScene attention(const std::string& name, AttentionPicture picture, Index n, Index heads) {
  HeavyScene heavy{"attention " + name, withInput(sceneOf(View::Attention, n), n, heads),
                   dragStride};
  heavy.scene.attention.picture = picture;
  return heavy;
}

std::vector<HeavyScene> masks() {
  HeavyScene closed{"mask, closed form", sceneOf(View::Mask, Index{1} << 24), dragStride};
  HeavyScene tables{"mask, tables", sceneOf(View::Mask, Index{1} << 20), dragSeed};
  tables.scene.pattern = BigBird{};
  HeavyScene formula{"mask, formula", sceneOf(View::Mask, 16384), [](Scene& s, Index k) {
                       s.pattern = Expr{"(i * j + " + std::to_string(k) + ") % 7 == 0", {}, false};
                     }};
  formula.drag(formula.scene, 0);
  HeavyScene weights{"mask, weights", withInput(sceneOf(View::Mask, 4096), 4096), dragStride};
  weights.scene.mask.weights = WeightsShown::Maximum;
  return {closed, tables, formula, weights};
}

HeavyScene reach() {
  HeavyScene heavy{"reach", sceneOf(View::Reach, kMostHopTokens), dragSeed};
  heavy.scene.reach.layers = kMostLayersShown;
  heavy.scene.pattern = BigBird{};
  heavy.scene.reach.beside = {Panel{"", SlidingWindow{}}, Panel{"", Fixed{}}};
  return heavy;
}

HeavyScene timings() {
  HeavyScene heavy{"timings", sceneOf(View::Timings, 1024), {}};
  heavy.scene.timings.to = kMostTimedLength;
  heavy.drag = [](Scene& s, Index k) { s.timings.d = 32 + k % 64; };
  return heavy;
}

HeavyScene encodings() {
  HeavyScene heavy{"encodings", sceneOf(View::Encodings, 1024), {}};
  EncodingsSpec& spec = heavy.scene.encodings;
  spec.l1 = kMostEncodingSide;
  spec.l2 = 4;
  spec.d1 = spec.d2 = 2048;
  spec.tables = AxialTables::Normal;
  heavy.drag = [](Scene& s, Index k) { s.encodings.seed = k; };
  return heavy;
}

HeavyScene compare() {
  HeavyScene heavy{
      "compare", withInput(sceneOf(View::Compare, kMostScoredTokens), kMostScoredTokens), {}};
  heavy.drag = [](Scene& s, Index k) {
    s.compare.patterns = usualCompared();
    s.compare.patterns.front().pattern = SlidingWindow{8 + k % 64, 0};
  };
  return heavy;
}

} // namespace

std::vector<HeavyScene> heavyScenes() {
  std::vector<HeavyScene> scenes = masks();
  scenes.push_back(reach());
  scenes.push_back(attention("maps", AttentionPicture::Maps, kMostWholeTokens, 1));
  scenes.push_back(attention("maps, long", AttentionPicture::Maps, kMostAttentionTokens, 1));
  scenes.push_back(attention("heads", AttentionPicture::Heads, 512, 64));
  scenes.push_back(kernels("errors", KernelsPicture::Error));
  scenes.push_back(kernels("matrices", KernelsPicture::Matrices));
  scenes.push_back(kernels("normalisers", KernelsPicture::Normalisers));
  scenes.push_back(kernels("ratio", KernelsPicture::Ratio));
  scenes.push_back(kernels("spectrum", KernelsPicture::Spectrum));
  scenes.push_back(hashing("sorting", ChoosingPicture::Sorting));
  scenes.push_back(hashing("matrices", ChoosingPicture::Matrices));
  scenes.push_back(hashing("captured", ChoosingPicture::Captured));
  scenes.push_back(hashing("circle", ChoosingPicture::Circle));
  scenes.push_back(timings());
  scenes.push_back(encodings());
  scenes.push_back(compare());
  return scenes;
}

} // namespace attention::gui
