#include "app/gui/results/mask_reading.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/mask/mask_view.h"

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

// Masks, counts and attention are made for every view.
class MaskStages final : public ViewStages {
public:
  explicit MaskStages(Results& all) : ViewStages({}), all_(all) {}

  void update(const Asking& asking) override {
    if (asking.lengthsKnown)
      readPinned(all_.masks, asking.scene.pins.query, all_.counts);
  }
  ShownState shown() const override { return stateOf(all_.masks); }

private:
  Results& all_;
};

} // namespace

std::unique_ptr<ViewStages> maskStages(Results& results) {
  return std::make_unique<MaskStages>(results);
}

} // namespace attention::gui
