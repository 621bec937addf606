#include "core/views/view_unit.h"

#include "core/export/html_page.h"
#include "core/support/error.h"
#include "core/views/choosing/choosing_figure.h"
#include "core/views/choosing/hashed_tokens.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <array>
#include <functional>

namespace attention {
namespace {

ChoosingAnswer computed(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return choosingAnswer(scene, lengthsIn(scene, options), headIn(scene, options),
                        threaded(run, options));
}

ChoosingAnswer answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<ChoosingAnswer>();
  return ready ? *ready : computed(scene, options, run);
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  return readingOf(scene.choosing, answerOf(scene, options, run));
}

// The matrices before and after, and what is kept of attention, as the view has them there.
void addBelowSorting(Figure& figure, const Scene& scene, const ChoosingAnswer& sorted,
                     const std::function<ChoosingAnswer(const Scene&)>& answerOf) {
  keepAsFallback(figure);
  figure.panels.front().alone = true;
  Scene other = scene;
  other.choosing.picture = ChoosingPicture::Matrices;
  std::vector<FigurePanel> matrices = toldPanels(other.choosing, sorted);
  matrices.resize(std::min<std::size_t>(matrices.size(), 2)); // without centroids
  for (FigurePanel& panel : matrices)
    figure.panels.push_back(std::move(panel));
  other.choosing.picture = ChoosingPicture::Captured;
  try {
    FigurePanel captured = toldPanels(other.choosing, answerOf(other)).front();
    captured.title = "what is kept of attention";
    std::get<CurvesMark>(captured.plots.front().mark).aspect = 1; // as high as the matrices
    figure.panels.push_back(std::move(captured));
  } catch (const Error& error) {
    addToCaption(figure,
                 std::string("The plot of captured mass is not shown: ") + error.what() + ".");
  }
}

Figure figureFrom(const ChoosingAnswer& answer, const Scene& scene,
                  const SceneFigureOptions& options) {
  return inWordsOf(scene, choosingFigure(scene.choosing, answer, options.theme));
}

bool isSorting(const Scene& scene) {
  return scene.choosing.picture == ChoosingPicture::Sorting;
}

Figure wholeFigure(const ChoosingAnswer& answer, const Scene& scene,
                   const SceneFigureOptions& options, const Run& run) {
  Figure figure = figureFrom(answer, scene, options);
  if (isSorting(scene) && !isPublished(scene))
    addBelowSorting(figure, scene, answer, [&](const Scene& captured) {
      return computed(captured, options, run.quiet());
    });
  return figure;
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return wholeFigure(answerOf(scene, options, run), scene, options, run);
}

constexpr std::size_t kMostPlayed = 60; // frames

// The figure of another moment, with what stays below the sorting.
Figure sortedUpTo(double moment, const ChoosingAnswer& answer, Scene scene,
                  const SceneFigureOptions& options, const Figure& whole) {
  scene.choosing.moment = moment;
  Figure figure = figureFrom(answer, scene, options);
  figure.caption = whole.caption;
  if (whole.panels.size() < 2)
    return figure;
  keepAsFallback(figure);
  figure.panels.front().alone = true;
  figure.panels.insert(figure.panels.end(), whole.panels.begin() + 1, whole.panels.end());
  return figure;
}

// One more group is sorted in every frame; where there are many, several.
PageFigure playedSorting(const Scene& scene, const SceneFigureOptions& options,
                         const ChoosingAnswer& answer, const Run& run) {
  const Figure whole = wholeFigure(answer, scene, options, run);
  const TokenGroups& groups = answer.tokens->groups();
  const std::vector<double> moments = sortingSteps(groups, answer.tokens->round(scene.choosing));
  const std::size_t count = moments.size() - 1;
  const std::size_t each = (count - 1) / kMostPlayed + 1;
  PageFigure page;
  for (std::size_t k = 0; k <= count; k = k < count ? std::min(count, k + each) : k + 1) {
    if (moments[k] <= scene.choosing.moment)
      page.shown = page.frames.size();
    page.frames.push_back({sortedUpTo(moments[k], answer, scene, options, whole),
                           std::to_string(k) + " of " + std::to_string(count) + " " +
                               answer.tokens->groupName() + "s"});
  }
  return page;
}

// From query to query, or from step to step of a cache; queries that choose together are one frame.
PageFigure playedWalk(const Scene& scene, const SceneFigureOptions& options,
                      ChoosingAnswer answer) {
  const std::shared_ptr<const ChosenKeys> chosen = answer.chosen;
  const Index own = answer.query;
  const Index block = chosen->isCache() ? 1 : chosen->choice().queryBlock;
  const Index blocks = (chosen->n() + block - 1) / block;
  const Index each = block * ((blocks - 1) / static_cast<Index>(kMostPlayed) + 1);
  PageFigure page;
  for (Index query = own % each; query < chosen->n(); query += each) {
    answer.take(chosen, query);
    if (query == own)
      page.shown = page.frames.size();
    page.frames.push_back({figureFrom(answer, scene, options),
                           (chosen->isCache() ? "step " : "query ") + std::to_string(query)});
  }
  return page;
}

PageFigure playsIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const ChoosingPicture picture = scene.choosing.picture;
  if (picture == ChoosingPicture::Scores || picture == ChoosingPicture::Cache)
    return playedWalk(scene, options, answerOf(scene, options, run));
  if (isSorting(scene))
    return playedSorting(scene, options, answerOf(scene, options, run), run.quiet());
  return {};
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return choosingTable(scene.choosing, answerOf(scene, options, run));
}

