#include "app/gui/views/mask/mask_strips.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <span>

namespace attention::gui {
namespace {

// Cells that are drawn as squares have gaps in the strips too.
void drawGaps(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Rect& strip,
              float density, bool betweenKeys) {
  if (frame.scale * static_cast<double>(density) < 4)
    return;
  const Clip clip(strip);
  const CellRect cells = visibleCells(frame, lengths);
  const Index begin = betweenKeys ? cells.keyBegin : cells.rowBegin;
  const Index end = betweenKeys ? std::min(cells.keyEnd + 1, lengths.keys)
                                : std::min(cells.rowEnd + 1, lengths.queries);
  for (Index at = std::max<Index>(begin, 1); at < end; ++at) {
    const auto edge = static_cast<double>(at);
    const float gap = gapAt(betweenKeys ? frame.x(edge) : frame.y(edge), density);
    fill(betweenKeys ? Rect{gap, strip.y0, gap + 1 / density, strip.y1}
                     : Rect{strip.x0, gap, strip.x1, gap + 1 / density},
         color(ui.colors().card));
  }
}

// "19", "20 … in each", "19, 7 and 26"; empty where one is not known.
std::string countsText(std::span<const std::optional<Index>> counts, const char* one,
                       const char* many) {
  const auto known = [](const auto& count) { return count.has_value(); };
  if (counts.empty() || !std::all_of(counts.begin(), counts.end(), known))
    return {};
  const std::string noun = std::string(" ") + (counts.front() == Index{1} ? one : many);
  const auto asFirst = [&](const auto& count) { return count == counts.front(); };
  if (std::all_of(counts.begin(), counts.end(), asFirst))
    return groupDigits(*counts.front()) + noun + (counts.size() > 1 ? " in each" : "");
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    text += k == 0 ? "" : k + 1 == counts.size() ? " and " : ", ";
    text += groupDigits(*counts[k]);
  }
  return text + " " + many;
}

// Without the difference after the compared patterns.
std::span<const std::optional<Index>> ofPatterns(const std::vector<std::optional<Index>>& counts,
                                                 const Scene& scene) {
  const std::size_t differences = showsDifference(scene) && !counts.empty() ? 1 : 0;
  return std::span(counts).first(counts.size() - differences);
}

// Only the subject while its number is unknown.
std::string sentence(const std::string& subject, const char* verb, const std::string& number,
                     bool brief) {
  return number.empty() ? subject : subject + (brief ? ": " : verb) + number;
}

std::string queryWords(const ViewContext& context, Index query, bool brief) {
  const Latest<TokenCounts>& tokens = context.results.tokens;
  const bool known = tokens && !tokens.stale && tokens->query == query;
  return sentence("query " + groupDigits(query), " attends to ",
                  known ? countsText(ofPatterns(tokens->keysOfQuery, context.scene), "key", "keys")
                        : "",
                  brief);
}

std::string keyWords(const ViewContext& context, Index key, bool brief) {
  const Latest<TokenCounts>& tokens = context.results.tokens;
  const bool known = tokens && !tokens.stale && tokens->key == key;
  return sentence(
      "key " + groupDigits(key), " is seen by ",
      known ? countsText(ofPatterns(tokens->queriesOfKey, context.scene), "query", "queries") : "",
      brief);
}

} // namespace

std::optional<Index> shownQuery(const ViewContext& context) {
  return shownQuery(context.scene.pins, context.hover, context.results.lengths);
}

void drawRowStrip(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
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
  drawGaps(context.ui, frame, lengths, strip, density, true);
}

void drawKeyStrip(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
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
  drawGaps(context.ui, frame, lengths, strip, density, false);
}

std::string stripCaption(const ViewContext& context, const Masks& masks, float width) {
  const auto query = shownQuery(context.scene.pins, context.hover, masks.lengths);
  const auto key = shownKey(context.scene.pins, masks.lengths);
  std::string words;
  for (const bool brief : {false, true}) {
    words = query ? queryWords(context, *query, brief) : "";
    if (key)
      words += (words.empty() ? "" : " · ") + keyWords(context, *key, brief);
    if (textSize(context.ui.fonts.small, words).x <= width)
      return words;
  }
  return query ? queryWords(context, *query, /*brief=*/true) : words;
}

} // namespace attention::gui
