#include "core/views/mask/shown_masks.h"

#include "core/pattern/prepared.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/support/number_text.h"
#include "core/views/shown_patterns.h"

#include <algorithm>

namespace attention {

namespace {

// "(b) Strided", "(b)"; a title in brackets has none.
bool hasLetter(const std::string& title) {
  return title.size() > 2 && title[0] == '(' && title[1] >= 'a' && title[1] <= 'z' &&
         title[2] == ')' && (title.size() == 3 || title[3] == ' ');
}

// Letters for panels without one in their titles; heads and a difference are named by these.
void addLetters(std::vector<ShownMask>& masks, const Scene& scene) {
  constexpr std::size_t kLetters = 26;
  const bool compares = showsDifference(scene);
  const std::size_t count = compares ? masks.size() - 1 : scene.mask.panels.size();
  for (std::size_t k = 0; count > 1 && count <= kLetters && k < count; ++k)
    if (!hasLetter(masks[k].title))
      masks[k].letter = std::string("(") + static_cast<char>('a' + k) + ")";
}

std::string pairsText(Index pairs) {
  return groupedDigits(pairs) + (pairs == 1 ? " pair" : " pairs");
}

// How many pairs each compared pattern has, and in how many the two differ, where that is known
// quickly.
void addCounts(std::vector<ShownMask>& masks, const CompareSpec& spec, const Run& run) {
  std::vector<Index> pairs;
  for (ShownMask& mask : masks) {
    if (!countsSoon(*mask.prepared))
      return;
    pairs.push_back(mask.prepared->pairs(run, run.threads));
    mask.note = pairsText(pairs.back());
  }
  const Index either = pairs.back(); // the difference has the pairs of both as a part too
  masks.back().note = pairsText(2 * either - pairs[static_cast<std::size_t>(spec.first)] -
                                pairs[static_cast<std::size_t>(spec.second)]);
}

} // namespace

std::string letteredTitle(const ShownMask& mask) {
  const std::string between = mask.letter.empty() || mask.title.empty() ? "" : " ";
  const std::string title = mask.letter + between + mask.title;
  return mask.note.empty() ? title : title + " · " + mask.note;
}

ShownMasks shownMasks(const Scene& scene, const Lengths& lengths, const Input* input,
                      const Run& run) {
  std::vector<Panel> panels = shownPatterns(scene, lengths);
  ShownMasks shown;
  std::vector<Pattern> reading;
  for (const Panel& panel : panels)
    if (needsData(panel.pattern))
      reading.push_back(panel.pattern);
  if (!reading.empty() && input)
    shown.data = inputData(reading, *input, scene.input.batch, scene.input.head, lengths,
                           scene.length.align, run);
  for (Panel& panel : panels) {
    auto prepared = prepare(resolveFiles(panel.pattern, {}, run), lengths, shown.data, run);
    if (!panel.parts.empty())
      prepared = prepared->withLooks(looksOf(panel));
    shown.masks.push_back({std::move(panel.title), std::move(panel.pattern), std::move(prepared),
                           std::move(panel.queries), std::move(panel.keys)});
  }
  addLetters(shown.masks, scene);
  if (!showsDifference(scene) && scene.mask.panels.empty()) {
    shown.headsInFile = headsOfMasks(scene.pattern, run.quiet());
    shown.layersInFile = layersOfMasks(scene.pattern, run.quiet());
  }
  if (showsDifference(scene))
    addCounts(shown.masks, scene.compare, run.quiet());
  return shown;
}

} // namespace attention
