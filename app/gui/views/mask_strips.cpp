#include "app/gui/views/mask_strips.h"

#include "app/gui/views/paint.h"
#include "app/gui/widgets/group_digits.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Cells that are drawn as squares have gaps in the strips too.
void drawKeyGaps(const Ui& ui, const MaskFrame& frame, const CellRect& cells, const Rect& strip,
                 float density) {
  if (frame.scale * static_cast<double>(density) < 4)
    return;
  const Clip clip(strip);
  for (Index key = cells.keyBegin; key <= cells.keyEnd; ++key) {
    const float x = gapAt(frame.x(static_cast<double>(key)), density);
    fill({x, strip.y0, x + 1 / density, strip.y1}, color(ui.colors().card));
  }
}

void drawRowGaps(const Ui& ui, const MaskFrame& frame, const CellRect& cells, const Rect& strip,
                 float density) {
  if (frame.scale * static_cast<double>(density) < 4)
    return;
  const Clip clip(strip);
  for (Index query = cells.rowBegin; query <= cells.rowEnd; ++query) {
    const float y = gapAt(frame.y(static_cast<double>(query)), density);
    fill({strip.x0, y, strip.x1, y + 1 / density}, color(ui.colors().card));
  }
}

// Without closed forms a row and a column of so many cells are counted in a frame, in less than a
// millisecond a mask.
constexpr Index kCountedAtOnce = 1024;

bool quickToCount(const Prepared& prepared) {
  const Lengths& lengths = prepared.lengths();
  return (prepared.closedForm() && !prepared.hasTables()) ||
         std::max(lengths.queries, lengths.keys) <= kCountedAtOnce;
}

std::optional<Index> keysOf(const ViewContext& context, const MaskTile& tile, bool only,
                            Index query) {
  const auto& facts = context.results.cell;
  if (only && facts && facts->query == query)
    return facts->queryKeys;
  if (!tile.prepared->closedForm() && !quickToCount(*tile.prepared))
    return std::nullopt;
  return tile.prepared->rowCount(query, 0, tile.prepared->lengths().keys);
}

std::optional<Index> queriesOf(const MaskTile& tile, Index key) {
  const Lengths& lengths = tile.prepared->lengths();
  if (!quickToCount(*tile.prepared))
    return std::nullopt;
  return tile.prepared->count(CellRect{0, lengths.queries, key, key + 1});
}

// "19", "19, 7 and 26"; empty where one is not known.
std::string listed(const std::vector<std::optional<Index>>& counts) {
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (!counts[k])
      return {};
    text += k == 0 ? "" : k + 1 == counts.size() ? " and " : ", ";
    text += groupDigits(*counts[k]);
  }
  return text;
}

bool single(const std::vector<std::optional<Index>>& counts) {
  return counts.size() == 1 && counts.front() == Index{1};
}

std::string queryWords(const ViewContext& context, const Masks& masks, Index query) {
  std::vector<std::optional<Index>> counts;
  for (const MaskTile& tile : masks.tiles)
    counts.push_back(keysOf(context, tile, masks.tiles.size() == 1, query));
  const std::string number = listed(counts);
  const std::string subject = "query " + groupDigits(query);
  return number.empty() ? subject
                        : subject + " attends to " + number + (single(counts) ? " key" : " keys");
}

std::string keyWords(const Masks& masks, Index key) {
  std::vector<std::optional<Index>> counts;
  for (const MaskTile& tile : masks.tiles)
    counts.push_back(queriesOf(tile, key));
  const std::string number = listed(counts);
  const std::string subject = "key " + groupDigits(key);
  return number.empty()
             ? subject
             : subject + " is seen by " + number + (single(counts) ? " query" : " queries");
}

} // namespace

std::optional<Index> shownQuery(const ViewContext& context) {
  const auto& pinned = context.scene.pins.query;
  const auto& query = pinned ? pinned : context.hover.query;
  if (!query || *query < 0 || *query >= context.results.lengths.queries)
    return std::nullopt;
  return query;
}

void drawRowStrip(const ViewContext& context, const MaskTile& tile, const MaskFrame& frame,
                  const Rect& strip, float density, RasterPicture& picture) {
  fill(strip, color(context.ui.colors().card), context.ui.px(2));
  const std::optional<Index> query = shownQuery(context);
  if (!query || *query >= tile.prepared->lengths().queries)
    return;
  const Lengths& lengths = tile.prepared->lengths();
  const TexelAxes axes{tokenAxis(*query), axesOf(frame, lengths, density).keys};
  picture.show(context.rasters.coverage("row", {tile.prepared, axes.lattice()}), axes,
               figureTheme(context.ui.theme));
  picture.drawRow(frame, density, strip);
  drawKeyGaps(context.ui, frame, visibleCells(frame, lengths), strip, density);
}

void drawKeyStrip(const ViewContext& context, const MaskTile& tile, const MaskFrame& frame,
                  const Rect& strip, float density, RasterPicture& picture) {
  const std::optional<Index> key = context.scene.pins.key;
  const Lengths& lengths = tile.prepared->lengths();
  if (!key || *key < 0 || *key >= lengths.keys)
    return;
  fill(strip, color(context.ui.colors().card), context.ui.px(2));
  const TexelAxes axes{axesOf(frame, lengths, density).rows, tokenAxis(*key)};
  picture.show(context.rasters.coverage("column", {tile.prepared, axes.lattice()}), axes,
               figureTheme(context.ui.theme));
  picture.drawColumn(frame, density, strip);
  drawRowGaps(context.ui, frame, visibleCells(frame, lengths), strip, density);
}

std::string stripCaption(const ViewContext& context, const Masks& masks) {
  std::string words;
  if (const auto query = shownQuery(context); query && *query < masks.lengths.queries)
    words = queryWords(context, masks, *query);
  const auto& key = context.scene.pins.key;
  if (key && *key >= 0 && *key < masks.lengths.keys)
    words += (words.empty() ? "" : " · ") + keyWords(masks, *key);
  return words;
}

} // namespace attention::gui
