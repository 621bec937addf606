// The Mask view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/mask/draw_strip.h"
#include "app/gui/views/mask/mask_view.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/views/mask/mask_words.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/shown_patterns.h"

#include <memory>

namespace attention::gui {
namespace {

// "attnx tiles" or "attnx ranks" with these flags, of a pattern that may depend on the data.
std::string askText(const CommandScene& shown, const Pattern& pattern, const std::string& command) {
  return needsData(pattern)
             ? command + inputFlags(shown) + " " + patternText(besideInput(shown, pattern))
             : command + " " + patternText(pattern) + lengthFlags(shown);
}

std::string ranksText(const RanksSpec& spec) {
  return "attnx ranks --ranks " + std::to_string(spec.ranks) + " --scheme " +
         std::string(rankSchemeNames()[static_cast<std::size_t>(spec.scheme)]) +
         (spec.chunk == 1 ? "" : " --rank-chunk " + std::to_string(spec.chunk));
}

// The counts are of the first mask.
std::string commandOf(const CommandScene& shown) {
  const Pattern pattern = shownPatterns(shown.scene, shown.lengths).front().pattern;
  const MaskSpec& mask = shown.scene.mask;
  if (mask.tiles.shown)
    return askText(shown, pattern,
                   "attnx tiles --block " + std::to_string(mask.tiles.queries) + "x" +
                       std::to_string(mask.tiles.keys));
  if (mask.ranks.shown)
    return askText(shown, pattern, ranksText(mask.ranks));
  if (mask.check.shown)
    return askText(shown, pattern,
                   "attnx check" + (mask.check.model.empty()
                                        ? std::string()
                                        : " --against-model " + shellQuoted(mask.check.model) +
                                              " --layer " + std::to_string(mask.check.layer)));
  return infoText(shown, pattern);
}

void editMask(Workbench& bench, const char* label, const std::function<void(MaskSpec&)>& edit) {
  bench.document.apply({label, [&](Scene& s) { edit(s.mask); }});
}

// Heads are shown to see how they differ: if they would all be the same, their options are changed
// so that they differ, where possible; all heads of a file with a mask for each are shown.
void toggleHeads(Workbench& bench) {
  const Pattern& pattern = bench.document.scene().pattern;
  const auto& masks = bench.engine.results().masks;
  editMask(bench, "heads", [&](MaskSpec& mask) {
    HeadsSpec& spec = mask.heads;
    const bool show = spec.shown == HeadsShown::One;
    spec.shown = show ? HeadsShown::SideBySide : HeadsShown::One;
    if (show)
      spec = withDifferingHeads(spec, pattern, masks ? masks->headsInFile : 0);
  });
}

void toggleImage(Workbench& bench) {
  editMask(bench, "image", [](MaskSpec& mask) { mask.image.shown = !mask.image.shown; });
}

void toggleWeights(Workbench& bench) {
  editMask(bench, "weights", [](MaskSpec& mask) {
    mask.weights = mask.weights == WeightsShown::Off ? WeightsShown::Maximum : WeightsShown::Off;
  });
}

// Tiles are shown to be told apart: a block as large as the mask is made smaller.
void toggleTiles(Workbench& bench) {
  const Lengths lengths = bench.engine.results().lengths;
  editMask(bench, "tiles", [&](MaskSpec& mask) {
    if (!mask.tiles.shown)
      mask.tiles = withSeveralTiles(mask.tiles, lengths);
    mask.tiles.shown = !mask.tiles.shown;
  });
}

void toggleRanks(Workbench& bench) {
  editMask(bench, "ranks", [](MaskSpec& mask) { mask.ranks.shown = !mask.ranks.shown; });
}

void toggleCheck(Workbench& bench) {
  editMask(bench, "check", [](MaskSpec& mask) { mask.check.shown = !mask.check.shown; });
}

void toggleDrawing(Workbench& bench) {
  bench.memory.draw.on = !bench.memory.draw.on;
}

void addActions(ActionTable& table) {
  addDrawActions(table);
  const auto mask = [](const Workbench& b) -> const MaskSpec& { return b.document.scene().mask; };
  table.add({"view.heads",
             "View",
             "Heads",
             "A mask for each head of the mechanism",
             {},
             toggleHeads,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).heads.shown != HeadsShown::One; },
             true});
  table.add({"view.image",
             "View",
             "Image",
             "The tokens as the pixels of an image",
             {},
             toggleImage,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).image.shown; }});
  table.add({"view.weights",
             "View",
             "Weights",
             "Attention weights over the mask",
             {{static_cast<Key>('W')}},
             toggleWeights,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).weights != WeightsShown::Off; }});
  table.add({"view.tiles",
             "View",
             "Tiles",
             "The mask cut into tiles, as block-sparse kernels compute it",
             {},
             toggleTiles,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).tiles.shown; }});
  table.add({"view.ranks",
             "View",
             "Ranks",
             "The queries split over devices, with the pairs of each",
             {},
             toggleRanks,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).ranks.shown; }});
  table.add({"view.check",
             "View",
             "Check",
             "Keys in the future, empty rows, the patterns and models that the mask equals",
             {},
             toggleCheck,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).check.shown; }});
  table.add({"view.draw",
             "View",
             "Draw a mask",
             "Add and remove cells of the mask by hand",
             {{static_cast<Key>('B')}},
             toggleDrawing,
             [](const Workbench& b) { return canDraw(b.document.scene()); },
             [](const Workbench& b) { return b.memory.draw.on; }});
}

} // namespace

WindowView maskWindow() {
  return {
      .view = View::Mask,
      .label = "Mask",
      .action = "view.mask",
      .tooltip = "The mask as a matrix of queries and keys",
      .key = Key::Digit1,
      .leastHeight = 220,
      .leastHeightNarrow = 260,
      .fitted = noCamera,
      .stages = maskStages,
      .pane =
          [](const std::filesystem::path& shaders) { return maskPane(gl::ShaderSources(shaders)); },
      .tools = drawMaskTools,
      .options = drawMaskOptions,
      .facts = drawMaskFacts,
      .sizes = pairsText,
      .reading = maskReading,
      .command = commandOf,
      .step = stepPinnedQuery,
      .addActions = addActions};
}

} // namespace attention::gui
