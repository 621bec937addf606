#include "core/views/view_unit.h"

#include "core/analysis/metrics.h"
#include "core/pattern/branch_layers.h"
#include "core/support/error.h"
#include "core/views/mask/checked_mask.h"
#include "core/views/mask/mask_figure.h"
#include "core/views/mask/mask_words.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/shown_patterns.h"

#include <array>

namespace attention {
namespace {

constexpr Index kMostTextLines = 1'000'000;

// The attended pairs of the first mask.
std::string textOfPairs(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const ShownMasks shown = shownMasks(scene, lengthsIn(scene, options), options.input.get(), run);
  const Prepared& prepared = *shown.masks.front().prepared;
  const Index pairs = prepared.pairs(run);
  if (pairs > kMostTextLines)
    throwRange("pairs", std::to_string(pairs), "at most 1000000 on the clipboard; export them");
  std::string text = "i,j\n";
  KeyRanges ranges;
  for (Index i = 0; i < prepared.lengths().queries; ++i) {
    run.check();
    prepared.row(i, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          text += std::to_string(i) + "," + std::to_string(j) + "\n";
      });
  }
  return text;
}

std::vector<std::string> readingOf(const ShownMask& mask, const Pins& pins, const Run& run) {
  const Prepared& prepared = *mask.prepared;
  const RowStatistics rows =
      rowStatistics(prepared, {.rowBudget = affordableRows(prepared), .threads = run.threads}, run);
  const Base base = meaningfulBase(mask.prepared, run);
  std::vector<std::string> sentences = readMask(prepared, rows, base, run);
  if (pins.query && *pins.query >= 0 && *pins.query < prepared.lengths().queries &&
      !sentences.empty() && rows.pairs > 0)
    sentences.front() = readQuery(prepared, *pins.query, base);
  return sentences;
}

// What is asked of the first mask; its tiles are told by the caption. Too long a mask has no check.
void addFindings(std::vector<std::string>& all, const ShownMask& first, const MaskSpec& spec,
                 const Run& run) {
  const auto whereItCan = [](const auto& add) {
    try {
      add();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Range)
        throw;
    }
  };
  if (spec.check.shown)
    whereItCan([&] {
      for (std::string& sentence : readingOf(checkedMask(first.prepared, spec.check, run)))
        all.push_back(std::move(sentence));
    });
  if (spec.ranks.shown)
    whereItCan([&] {
      all.push_back(ranksSentence(rankWork(*first.prepared,
                                           {spec.ranks.ranks, spec.ranks.scheme, spec.ranks.chunk},
                                           run.threads, run)));
    });
}

// Of each mask, behind its title where there are several.
std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const ShownMasks shown = shownMasks(scene, lengthsIn(scene, options), options.input.get(), run);
  std::vector<std::string> all;
  for (const ShownMask& mask : shown.masks) {
    std::vector<std::string> sentences = readingOf(mask, scene.pins, threaded(run, options));
    if (shown.masks.size() > 1 && !sentences.empty())
      sentences.front() = letteredTitle(mask) + ": " + sentences.front();
    all.insert(all.end(), sentences.begin(), sentences.end());
  }
  addFindings(all, shown.masks.front(), scene.mask, threaded(run, options));
  if (currentWeights(scene) != WeightsShown::Off)
    for (std::string& sentence : weightSentences(*shown.masks.front().prepared))
      all.push_back(std::move(sentence));
  return all;
}

constexpr std::array kForms{
    DataForm{".npy", "The mask as a boolean NumPy array, n × n", writeMasks},
    DataForm{".csv", "The attended pairs i,j, one per line", writeMasks},
    DataForm{".mtx", "The attended pairs in Matrix Market's form", writeMasks}};

bool showsPattern(const Scene& scene) {
  return scene.mask.panels.empty();
}

std::vector<Panel> panelsOf(const Scene& scene) {
  return scene.mask.panels;
}

std::vector<Panel>& panelsIn(Scene& scene) {
  return scene.mask.panels;
}

void keepMasks(Scene& scene, const Scene& from) {
  if (from.mask.panels.empty())
    scene.pattern = from.pattern;
  if (from.mask.panels.empty() && from.mask.heads.shown != HeadsShown::One)
    scene.mask.heads = from.mask.heads;
  scene.mask.panels = from.mask.panels;
}

std::vector<Moving> movingIn(const Scene&, Index n) {
  return {movingQuery(n)};
}

bool showsWeights(const Scene& scene) {
  return scene.mask.weights != WeightsShown::Off || needsData(scene.pattern);
}

} // namespace

ViewUnit maskUnit() {
  return {.figure = masksFigure,
          .text = textOfPairs,
          .forms = kForms,
          .reading = readingIn,
          .copySpec = takeMember<&Scene::mask>,
          .drawsOwnPattern = showsPattern,
          .panels = panelsOf,
          .panelsIn = panelsIn,
          .unreadParameters = parametersOfHeads,
          .masks = maskPanels,
          .keepMasks = keepMasks,
          .showsInput = showsWeights,
          .moving = movingIn};
}

} // namespace attention
