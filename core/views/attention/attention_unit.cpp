#include "core/views/view_unit.h"

#include "core/export/html_page.h"
#include "core/views/attention/attention_pictures.h"

#include <array>

namespace attention {
namespace {

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return attentionPicture(scene).figure(scene, options, run);
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return attentionPicture(scene).table(scene, options, run);
}

void writeNumbers(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  attentionPicture(scene).writeNpy(scene, options, path, run);
}

constexpr std::array kForms{
    DataForm{".npy",
             "The picture's numbers as float64. Maps: the dense weights, the pattern's weights and "
             "their difference; All heads: the matrix or the measures of each head; Lines: the "
             "weights between the shown tokens; Steps: the output; Text: the dense weight and the "
             "pattern's weight of each token",
             writeNumbers},
    DataForm{".csv",
             "A table of what the picture shows. Maps: one line per query; All heads: one per "
             "head; Lines: one per drawn line; Steps: usually one per key; Text: one per token",
             writeTable<tableOf>}};

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  return attentionPicture(scene).reading(scene, options, run);
}

void giveAnswers(const Scene& scene, SceneFigureOptions& options, const Run& run) {
  attentionPicture(scene).answers(scene, options, run);
}

bool sameKind(const Scene& a, const Scene& b) {
  return a.attention.picture == b.attention.picture &&
         a.attention.list.shown == b.attention.list.shown;
}

void ignoreLooks(Scene& looked, const Scene& own) {
  looked.attention.steps.step = own.attention.steps.step;
}

std::vector<Moving> movingIn(const Scene& scene, Index n) {
  const auto moving = attentionPicture(scene).moving;
  return moving ? moving(scene, n) : std::vector<Moving>();
}

PageFigure playsIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto plays = attentionPicture(scene).plays;
  return plays ? plays(scene, options, run) : PageFigure();
}

std::string pictureOf(const Scene& scene) {
  return pictureName(attentionSettings(), scene.attention);
}

// Weights of all keys as lines, and logits, are those without a pattern; of the list of heads only
// one column is about it, and its caption says so.
bool leavesPatternOut(const Scene& scene) {
  const AttentionSpec& spec = scene.attention;
  return listsHeads(spec) ||
         (spec.picture == AttentionPicture::Lines && spec.of != WeightsOf::Pattern) ||
         (spec.picture == AttentionPicture::Heads && spec.of == WeightsOf::Logits);
}

bool showsAllHeads(const Scene& scene) {
  return attentionPicture(scene).showsAllHeads;
}

} // namespace

const AttentionPictureUnit& attentionPicture(const Scene& scene) {
  // In the order of AttentionPicture.
  static const std::array kAll{
      weightsPicture(AttentionPicture::Maps), weightsPicture(AttentionPicture::Heads),
      weightsPicture(AttentionPicture::Lines), stepsPicture(), textPicture()};
  static const AttentionPictureUnit kList = headListPicture();
  return listsHeads(scene.attention) ? kList
                                     : kAll[static_cast<std::size_t>(scene.attention.picture)];
}

ViewUnit attentionUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .reading = readingIn,
          .answers = giveAnswers,
          .copySpec = takeMember<&Scene::attention>,
          .drawsOwnPattern = always,
          .leavesPatternOut = leavesPatternOut,
          .picture = pictureOf,
          .showsInput = always,
          .showsAllHeads = showsAllHeads,
          .sameKind = sameKind,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn,
          .plays = playsIn};
}

} // namespace attention