void writeNumbers(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  writeChoosingNpy(scene.choosing, answerOf(scene, options, run), path);
}

constexpr std::array kForms{
    DataForm{".npy", "The picture's numbers: scores, groups and ranks, the sorted matrix, curves",
             writeNumbers},
    DataForm{".csv", "The picture's numbers as a table", writeTable<tableOf>}};

bool isCircle(const Scene& scene) {
  return scene.choosing.picture == ChoosingPicture::Circle;
}

bool groupsByPattern(const Scene& scene) {
  return !isCircle(scene) && hasGroups(scene);
}

bool hashesInput(const Scene& scene) {
  return !isCircle(scene);
}

bool sameKind(const Scene& a, const Scene& b) {
  return a.choosing.picture == b.choosing.picture;
}

void ignoreLooks(Scene& looked, const Scene& own) {
  looked.choosing.round = own.choosing.round;
}

std::vector<Moving> movingIn(const Scene& scene, Index n) {
  const ChoosingSpec& spec = scene.choosing;
  if (isSorting(scene))
    return {{"moment", 0, 1, false,
             [](Scene& s, double at) { s.choosing.moment = std::clamp(at, 0.0, 1.0); }, true}};
  if (isCircle(scene))
    return {{"redraws", static_cast<double>(spec.circle.redraws),
             static_cast<double>(spec.circle.redraws + kSweptRedraws), true,
             [](Scene& s, double value) { s.choosing.circle.redraws = whole(value); }}};
  if (spec.picture == ChoosingPicture::Scores || spec.picture == ChoosingPicture::Cache)
    return {movingQuery(n)};
  return {};
}

std::string pictureOf(const Scene& scene) {
  return pictureName(choosingSettings(), scene.choosing);
}

} // namespace

ViewUnit choosingUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .reading = readingIn,
          .answers = giveAnswer<ChoosingAnswer, answerOf>,
          .copySpec = takeMember<&Scene::choosing>,
          .drawsOwnPattern = groupsByPattern,
          .takesInput = hashesInput,
          .picture = pictureOf,
          .showsInput = always,
          .sameKind = sameKind,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn,
          .plays = playsIn};
}

} // namespace attention
