#include "app/gui/results/view_stages.h"
#include "app/gui/views/mask/mask_findings.h"
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

TilesShown makeTiles(const TilesKey& key, const Run& run) {
  return {key.block, countTiles(*key.masks->tiles.front().prepared, key.block, run.threads, run)};
}

BlockChoice makeBlocks(const BlocksKey& key, const Run& run) {
  return bestBlock(*key.masks->tiles.front().prepared, run.threads, run);
}

RanksShown makeRanks(const RanksKey& key, const Run& run) {
  const RankQuestion question{key.spec.ranks, key.spec.scheme, key.spec.chunk};
  return {question, rankWork(*key.masks->tiles.front().prepared, question, run.threads, run)};
}

CheckedMask makeCheck(const CheckKey& key, const Run& run) {
  return checkedMask(key.masks->tiles.front().prepared, key.spec, run);
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
    askWhere(spec.tiles.shown, tiles_, [&](const auto& masks) {
      tiles_.ask(asking, "counting tiles", {masks, blockOf(spec.tiles)}, makeTiles);
    });
    askWhere(spec.tiles.shown, blocks_, [&](const auto& masks) {
      blocks_.ask(asking, "comparing block sizes", {masks}, makeBlocks);
    });
    askWhere(spec.ranks.shown, ranks_, [&](const auto& masks) {
      ranks_.ask(asking, "counting pairs per rank", {masks, spec.ranks}, makeRanks);
    });
    askWhere(spec.check.shown, check_, [&](const auto& masks) {
      check_.ask(asking, "checking the mask", {masks, spec.check}, makeCheck);
    });
  }
  ShownState shown() const override { return stateOf(all_.masks); }

private:
  // Asks for what is shown, as soon as the Scene's own masks are there.
  template <class Ask>
  void askWhere(bool shown, AnyStage& stage, const Ask& ask) {
    if (!shown)
      stage.drop();
    else if (all_.masks && !all_.masks.stale)
      ask(all_.masks.value);
    else
      stage.halt();
  }

  Results& all_;
  MaskFindings& found_;
  StageOf<TilesKey, TilesShown> tiles_{found_.tiles};
  StageOf<BlocksKey, BlockChoice> blocks_{found_.blocks};
  StageOf<RanksKey, RanksShown> ranks_{found_.ranks};
  StageOf<CheckKey, CheckedMask> check_{found_.check};
};

} // namespace

std::unique_ptr<ViewStages> maskStages(Results& results) {
  return std::make_unique<MaskStages>(results);
}

} // namespace attention::gui
