#include "app/gui/views/hashing/hashing_view.h"

namespace attention::gui {
namespace {

constexpr std::size_t kMostSmall = 5; // rounds, beside all of them together

void addSmall(HashingShown& shown, const Run& run) {
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
std::vector<FigurePanel> matricesBelow(const HashingShown& shown) {
  HashingSpec spec = shown.spec;
  spec.picture = HashingPicture::Matrices;
  std::vector<FigurePanel> panels = hashingPanels(spec, shown.answer);
  panels.resize(std::min<std::size_t>(panels.size(), 2)); // without centroids
  for (FigurePanel& panel : panels)
    for (Plot& plot : panel.plots) {
      plot.keys.reset();
      plot.queries.reset();
    }
  return panels;
}

} // namespace

HashingShown makeHashingShown(const HashingSpec& spec, const HashingAnswer& answer,
                              const Run& run) {
  HashingShown shown;
  shown.spec = spec;
  shown.answer = answer;
  shown.title = hashingTitle(spec, answer);
  shown.caption = hashingCaption(spec, answer);
  if (spec.picture == HashingPicture::Sorting)
    shown.panels = matricesBelow(shown);
  else
    shown.panels = hashingPanels(spec, answer);
  if (spec.picture == HashingPicture::Matrices)
    addSmall(shown, run);
  run.check();
  shown.facts = hashingFacts(spec, answer);
  shown.reading = readingOf(spec, answer);
  return shown;
}

} // namespace attention::gui
