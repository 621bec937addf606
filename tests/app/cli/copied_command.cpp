#include "tests/app/cli/copied_command.h"

#include "core/input/assets.h"
#include "core/input/npy_writer.h"
#include "core/scene/figures.h"
#include "core/scene/input_data.h"
#include "core/scene/lessons.h"

#include <array>
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

// Normal numbers of any shape.
template <std::size_t N>
void writeNormal(const std::string& file, const std::array<Index, N>& shape, std::uint64_t seed) {
  Index count = 1;
  for (const Index length : shape)
    count *= length;
  RandomInput random;
  random.n = count;
  random.d = 1;
  random.seed = seed;
  const Matrix<float> numbers = randomMatrix<float>(random, Role::Query, 0, 1);
  writeNpy<float>(file, shape, std::span<const float>(numbers.values()));
}

InputSpec specOf(FileInput files, Index batch = 0, Index head = 0) {
  InputSpec spec;
  spec.source = std::move(files);
  spec.batch = batch;
  spec.head = head;
  return spec;
}

InputSpec randomSpec(const std::string& generator, Index n) {
  RandomInput random;
  random.generator = generator;
  random.n = n;
  random.d = 8;
  random.heads = 2;
  random.seed = 3;
  InputSpec spec;
  spec.source = random;
  spec.head = 1;
  return spec;
}

// Rows sum to 1.
void writeWeights(const std::string& file, const std::array<Index, 3>& shape) {
  std::vector<float> weights(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
  const auto keys = static_cast<std::size_t>(shape[2]);
  for (std::size_t row = 0; row < weights.size() / keys; ++row) {
    float sum = 0;
    for (std::size_t j = 0; j < keys; ++j)
      sum += weights[row * keys + j] = static_cast<float>(1 + (row * 7 + j * 5) % 11);
    for (std::size_t j = 0; j < keys; ++j)
      weights[row * keys + j] /= sum;
  }
  writeNpy<float>(file, shape, std::span<const float>(weights));
}

std::vector<NamedInput> filesOf(const TemporaryFolder& folder) {
  const auto file = [&](const char* name) { return folder.file(name); };
  writeNormal(file("q.npy"), std::array<Index, 4>{2, 2, 24, 8}, 1);
  writeNormal(file("k.npy"), std::array<Index, 4>{2, 2, 24, 8}, 2);
  writeNormal(file("v.npy"), std::array<Index, 4>{2, 2, 24, 6}, 3);
  writeNormal(file("short q's.npy"), std::array<Index, 3>{2, 12, 8}, 4);
  writeNormal(file("k3.npy"), std::array<Index, 3>{2, 24, 8}, 5);
  writeNormal(file("v3.npy"), std::array<Index, 3>{2, 24, 8}, 6);
  writeNormal(file("x.npy"), std::array<Index, 2>{24, 16}, 7);
  writeNormal(file("w.npy"), std::array<Index, 2>{16, 16}, 8);
  writeWeights(file("a.npy"), {2, 24, 24});
  FileInput three;
  three.q = file("q.npy");
  three.k = file("k.npy");
  three.v = file("v.npy");
  FileInput shared;
  shared.qk = file("k3.npy");
  shared.v = file("v3.npy");
  FileInput fewer;
  fewer.q = file("short q's.npy");
  fewer.k = file("k3.npy");
  fewer.v = file("v3.npy");
  FileInput embedded;
  embedded.x = file("x.npy");
  embedded.wq = embedded.wk = embedded.wv = file("w.npy");
  embedded.heads = 2;
  FileInput one;
  one.input = file("x.npy");
  FileInput ready;
  ready.attention = file("a.npy");
  return {{"q, k and v", specOf(three, 1, 1)},
          {"shared queries and keys", specOf(shared, 0, 1)},
          {"fewer queries than keys", specOf(fewer)},
          {"embeddings with weights", specOf(embedded, 0, 1)},
          {"one array", specOf(one)},
          {"ready weights", specOf(ready, 0, 1)}};
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

std::vector<NamedScene> shippedScenes() {
  std::vector<NamedScene> scenes;
  for (const ShippedFigure& figure : listFigures(assetFolder()))
    scenes.push_back({figure.name, findFigure(assetFolder(), figure.name)});
  for (const Lesson& lesson : readLessons(assetFolder()))
    for (const LessonStep& step : lesson.steps)
      scenes.push_back({lesson.title + ", " + step.title, step.scene});
  for (NamedScene& scene : scenes)
    shrink(scene.scene);
  return scenes;
}

std::vector<NamedInput> kindsOfInput(const TemporaryFolder& folder) {
  InputSpec sample;
  sample.source = AssetInput{"minilm_alice"};
  sample.batch = 2;
  sample.head = 5;
  std::vector<NamedInput> kinds{{"its own", {}},
                                {"none", InputSpec()},
                                {"the sample", sample},
                                {"random, longer", randomSpec("gaussian", 24)},
                                {"random, shorter", randomSpec("clustered", 16)}};
  for (NamedInput& files : filesOf(folder))
    kinds.push_back(std::move(files));
  return kinds;
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
  ShownScene shown;
  shown.input = loadInput(scene.input, samplePath);
  shown.lengths = currentLengths(scene.length, shown.input.get());
  shown.scene = std::move(scene);
  return shown;
}

} // namespace attention::cli
