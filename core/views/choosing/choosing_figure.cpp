#include "core/views/choosing/choosing_figure.h"

#include "core/scene/input_data.h"

#include <algorithm>

namespace attention {
namespace {

std::vector<FigurePanel> matrixPanels(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  const HashedTokens& tokens = *answer.tokens;
  const std::size_t round = tokens.round(spec);
  const std::string of =
      tokens.groups().rounds.size() > 1 ? ", round " + std::to_string(round) : "";
  const std::string by = "by " + tokens.groupName();
  FigurePanel standing{"original order", {groupedMatrix(tokens, spec, false, answer.labels)}, {}};
  standing.briefly = {"unsorted"};
  FigurePanel sorted{"sorted " + by + of, {groupedMatrix(tokens, spec, true, answer.labels)}, {}};
  sorted.briefly = {by + of, by};
  std::vector<FigurePanel> panels{std::move(standing), std::move(sorted)};
  if (auto centroids = centroidsPlot(tokens))
    panels.push_back({"centroids", {std::move(*centroids)}, {}});
  return panels;
}

std::vector<FigurePanel> circlePanels(const CircleAnswer& answer) {
  std::vector<FigurePanel> panels;
  for (std::size_t round = 0; round < answer.rounds.size(); ++round) {
    FigurePanel panel{"round " + std::to_string(round), {}, {}};
    for (std::size_t pair = 0; pair < answer.pairs.size(); ++pair)
      panel.plots.push_back(circlePlot(answer, pair, round));
    panels.push_back(std::move(panel));
  }
  panels.push_back({"how often in one bucket", {circleSharesPlot(answer)}, {}});
  return panels;
}

Curve sharesCurve(const CapturedCurves& curves, const char* label, double CapturedPoint::*member,
                  std::size_t hue, Dash dash) {
  Curve curve;
  curve.label = label;
  curve.hue = hue;
  curve.dash = dash;
  for (const CapturedPoint& point : curves.points)
    curve.points.push_back({static_cast<double>(point.count), point.*member});
  return curve;
}

} // namespace

void ChoosingAnswer::take(std::shared_ptr<const ChosenKeys> keys, Index shown) {
  chosen = std::move(keys);
  query = shown;
  row = chosen->isCache() ? nullptr : std::make_shared<const ChoiceRow>(choiceRow(*chosen, query));
  step = chosen->isCache() ? std::make_shared<const CacheStep>(cacheStep(*chosen, query)) : nullptr;
}

ChoosingAnswer choosingAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& input,
                              const Run& run) {
  ChoosingAnswer answer;
  const ChoosingSpec& spec = scene.choosing;
  if (spec.picture == ChoosingPicture::Circle) {
    answer.circle = std::make_shared<const CircleAnswer>(circleAnswer(spec.circle, run));
    return answer;
  }
  if (isChoice(spec.picture)) {
    const ChoosingQuestion question = choosingQuestion(scene, lengths);
    answer.query = choosingQuery(scene, question.n);
    answer.labels = keptTokenLabels(scene, input.input.get(), question.n);
    if (spec.picture == ChoosingPicture::Budget)
      answer.budget = std::make_shared<const BudgetCurves>(budgetCurves(question, input, {}, run));
    if (spec.picture != ChoosingPicture::Budget)
      answer.take(std::make_shared<const ChosenKeys>(chosenKeys(question, input, run)),
                  answer.query);
    return answer;
  }
  const ChoosingQuestion question = groupsQuestion(scene, lengths);
  answer.labels = keptTokenLabels(scene, input.input.get(), question.n);
  if (spec.picture == ChoosingPicture::Captured)
    answer.curves =
        std::make_shared<const CapturedCurves>(capturedCurves(question, spec, input, {}, run));
  else
    answer.tokens = std::make_shared<const HashedTokens>(hashedTokens(question, input, run));
  return answer;
}

bool complete(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
  case ChoosingPicture::Matrices:
    return answer.tokens != nullptr;
  case ChoosingPicture::Captured:
    return answer.curves != nullptr;
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    return answer.chosen != nullptr;
  case ChoosingPicture::Budget:
    return answer.budget != nullptr;
  case ChoosingPicture::Circle:
    break;
  }
  return answer.circle != nullptr;
}

std::vector<FigurePanel> choosingPanels(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
    return {{"", {sortingPlot(*answer.tokens, spec, answer.labels)}, {}}};
  case ChoosingPicture::Matrices:
    return matrixPanels(spec, answer);
  case ChoosingPicture::Captured:
    return {{"", {capturedPlot(*answer.curves)}, {}}};
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    return choicePanels(*answer.chosen, answer.look());
  case ChoosingPicture::Budget:
    return {{"", {budgetPlot(*answer.budget)}, {}}};
  case ChoosingPicture::Circle:
    break;
  }
  return circlePanels(*answer.circle);
}

Figure choosingFigure(const ChoosingSpec& spec, const ChoosingAnswer& answer, FigureTheme theme) {
  Figure figure;
  figure.theme = theme;
  figure.title = choosingTitle(spec, answer);
  figure.caption = choosingCaption(spec, answer);
  figure.source = choosingSourceText(spec, answer);
  figure.panels = toldPanels(spec, answer);
  figure.legend = choosingLegend(spec, answer, theme);
  return figure;
}

Plot capturedPlot(const CapturedCurves& curves) {
  CurvesMark mark;
  const bool rounds = curves.kind == GroupKind::Buckets;
  const auto least = static_cast<double>(curves.counts.front());
  const auto most = static_cast<double>(std::max(curves.counts.back(), curves.counts.front() + 1));
  const char* label =
      rounds ? "hash rounds" : (curves.kind == GroupKind::Clusters ? "clusters k" : "centroids k");
  mark.x = {label, rounds ? Scale::Linear : Scale::Log2, least, most, true};
  mark.y = {"share", Scale::Linear, 0, 1, false};
  const std::string recall =
      "recall of " + (curves.others ? std::to_string(curves.recallKeys) + " others"
                                    : "top " + std::to_string(curves.recallKeys));
  mark.curves = {sharesCurve(curves, "captured mass", &CapturedPoint::mass, 0, Dash::Solid),
                 sharesCurve(curves, recall.c_str(), &CapturedPoint::recall, 1, Dash::Dashed),
                 sharesCurve(curves, "at random", &CapturedPoint::random, 2, Dash::Dotted)};
  mark.curves.front().briefly = "mass";
  mark.uprights = {{static_cast<double>(curves.current), "current"}};
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
