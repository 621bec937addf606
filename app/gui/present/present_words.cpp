#include "app/gui/present/present_words.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/lessons/lesson.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/group_digits.h"
#include "core/input/model_metadata.h"
#include "core/pattern/pattern_title.h"
#include "core/support/number_text.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kImageBelow = 0.6F; // height of an image below a matrix, of the matrix's width

// Whether the Scene's own pattern is shown: it cannot name a picture of several.
bool isOfOnePattern(const Scene& scene) {
  return drawsOwnPattern(scene, scene.view) && !unitOf(scene.view).leavesPatternOut(scene) &&
         drawnPatterns(scene).size() == 1;
}

// "Strided against Fixed"; for more than two, "Strided, Fixed and Local compared": all masks of a
// comparison except the last, which is the difference.
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

// What to see in the picture.
std::string readingOf(const PanelContext& c) {
  std::string text;
  if (const auto reading = windowView(c.scene.view).reading)
    for (const std::string& sentence : reading(c))
      text += (text.empty() ? "" : " ") + sentence;
  return text;
}

void join(std::string& text, const std::string& part) {
  if (!part.empty())
    text += (text.empty() ? "" : " · ") + part;
}

// Whether the picture depends on the input's numbers, not only on its length.
bool showsInput(const PanelContext& c) {
  const Scene& scene = c.scene;
  if (!c.results.input || !takesInput(scene))
    return false;
  const auto own = unitOf(scene.view).showsInput;
  return own ? own(scene) : isOfOnePattern(scene) && needsData(scene.pattern);
}

// "all-MiniLM-L6-v2, layer 4, head 5".
std::string inputText(const PanelContext& c) {
  const Input& input = *c.results.input;
  const InputSpec& spec = c.scene.input;
  std::string text = inputTitle(spec);
  if (const auto model = input.metadata.find("model"); model != input.metadata.end())
    text = model->second.substr(model->second.rfind('/') + 1);
  if (unitOf(c.scene.view).showsAllHeads(c.scene))
    return visibleText(text);
  const auto batch = static_cast<std::size_t>(std::max<Index>(spec.batch, 0));
  if (batch < input.batchLabels.size())
    text += ", " + input.batchLabels[batch];
  else if (input.batches > 1)
    text += ", " + input.batchName + " " + std::to_string(spec.batch);
  if (input.heads > 1)
    text += ", head " + std::to_string(headNumber(input, spec.head));
  return visibleText(text);
}

// The source of the mathematics. Several patterns each have their own, which only the scene can
// name.
std::string originOf(const Scene& scene) {
  if (const SceneWords said = wordsOf(scene); !said.source.empty())
    return said.source;
  const auto own = windowView(scene.view).source;
  if (const std::string source = own ? own(scene) : std::string(); !source.empty())
    return source;
  return isOfOnePattern(scene) ? description(scene.pattern).source : std::string();
}

// "Strided, stride 12"; of several "Local, window 4; Strided, stride 12", each once: masks side by
// side, layers in turn, what is compared. Empty where the picture is of no pattern.
std::string patternsText(const Scene& scene) {
  if (unitOf(scene.view).leavesPatternOut(scene))
    return {};
  std::vector<std::string> named;
  for (const std::string& title : titlesOf(drawnPatterns(scene)))
    if (std::find(named.begin(), named.end(), title) == named.end())
      named.push_back(title);
  std::string text;
  for (const std::string& title : named)
    text += (text.empty() ? "" : "; ") + title;
  return text;
}

// "n = 128", of a mask that is no square "64 queries × 128 keys".
std::string lengthText(const Lengths& lengths) {
  return lengths.square()
             ? "n = " + groupDigits(lengths.keys)
             : counted(lengths.queries, "query") + " × " + counted(lengths.keys, "key");
}

// The origin, and what of it is shown: patterns with their parameters, their length, the input. A
// published figure says these itself.
std::string sourceOf(const PanelContext& c) {
  const Scene& scene = c.scene;
  std::string text = originOf(scene);
  const bool own = !wordsOf(scene).caption.empty();
  if (!own)
    join(text, patternsText(scene));
  if (readsPattern(scene) && c.results.lengths.keys > 0)
    join(text, lengthText(c.results.lengths));
  if (const auto numbers = windowView(scene.view).numbers; numbers && !own)
    join(text, numbers(c));
  if (showsInput(c) && !own)
    join(text, inputText(c));
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
  const bool compare = showsDifference(c.scene);
  const bool image = c.scene.mask.image.shown && !compare;
  if (!unitOf(c.scene.view).masks || !c.results.masks)
    return;
  said.plots = compare;
  said.tiles = c.results.masks->tiles.size();
  const Lengths& lengths = c.results.lengths;
  said.tileShape = static_cast<float>(lengths.keys) / static_cast<float>(lengths.queries);
  if (image && said.tiles > 1)
    said.tileShape = 1 / (1 / said.tileShape + kImageBelow);
  said.image = image && said.tiles == 1;
  if (said.image)
    said.tiles = 0; // never below the words: the image takes the room they leave
}

} // namespace

std::string shownTitle(const Scene& scene, const Results& results) {
  if (const SceneWords own = wordsOf(scene); !own.title.empty())
    return own.title;
  if (!results.title.empty())
    return results.title;
  const std::string view = windowView(scene.view).label;
  return isOfOnePattern(scene) ? view + ": " + mechanismTitle(scene.pattern) : view;
}

std::string clockText(int minuteOfDay) {
  const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return two(minuteOfDay / 60) + ":" + two(minuteOfDay % 60);
}

PresentWords presentWords(const Workbench& bench, const PanelContext& c,
                          std::optional<int> minuteOfDay) {
  PresentWords said;
  if (const LessonStep* step = speakingStep(bench)) {
    said.beside = true;
    said.title = step->title;
    said.words = plainWords(step->words);
    said.question = plainWords(step->question);
    said.choices = choicesOf(bench);
    said.answer = plainWords(step->answer);
    said.revealed = bench.lesson->revealed;
    tellTiles(c, said);
  } else {
    said.title = shownTitle(c.scene, c.results);
    if (showsDifference(c.scene) && wordsOf(c.scene).title.empty())
      said.longer = comparedText(c.results);
    said.caption = wordsOf(c.scene).caption;
    // A square leaves room beside it, but none above.
    const bool square = unitOf(c.scene.view).masks && !showsDifference(c.scene) &&
                        !c.scene.mask.image.shown && c.results.masks &&
                        c.results.masks->tiles.size() == 1;
    said.beside = square && said.caption.empty();
    if (said.beside)
      said.words = readingOf(c);
  }
  said.source = sourceOf(c);
  said.place = placeText(bench, minuteOfDay);
  return said;
}

} // namespace attention::gui
