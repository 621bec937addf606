#include "core/views/view_unit.h"

#include "core/plot/draw_marks.h"
#include "core/plot/point_words.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/mask/mask_figure.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/scene_words.h"

#include <array>
#include <cmath>

namespace attention {
namespace {

// The names of both plots' points, and what is to be known of them.
void addNames(Figure& figure, const Plot& plot, const std::vector<ScoreLine>& lines) {
  const auto& mark = std::get<CurvesMark>(plot.mark);
  const FigureColors& colors = figureColors(figure.theme);
  std::string withoutMass;
  for (std::size_t k = 0; k < mark.named.size(); ++k) {
    const NamedPoint& point = mark.named[k];
    const Color& color = point.hue ? colors.series[*point.hue % colors.series.size()] : colors.text;
    const std::string number = std::to_string(k + 1);
    figure.legend.push_back({color, number + " " + point.label});
    if (!std::isfinite(point.at.y) && !lines[k].same)
      withoutMass += (withoutMass.empty() ? "" : ", ") + number;
  }
  addToCaption(figure, "Dashed: the Pareto fronts, the mechanisms that no other beats in both.");
  if (!withoutMass.empty())
    addToCaption(figure, "No captured mass, since they leave no key out: " + withoutMass + ".");
}

using Scores = std::vector<ScoreLine>;

// With S31's numbers where `wanted` says so of the lines.
template <class Wanted>
Scores scoresIn(const Scene& scene, const SceneFigureOptions& options, Wanted wanted,
                const Run& run) {
  const ScoresQuestion question = scoresQuestion(scene, lengthsIn(scene, options));
  const ModelHead head = headIn(scene, options);
  Scores lines = scoresOf(question, head, {}, threaded(partOf(run, 0, 0.7), options));
  return wanted(lines)
             ? withChoices(std::move(lines), question, head, threaded(partOf(run, 0.7, 1), options))
             : lines;
}

Scores answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<Scores>();
  const auto told = [&](const Scores& lines) { return tellsChoices(scene.compare, lines); };
  return ready ? *ready : scoresIn(scene, options, told, run);
}

// Without an input, or where one does not suit the board, the figure says so.
void giveScores(const Scene& scene, SceneFigureOptions& options, const Run& run) {
  if (!options.input)
    return;
  try {
    giveAnswer<Scores, answerOf>(scene, options, run);
  } catch (const Error&) {
  }
}

// With numbers beside the points, whose names stand below both plots, while pointers tell the
// names.
Plot numbered(const Plot& plot) {
  Plot bare = withoutNames(plot);
  bare.told = [mark = std::get<CurvesMark>(plot.mark)] {
    std::vector<PlaceWords> words;
    for (const NamedPoint& point : mark.named)
      words.push_back({{point.at.x, point.at.y, 0, 0}, pointWords(mark, point.label, point.at)});
    return words;
  };
  return bare;
}

// How the masks differ, then what the score board says.
std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const auto masks =
      shownMasks(scene, lengthsIn(scene, options), options.input.get(), run.quiet()).masks;
  const auto chosen = [&](Index which) {
    return masks.at(static_cast<std::size_t>(which)).prepared;
  };
  const CompareSpec& spec = scene.compare;
  std::vector<std::string> said{
      differenceText(difference(chosen(spec.first), chosen(spec.second), options.threads, run))};
  if (const auto* scores = options.ready.find<Scores>())
    for (std::string& sentence : readingOf(scoresQuestion(scene, lengthsIn(scene, options)),
                                           headIn(scene, options), *scores))
      said.push_back(std::move(sentence));
  return said;
}

// The masks, and where there is an input the score board as plots, or why there is none.
Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Figure figure = masksFigure(scene, options, partOf(run, 0, 0.5));
  if (!options.input)
    return figure;
  try {
    const Scores lines = answerOf(scene, options, partOf(run, 0.5, 1));
    const std::string base = baseText(lines);
    const Plot mass = massPlot(lines);
    keepAsFallback(figure);
    figure.panels.push_back({"captured mass of " + base + " against cost", {numbered(mass)}, {}});
    figure.panels.push_back(
        {"output error from " + base + " against cost", {numbered(errorPlot(lines))}, {}});
    addNames(figure, mass, lines);
    if (const std::string choices = choicesText(lines); !choices.empty())
      addToCaption(figure, choices);
  } catch (const Error& error) {
    addToCaption(figure, std::string("No score board: ") + error.what() + ".");
  }
  return figure;
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return scoreTable(scoresIn(scene, options, anyChooses, run));
}

constexpr std::array kForms{
    DataForm{".npy", "The masks as boolean NumPy arrays, the difference's cells last", writeMasks},
    DataForm{".csv", "The score board: pairs, mass, error, recall, entropy, cost and time",
             writeTable<tableOf>}};

bool scoresPattern(const Scene& scene) {
  return timesOwn(scoredOf(scene.compare));
}

std::vector<Panel> panelsOf(const Scene& scene) {
  return comparedOf(scene.compare);
}

std::vector<Panel>& panelsIn(Scene& scene) {
  return scene.compare.patterns;
}

std::optional<std::size_t> editedOf(const Scene& scene) {
  return chosenPlace(scene.compare);
}

std::string editedNameIn(const Scene& scene) {
  return std::string("(") + static_cast<char>('a' + chosenPlace(scene.compare)) + ")";
}

std::vector<Panel> masksOf(const Scene& scene, const Lengths&) {
  return comparedPanels(scene.compare);
}

void keepMasks(Scene& scene, const Scene& from) {
  scene.compare.patterns = from.compare.patterns;
  scene.compare.first = from.compare.first;
  scene.compare.second = from.compare.second;
}

void ignoreLooks(Scene& looked, const Scene& own) {
  looked.compare.chosen = own.compare.chosen; // which one is edited
}

std::vector<Moving> movingIn(const Scene&, Index n) {
  return {movingQuery(n)};
}

} // namespace

ViewUnit compareUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .reading = readingIn,
          .answers = giveScores,
          .copySpec = takeMember<&Scene::compare>,
          .drawsOwnPattern = scoresPattern,
          .panels = panelsOf,
          .panelsIn = panelsIn,
          .edited = editedOf,
          .editedName = editedNameIn,
          .masks = masksOf,
          .keepMasks = keepMasks,
          .showsDifference = true,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn};
}

} // namespace attention
