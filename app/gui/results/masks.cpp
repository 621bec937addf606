#include "app/gui/jobs/slot.h"
#include "app/gui/results/make_results.h"
#include "app/gui/results/ready_weights.h"
#include "core/pattern/branch_layers.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/plot/mask_color.h"
#include "core/scene/pattern_files.h"
#include "core/views/mask/mask_words.h"
#include "core/views/mask/shown_masks.h"

namespace attention::gui {
namespace {

constexpr Index kUsualWidth = 64; // d where there is no input
constexpr Index kShortRow = Index{1}
                            << 16; // rows that are counted at once even without a closed form

Index baseCells(const Base& base, const Lengths& lengths) {
  if (base == Base::Full)
    return lengths.queries * lengths.keys;
  return baseOf(base, lengths)->pairs();
}

// Whether the base is full attention only because of cells that were drawn above the diagonal.
bool aheadByHand(const Pattern& pattern, const Base& base, const Lengths& lengths, const Run& run) {
  const auto* drawn = pattern.as<Drawn>();
  if (!drawn || !(base == Base::Full))
    return false;
  if (!drawn->on)
    return true;
  return !needsData(*drawn->on) &&
         meaningfulBase(prepare(resolveFiles(*drawn->on, {}, run), lengths, run), run) ==
             Base::Causal;
}

CellFacts makeCell(const Masks& masks, std::size_t mask, const Input* input,
                   const HeadAttention* weights, Index query, Index key) {
  const ShownMask& tile = masks.tiles[mask];
  const Prepared& prepared = *tile.prepared;
  CellFacts cell;
  if (masks.tiles.size() > 1)
    cell.mask = tile.title.empty() ? "mask " + std::to_string(mask + 1) : tile.title;
  cell.query = query;
  cell.key = key;
  cell.why = prepared.why(query, key);
  if (cell.why.attends && cell.why.part >= 0) {
    const auto part = static_cast<std::size_t>(cell.why.part);
    cell.part = prepared.parts()[part].name;
    cell.hue = hueIndex(prepared.parts(), part);
  } else if (const auto layers = layersAt(prepared, query, key); !layers.empty()) {
    const auto drawn = layersOf(tile.prepared);
    cell.part = layers.front()->name;
    cell.hue = hueIndex(drawn->parts(), prepared.parts().size());
  }
  const Index token = query + masks.lengths.offset;
  const auto wordOf = [input](Index t) {
    return input && t >= 0 && t < static_cast<Index>(input->tokens.size())
               ? input->tokens[static_cast<std::size_t>(t)]
               : std::string();
  };
  cell.queryToken = wordOf(token);
  cell.keyToken = wordOf(key);
  if (prepared.closedForm() || masks.lengths.keys <= kShortRow)
    cell.queryKeys = prepared.rowCount(query, 0, masks.lengths.keys);
  if (weights && mask == 0) {
    cell.weight = cellWeight(*weights, query, key);
    cell.score = cellScore(*weights, query, key);
  }
  return cell;
}

} // namespace

Masks makeMasks(const Scene& scene, const Lengths& lengths, const ModelHead& input,
                const Run& run) {
  Scene of = scene;
  of.input.batch = input.batch;
  of.input.head = input.head;
  ShownMasks shown = shownMasks(of, lengths, input.input.get(), run);
  return {lengths, std::move(shown.masks), std::move(shown.data), shown.headsInFile,
          shown.layersInFile};
}

MaskCounts makeCounts(const Masks& masks, Index d, Index dv, const Run& run) {
  const ShownMask& first = masks.tiles.front();
  const Prepared& prepared = *first.prepared;
  const Lengths& lengths = prepared.lengths();
  MaskCounts counts;
  counts.n = lengths.keys;
  counts.pattern = first.pattern;
  counts.d = d > 0 ? d : kUsualWidth;
  counts.dv = dv > 0 ? dv : kUsualWidth;
  counts.rows = rowStatistics(prepared, {.rowBudget = affordableRows(prepared)}, run);
  counts.base = meaningfulBase(first.prepared, run);
  counts.aheadByHand = aheadByHand(counts.pattern, counts.base, lengths, run);
  counts.cells = baseCells(counts.base, lengths);
  counts.reading = readMask(prepared, counts.rows, counts.base, run);
  counts.cost = sparseCost(lengths.queries, counts.d, counts.dv, counts.rows.pairs);
  counts.baseCost = sparseCost(lengths.queries, counts.d, counts.dv, counts.cells);
  return counts;
}

std::optional<CellFacts> pointedCell(const Masks& masks, std::size_t mask, const Pins& pins,
                                     const Hover& hover, const Input* input,
                                     const HeadAttention* weights) {
  const std::optional<Index> query = hover.query ? hover.query : pins.query;
  const std::optional<Index> key = hover.key ? hover.key : pins.key;
  if (!query || !key || *query < 0 || *key < 0 || *query >= masks.lengths.queries ||
      *key >= masks.lengths.keys)
    return std::nullopt;
  const auto made =
      madeOrProblem([&] { return makeCell(masks, mask, input, weights, *query, *key); });
  return made.value ? std::optional(*made.value) : std::nullopt;
}

} // namespace attention::gui
