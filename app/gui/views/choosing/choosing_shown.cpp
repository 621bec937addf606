#include "app/gui/views/choosing/choosing_view.h"

namespace attention::gui {
namespace {

constexpr std::size_t kMostSmall = 5; // rounds, beside all of them together

void addSmall(ChoosingShown& shown, const Run& run) {
  const HashedTokens& tokens = *shown.answer.tokens;
  const std::size_t rounds = tokens.groups().rounds.size();
  if (tokens.groups().kind != GroupKind::Buckets || rounds < 2)
    return;
  for (std::size_t r = 0; r < std::min(rounds, kMostSmall); ++r) {
    run.check();
    shown.small.push_back(
        {"round " + std::to_string(r), smallMatrix(tokens, shown.spec, r), r, false});
  }
  shown.small.push_back(
      {"all rounds", smallMatrix(tokens, shown.spec, std::nullopt), std::nullopt, true});
}

// The matrices below the sorting, with less beside them.
std::vector<FigurePanel> matricesBelow(const ChoosingShown& shown) {
  ChoosingSpec spec = shown.spec;
  spec.picture = ChoosingPicture::Matrices;
  std::vector<FigurePanel> panels = choosingPanels(spec, shown.answer);
  panels.resize(std::min<std::size_t>(panels.size(), 2)); // without centroids
  for (FigurePanel& panel : panels)
    for (Plot& plot : panel.plots) {
      plot.keys.reset();
      plot.queries.reset();
    }
  return panels;
}

} // namespace

ChoosingShown makeChoosingShown(const ChoosingSpec& spec, const ChoosingAnswer& answer,
                                const Run& run) {
  ChoosingShown shown;
  shown.spec = spec;
  shown.answer = answer;
  shown.title = choosingTitle(spec, answer);
  shown.caption = choosingCaption(spec, answer);
  if (spec.picture == ChoosingPicture::Sorting)
    shown.panels = matricesBelow(shown);
  else
    shown.panels = choosingPanels(spec, answer);
  if (spec.picture == ChoosingPicture::Matrices)
    addSmall(shown, run);
  run.check();
  shown.facts = choosingFacts(spec, answer);
  shown.reading = readingOf(spec, answer);
  return shown;
}

} // namespace attention::gui
