#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"
#include "core/views/mask/mask_words.h"

#include <algorithm>

namespace attention::gui {
namespace {

void drawCounts(const PanelContext& c, const TilesShown& shown) {
  const Ui& ui = c.ui;
  const TileCounts& counts = shown.counts;
  const std::string about = counts.exact ? "" : "≈ ";
  const auto tiles = static_cast<double>(counts.full + counts.partial + counts.empty);
  const auto bar = [&](const char* label, Index count, const char* meaning) {
    const double share = static_cast<double>(count) / tiles;
    numberBar(ui, label, about + groupDigits(count) + "  " + percent(share), share, meaning);
  };
  bar("full tiles", counts.full, "Every query of the tile attends to every key of it");
  bar("partial tiles", counts.partial,
      "Some pairs attend; the kernel computes the whole tile and masks the rest. A tile that the "
      "edge of the mask cuts is partial too");
  bar("empty tiles", counts.empty, "No pair attends: the kernel skips the tile");
  valueRow(ui, "pairs computed", about + groupDigits(counts.computedPairs),
           "All pairs of the full and the partial tiles");
  valueRow(ui, "pairs wasted",
           about + groupDigits(counts.wastedPairs()) + "  " + percent(counts.waste()),
           "Pairs that are computed but masked out, and their share of all computed pairs");
  valueRow(ui, "block density", about + percent(counts.blockDensity()),
           "Share of tiles that are computed: what a block-sparse kernel still has to do");
  if (!counts.exact)
    note(ui, NoteKind::Info, "sampled: counted on some rows of tiles and scaled up");
}

void drawCandidates(const PanelContext& c, const BlockChoice& choice) {
  const Ui& ui = c.ui;
  space(ui, 4);
  groupHeading(ui, "block sizes");
  for (std::size_t k = 0; k < choice.candidates.size(); ++k) {
    const BlockCandidate& of = choice.candidates[k];
    valueRow(ui, blockText(of.block) + (k == choice.best ? ", best" : ""),
             (of.counts.exact ? "" : "≈ ") + groupDigits(of.counts.computedPairs) + " computed",
             "Pairs that a kernel with this block computes, and the wasted share: " +
                 percent(of.counts.waste()));
  }
  caption(ui, bestBlockSentence());
}

} // namespace

std::vector<std::string> findingsRead(const PanelContext& c) {
  const MaskFindings& found = c.results.part<MaskFindings>();
  const MaskSpec& spec = c.scene.mask;
  std::vector<std::string> sentences;
  if (spec.check.shown && isWhole(found.check))
    sentences = readingOf(*found.check);
  if (spec.tiles.shown && isWhole(found.tiles))
    sentences.push_back(tilesSentence(found.tiles->counts, found.tiles->block));
  if (spec.ranks.shown && isWhole(found.ranks))
    sentences.push_back(ranksSentence(found.ranks->work));
  return sentences;
}

void drawTileFacts(const PanelContext& c) {
  const TilesSpec& spec = c.scene.mask.tiles;
  if (!spec.shown)
    return;
  const MaskFindings& found = c.results.part<MaskFindings>();
  sectionHeading(c.ui, "Tiles", blockText(blockOf(spec)));
  if (isThere(c.ui, found.tiles, "counting tiles …"))
    drawCounts(c, *found.tiles);
  if (isThere(c.ui, found.blocks, "comparing block sizes …"))
    drawCandidates(c, *found.blocks);
  space(c.ui, 6);
}

void drawRankFacts(const PanelContext& c) {
  const RanksSpec& spec = c.scene.mask.ranks;
  if (!spec.shown)
    return;
  const Ui& ui = c.ui;
  const MaskFindings& found = c.results.part<MaskFindings>();
  sectionHeading(ui, "Pairs per rank", counted(spec.ranks, "rank"));
  if (isThere(c.ui, found.ranks, "counting pairs per rank …")) {
    constexpr std::size_t kMostBars = 32;
    const RankWork& work = found.ranks->work;
    const Index most = std::max<Index>(*std::max_element(work.pairs.begin(), work.pairs.end()), 1);
    for (std::size_t r = 0; r < std::min(work.pairs.size(), kMostBars); ++r)
      numberBar(ui, "rank " + std::to_string(r), groupDigits(work.pairs[r]),
                static_cast<double>(work.pairs[r]) / static_cast<double>(most),
                "Pairs of its " + counted(work.rows[r], "query"));
    if (work.pairs.size() > kMostBars)
      caption(ui, "… " + groupDigits(static_cast<Index>(work.pairs.size() - kMostBars)) + " more");
    valueRow(ui, "imbalance", shortNumber(work.imbalance, 3),
             "The largest number of pairs over the mean: all ranks wait for the slowest, so 1 is "
             "ideal");
  }
  space(ui, 6);
}

} // namespace attention::gui
