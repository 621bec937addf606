// What the pictures of the Choosing view tell where one points at them (choosing_figure.h).
#include "core/pattern/token_groups.h"
#include "core/support/number_text.h"
#include "core/views/choosing/choosing_figure.h"

#include <algorithm>

namespace attention {
namespace {

// Tokens on their way, where they came from, and the rows of all rounds. Tokens of a group move
// together, and after them everything stands still.
std::vector<PlaceWords> sortingWords(const ChoosingAnswer& answer, const ChoosingSpec& spec) {
  const HashedTokens& tokens = *answer.tokens;
  const std::size_t round = tokens.round(spec);
  const SortingPlaces places(tokens, round, spec.moment);
  std::vector<std::string> words;
  for (Index i = 0; i < tokens.n(); ++i)
    words.push_back(tokenWords(tokens, round, answer.labels, i));
  std::vector<PlaceWords> all;
  const auto add = [&](const auto& boxOf, const auto& partOf) {
    for (Index i = 0; i < tokens.n(); ++i)
      all.push_back({boxOf(i), words[static_cast<std::size_t>(i)], {}, partOf(i)});
  };
  const auto still = [&](Index) { return tokens.n(); };
  add([&](Index i) { return places.token(i); }, [&](Index i) { return places.placeOfGroup(i); });
  add([&](Index i) { return places.origin(i); }, still);
  for (std::size_t row = 0; row < places.rounds(); ++row)
    add([&](Index i) { return places.round(row, i); }, still);
  return all;
}

// Whole columns: a bar's number is told wherever one points above or below it.
std::vector<PlaceWords> barWords(const CurvesMark& mark,
                                 const std::function<std::string(Index)>& wordsOf) {
  std::vector<PlaceWords> all;
  for (Index x = 0; static_cast<double>(x) < mark.x.end; ++x)
    if (std::string words = wordsOf(x); !words.empty())
      all.push_back({{static_cast<double>(x) - 0.5, mark.y.begin, 1, mark.y.end - mark.y.begin},
                     std::move(words)});
  return all;
}

std::shared_ptr<const MaskBehind> timeLineOf(const ChosenKeys& of) {
  auto behind = std::make_shared<MaskBehind>();
  behind->pattern = of.prepared;
  for (Index key = 0; key < of.n(); ++key)
    behind->fates.push_back(fateOf(of, key));
  return behind;
}

void tellChoice(std::vector<FigurePanel>& panels, const ChoosingAnswer& answer) {
  const ChosenKeys& of = *answer.chosen;
  auto& cells = std::get<ValuesMark>(panels.front().plots.front().mark);
  cells.behind =
      of.isCache() ? timeLineOf(of) : std::make_shared<const MaskBehind>(MaskBehind{of.prepared});
  Plot& last = panels.back().plots.front();
  const auto* bars = std::get_if<CurvesMark>(&last.mark);
  if (!bars) // a cache without weights
    return;
  last.told = [answer, bars = *bars] {
    return barWords(bars, [&](Index at) {
      return answer.step ? stepWords(*answer.chosen, *answer.step, at)
                         : rankWords(*answer.chosen, *answer.row, at);
    });
  };
}

void tellMatrices(std::vector<FigurePanel>& panels, const ChoosingSpec& spec,
                  const HashedTokens& tokens) {
  const GroupRound& round = tokens.groups().rounds[tokens.round(spec)];
  const auto behind = [&](std::size_t panel, MaskBehind mask) {
    std::get<ValuesMark>(panels[panel].plots.front().mark).behind =
        std::make_shared<const MaskBehind>(std::move(mask));
  };
  behind(0, {tokens.prepared});
  behind(1, {tokens.prepared, round.queries.order, round.keys.order});
}

void tellCircles(std::vector<FigurePanel>& panels,
                 const std::shared_ptr<const CircleAnswer>& circle) {
  for (std::size_t round = 0; round < circle->rounds.size(); ++round)
    for (std::size_t pair = 0; pair < circle->pairs.size(); ++pair)
      panels[round].plots[pair].told = [=] { return circleWords(*circle, pair, round); };
}

} // namespace

std::string listOf(const std::vector<Index>& groups) {
  std::string text;
  for (const Index group : groups)
    text += (text.empty() ? "" : ", ") + std::to_string(group);
  return text.empty() ? "none" : text;
}

std::string tokenWords(const HashedTokens& tokens, std::size_t round,
                       const std::vector<std::string>& labels, Index token) {
  const TokenGroups& groups = tokens.groups();
  const std::vector<Index> of = groups.ofQuery(round, token);
  const auto at = static_cast<std::size_t>(token);
  std::string text =
      "token " + groupedDigits(token) + (at < labels.size() ? " “" + labels[at] + "”: " : ": ");
  text += of.empty() ? "near no " + tokens.groupName()
                     : tokens.groupName() + (of.size() > 1 ? "s " : " ") + listOf(of);
  const Index rank = groups.rounds[round].queries.rank[at];
  text += ", place " + groupedDigits(rank);
  if (groups.chunk > 0)
    text += ", chunk " + groupedDigits(rank / groups.chunk);
  return text;
}

std::vector<FigurePanel> toldPanels(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  std::vector<FigurePanel> panels = choosingPanels(spec, answer);
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
    panels.front().plots.front().told = [=] { return sortingWords(answer, spec); };
    break;
  case ChoosingPicture::Matrices:
    tellMatrices(panels, spec, *answer.tokens);
    break;
  case ChoosingPicture::Circle:
    tellCircles(panels, answer.circle);
    break;
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    tellChoice(panels, answer);
    break;
  case ChoosingPicture::Captured:
  case ChoosingPicture::Budget:
    break; // curves tell their points
  }
  return panels;
}

} // namespace attention
