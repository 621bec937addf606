#include "core/views/view_unit.h"

#include "core/views/encodings/scene_encodings.h"
#include "core/views/scene_words.h"

#include <array>

namespace attention {
namespace {

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return inWordsOf(scene, encodingsFigure(encodingsAnswer(scene.encodings, run), options.theme));
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions&, const Run& run) {
  return encodingsTable(scene.encodings, run);
}

void writeRows(const Scene& scene, const SceneFigureOptions&, const std::filesystem::path& path,
               const Run& run) {
  writeEncodingsNpy(scene.encodings, path, run);
}

constexpr std::array kForms{
    DataForm{".npy", "The encoding E as float32, n × (d1 + d2)", writeRows},
    DataForm{".csv", "One line per position: its rows of E1 and E2, then its encoding",
             writeTable<tableOf>}};

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions&, const Run& run) {
  return readingOf(encodingsAnswer(scene.encodings, run));
}

void ignoreLooks(Scene& looked, const Scene& own) {
  looked.encodings.position = own.encodings.position;
}

std::vector<Moving> movingIn(const Scene&, Index n) {
  return {{"position", 0, static_cast<double>(n - 1), true,
           [](Scene& s, double value) { s.encodings.position = whole(value); }}};
}

// Sizes that cannot be drawn are reported before any frame.
void checkSweep(const Scene& scene) {
  axialShape(scene.encodings);
}

Index lengthOf(const Scene& scene) {
  return positionsOf(scene.encodings);
}

} // namespace

ViewUnit encodingsUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .reading = readingIn,
          .copySpec = takeMember<&Scene::encodings>,
          .choosesPattern = false,
          .takesInput = never,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn,
          .checkSweep = checkSweep,
          .length = lengthOf};
}

} // namespace attention
