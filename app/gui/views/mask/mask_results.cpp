#include "app/gui/results/view_stages.h"
#include "app/gui/views/mask/mask_view.h"
#include "core/views/mask/mask_words.h"

namespace attention::gui {
namespace {

// 'Read this' begins with the pinned query, if there is one: computed at once, with a few counts of
// one row. Long rows without a closed form keep the query that was chosen with the counts.
void readPinned(const Latest<Masks>& masks, std::optional<Index> query,
                Latest<MaskCounts>& counts) {
  constexpr Index kLongest = 4096;
  if (!query || !masks || masks.stale || !counts || counts.stale || counts->reading.empty() ||
      counts->rows.pairs == 0)
    return;
  const Prepared& prepared = *masks->tiles.front().prepared;
  const Lengths& lengths = prepared.lengths();
  if (*query < 0 || *query >= lengths.queries ||
      (!prepared.closedForm() && lengths.keys > kLongest))
    return;
  auto told = std::make_shared<MaskCounts>(*counts.value);
  told->reading.front() = readQuery(prepared, *query, told->base);
  counts.value = std::move(told);
}

TilesShown makeTiles(const Masks& masks, const BlockSize& block, const Run& run) {
  return {block, countTiles(*masks.tiles.front().prepared, block, run.threads, run)};
}

BlockChoice makeBlocks(const Masks& masks, const Run& run) {
  return bestBlock(*masks.tiles.front().prepared, run.threads, run);
}

RanksShown makeRanks(const Masks& masks, const RanksSpec& spec, const Run& run) {
  const RankQuestion question{spec.ranks, spec.scheme, spec.chunk};
  return {question, rankWork(*masks.tiles.front().prepared, question, run.threads, run)};
}

CheckedMask makeCheck(const Masks& masks, const CheckSpec& spec, const Run& run) {
  return checkedMask(masks.tiles.front().prepared, spec, run);
}

// Masks, counts and attention are made for every view; what is asked about the first mask, here.
class MaskStages final : public ViewStages {
public:
  explicit MaskStages(Results& all)
      : ViewStages({&tiles_, &blocks_, &ranks_, &check_}), all_(all),
        found_(all.part<MaskFindings>()) {}

  void update(const Asking& asking) override {
    if (asking.lengthsKnown)
      readPinned(all_.masks, asking.scene.pins.query, all_.counts);
    const MaskSpec& spec = asking.scene.mask;
    if (tiles_.keepIf(spec.tiles.shown))
      tiles_.ask(asking, "counting tiles", makeTiles, all_.masks, blockOf(spec.tiles));
    if (blocks_.keepIf(spec.tiles.shown))
      blocks_.ask(asking, "comparing block sizes", makeBlocks, all_.masks);
    if (ranks_.keepIf(spec.ranks.shown))
      ranks_.ask(asking, "counting pairs per rank", makeRanks, all_.masks, spec.ranks);
    if (check_.keepIf(spec.check.shown))
      check_.ask(asking, "checking the mask", makeCheck, all_.masks, spec.check);
  }
  ShownState shown() const override { return stateOf(all_.masks); }

private:
  Results& all_;
  MaskFindings& found_;
  StageOf<TilesShown, Latest<Masks>, BlockSize> tiles_{found_.tiles};
  StageOf<BlockChoice, Latest<Masks>> blocks_{found_.blocks};
  StageOf<RanksShown, Latest<Masks>, RanksSpec> ranks_{found_.ranks};
  StageOf<CheckedMask, Latest<Masks>, CheckSpec> check_{found_.check};
};

} // namespace

std::unique_ptr<ViewStages> maskStages(Results& results) {
  return std::make_unique<MaskStages>(results);
}

} // namespace attention::gui
