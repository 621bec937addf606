#include "core/views/view_unit.h"

#include "core/support/error.h"
#include "core/views/hashing/hashing_figure.h"
#include "core/views/hashing/scene_hashing.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <array>
#include <functional>

namespace attention {
namespace {

HashingAnswer answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return hashingAnswer(scene, lengthsIn(scene, options), headIn(scene, options),
                       threaded(run, options));
}

// The matrices before and after, and what is kept of attention, as the view has them there.
void addBelowSorting(Figure& figure, const Scene& scene, const HashingAnswer& sorted,
                     const std::function<HashingAnswer(const Scene&)>& answerOf) {
  keepAsFallback(figure);
  figure.panels.front().alone = true;
  Scene other = scene;
  other.hashing.picture = HashingPicture::Matrices;
  std::vector<FigurePanel> matrices = hashingPanels(other.hashing, sorted);
  matrices.resize(std::min<std::size_t>(matrices.size(), 2)); // without centroids
  for (FigurePanel& panel : matrices)
    figure.panels.push_back(std::move(panel));
  other.hashing.picture = HashingPicture::Captured;
  try {
    FigurePanel captured = hashingPanels(other.hashing, answerOf(other)).front();
    captured.title = "what is kept of attention";
    std::get<CurvesMark>(captured.plots.front().mark).aspect = 1; // as high as the matrices
    figure.panels.push_back(std::move(captured));
  } catch (const Error& error) {
    addToCaption(figure,
                 std::string("The plot of captured mass is not shown: ") + error.what() + ".");
  }
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const HashingAnswer answer = answerOf(scene, options, run);
  Figure figure = inWordsOf(scene, hashingFigure(scene.hashing, answer, options.theme));
  if (scene.hashing.picture == HashingPicture::Sorting && !isPublished(scene))
    addBelowSorting(figure, scene, answer, [&](const Scene& captured) {
      return answerOf(captured, options, run.quiet());
    });
  return figure;
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return hashingTable(scene.hashing, answerOf(scene, options, run));
}

void writeNumbers(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  writeHashingNpy(scene.hashing, answerOf(scene, options, run), path);
}

constexpr std::array kForms{
    DataForm{".npy", "The picture's numbers: scores, groups and ranks, the sorted matrix, curves",
             writeNumbers},
    DataForm{".csv", "The picture's numbers as a table", writeTable<tableOf>}};

bool isCircle(const Scene& scene) {
  return scene.hashing.picture == HashingPicture::Circle;
}

bool groupsByPattern(const Scene& scene) {
  return !isCircle(scene) && hasGroups(scene);
}

bool hashesInput(const Scene& scene) {
  return !isCircle(scene);
}

bool sameKind(const Scene& a, const Scene& b) {
  return a.hashing.picture == b.hashing.picture;
}

void ignoreLooks(Scene& looked, const Scene& own) {
  looked.hashing.round = own.hashing.round;
}

std::vector<Moving> movingIn(const Scene& scene, Index n) {
  const HashingSpec& spec = scene.hashing;
  if (spec.picture == HashingPicture::Sorting) {
    Moving moment{"moment",
                  0,
                  1,
                  false,
                  [](Scene& s, double at) { s.hashing.moment = std::clamp(at, 0.0, 1.0); },
                  true};
    moment.plays = true;
    return {std::move(moment)};
  }
  if (isCircle(scene))
    return {{"redraws", static_cast<double>(spec.circle.redraws),
             static_cast<double>(spec.circle.redraws + kSweptRedraws), true,
             [](Scene& s, double value) { s.hashing.circle.redraws = whole(value); }}};
  if (spec.picture == HashingPicture::Scores || spec.picture == HashingPicture::Cache)
    return {movingQuery(n)};
  return {};
}

std::string pictureOf(const Scene& scene) {
  return pictureName(hashingSettings(), scene.hashing);
}

} // namespace

ViewUnit hashingUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .copySpec = takeMember<&Scene::hashing>,
          .drawsOwnPattern = groupsByPattern,
          .takesInput = hashesInput,
          .picture = pictureOf,
          .showsInput = always,
          .sameKind = sameKind,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn};
}

} // namespace attention
