#include "app/gui/present/present_words.h"

#include "app/gui/panels/view_panels.h"
#include "app/gui/view/view_list.h"
#include "app/gui/widgets/group_digits.h"
#include "core/scene/scene_words.h"
#include "core/scene/shown_patterns.h"

namespace attention::gui {
namespace {

constexpr float kImageBelow = 0.6F; // height of an image below a matrix, of the matrix's width

// Whether the Scene's own pattern is what is shown: it names no picture of several.
bool isOfOnePattern(const Scene& scene) {
  return drawsOwnPattern(scene, scene.view) && drawnPatterns(scene).size() == 1;
}

// Of a figure or a saved scene its own, else what the view shows.
std::string titleOf(const PanelContext& c) {
  if (const SceneWords own = wordsOf(c.scene); !own.title.empty())
    return own.title;
  if (const std::string title = titleOfPicture(c.scene.view, c.results); !title.empty())
    return title;
  const std::string view = kViews[static_cast<std::size_t>(c.scene.view)].label;
  return isOfOnePattern(c.scene) ? view + ": " + description(c.scene.pattern).title : view;
}

// "Strided against Fixed", of more than two "Strided, Fixed and Local compared": all masks of a
// comparison but the last one, which is their difference.
std::string comparedText(const Results& results) {
  if (!results.masks || results.masks.stale || results.masks->tiles.size() < 3)
    return {};
  const auto& tiles = results.masks->tiles;
  const std::size_t count = tiles.size() - 1;
  std::string text = tiles.front().title;
  for (std::size_t k = 1; k < count; ++k)
    text += (count == 2 ? " against " : k + 1 < count ? ", " : " and ") + tiles[k].title;
  return count == 2 ? text : text + " compared";
}

// What to see in the mask.
std::string readingOf(const Results& results) {
  std::string text;
  if (const Latest<MaskCounts>& counts = results.counts; counts && !counts.stale)
    for (const std::string& sentence : counts->reading)
      text += (text.empty() ? "" : " ") + sentence;
  return text;
}

void join(std::string& text, const std::string& part) {
  if (!part.empty())
    text += (text.empty() ? "" : " · ") + part;
}

// Of several patterns each has its own, which the scene names or nobody.
std::string sourceOf(const Workbench& bench, const PanelContext& c) {
  const Scene& scene = c.scene;
  std::string text;
  if (bench.lesson)
    text = bench.lessons[bench.lesson->lesson].title;
  if (const SceneWords own = wordsOf(scene); !own.source.empty())
    join(text, own.source);
  else if (isOfOnePattern(scene))
    join(text, description(scene.pattern).source);
  if (readsPattern(scene) && c.results.lengths.keys > 0)
    join(text, "n = " + groupDigits(c.results.lengths.keys));
  return text;
}

std::string placeText(const Workbench& bench, std::optional<int> minuteOfDay) {
  std::string text;
  if (const auto place = placeOf(bench))
    text = std::to_string(place->at) + " / " + std::to_string(place->of);
  if (minuteOfDay)
    join(text, clockText(*minuteOfDay));
  return text;
}

// With the image below each of several.
void tellTiles(const PanelContext& c, PresentWords& said) {
  const bool compare = c.scene.view == View::Compare;
  const bool image = c.scene.mask.image.shown && !compare;
  if ((c.scene.view != View::Mask && !compare) || !c.results.masks)
    return;
  said.plots = compare;
  said.tiles = c.results.masks->tiles.size();
  const Lengths& lengths = c.results.lengths;
  said.tileShape = static_cast<float>(lengths.keys) / static_cast<float>(lengths.queries);
  if (image && said.tiles > 1)
    said.tileShape = 1 / (1 / said.tileShape + kImageBelow);
  said.image = image && said.tiles == 1;
  if (said.image)
    said.tiles = 0; // never below the words: the image takes what these leave
}

} // namespace

std::string clockText(int minuteOfDay) {
  const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return two(minuteOfDay / 60) + ":" + two(minuteOfDay % 60);
}

PresentWords presentWords(const Workbench& bench, const PanelContext& c,
                          std::optional<int> minuteOfDay) {
  PresentWords said;
  if (const LessonStep* step = lessonStep(bench)) {
    said.beside = true;
    said.title = step->title;
    said.words = plainWords(step->words);
    said.question = plainWords(step->question);
    said.answer = plainWords(step->answer);
    said.revealed = bench.lesson->revealed;
    tellTiles(c, said);
  } else {
    said.title = titleOf(c);
    if (c.scene.view == View::Compare && wordsOf(c.scene).title.empty())
      said.longer = comparedText(c.results);
    said.caption = wordsOf(c.scene).caption;
    // A square leaves room beside it, but none to spare above.
    const bool square = c.scene.view == View::Mask && !c.scene.mask.image.shown &&
                        c.results.masks && c.results.masks->tiles.size() == 1;
    said.beside = square && said.caption.empty();
    if (said.beside)
      said.words = readingOf(c.results);
  }
  said.source = sourceOf(bench, c);
  said.place = placeText(bench, minuteOfDay);
  return said;
}

} // namespace attention::gui
