#include "core/views/view_unit.h"

#include "core/views/attention/attention_figure.h"
#include "core/views/scene_words.h"

#include <array>

namespace attention {
namespace {

struct Shown {
  AttentionAnswer answer;
  AttentionLook look;
};

Shown shownOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  const ModelHead head = headIn(scene, options);
  return {attentionAnswer(scene, lengths, head, threaded(run, options)),
          attentionLook(scene, lengths, head)};
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Shown shown = shownOf(scene, options, run);
  shown.look.framesChosen = false; // in a file nobody chooses another
  return inWordsOf(scene,
                   attentionFigure(scene.attention, shown.answer, shown.look, options.theme));
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Shown shown = shownOf(scene, options, run);
  return attentionTable(scene.attention, shown.answer, shown.look, run);
}

void writeWeights(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  const Shown shown = shownOf(scene, options, run);
  writeAttentionNpy(scene.attention, shown.answer, shown.look, path);
}

constexpr std::array kForms{
    DataForm{".npy", "The weights as float64: full, pattern and difference; heads; lines",
             writeWeights},
    DataForm{".csv",
             "One line per query, with what the pattern keeps of it; per head; or per drawn line",
             writeTable<tableOf>}};

bool sameKind(const Scene& a, const Scene& b) {
  return a.attention.picture == b.attention.picture;
}

std::vector<Moving> movingIn(const Scene& scene, Index n) {
  if (scene.attention.picture == AttentionPicture::Heads)
    return {};
  return {movingQuery(n)};
}

std::string pictureOf(const Scene& scene) {
  return pictureName(attentionSettings(), scene.attention);
}

bool showsAllHeads(const Scene& scene) {
  return scene.attention.picture == AttentionPicture::Heads;
}

} // namespace

ViewUnit attentionUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .copySpec = takeMember<&Scene::attention>,
          .drawsOwnPattern = always,
          .picture = pictureOf,
          .showsInput = always,
          .showsAllHeads = showsAllHeads,
          .sameKind = sameKind,
          .moving = movingIn};
}

} // namespace attention
