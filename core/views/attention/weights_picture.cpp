// Maps, heads and lines: the pictures of weights.
#include "core/views/attention/attention_figure.h"
#include "core/views/attention/attention_pictures.h"
#include "core/views/scene_words.h"

namespace attention {
namespace {

struct ShownWeights {
  AttentionAnswer answer;
  AttentionLook look;
};

AttentionAnswer answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<AttentionAnswer>();
  return ready ? *ready
               : attentionAnswer(scene, lengthsIn(scene, options), headIn(scene, options),
                                 threaded(run, options));
}

ShownWeights weightsOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return {answerOf(scene, options, run),
          attentionLook(scene, lengthsIn(scene, options), headIn(scene, options))};
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const ShownWeights shown = weightsOf(scene, options, run);
  return readingOf(scene.attention, shown.answer, shown.look, run);
}

Figure weightsFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  ShownWeights shown = weightsOf(scene, options, run);
  shown.look.framesChosen = false; // in a file nobody chooses another
  return inWordsOf(scene,
                   attentionFigure(scene.attention, shown.answer, shown.look, options.theme));
}

CsvTable weightsTable(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const ShownWeights shown = weightsOf(scene, options, run);
  return attentionTable(scene.attention, shown.answer, shown.look, run);
}

void writeWeights(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  const ShownWeights shown = weightsOf(scene, options, run);
  writeAttentionNpy(scene.attention, shown.answer, shown.look, path);
}

std::vector<Moving> movingQueries(const Scene&, Index n) {
  return {movingQuery(n)};
}

} // namespace

AttentionPictureUnit weightsPicture(AttentionPicture picture) {
  const bool heads = picture == AttentionPicture::Heads;
  return {.figure = weightsFigure,
          .table = weightsTable,
          .writeNpy = writeWeights,
          .reading = readingIn,
          .answers = giveAnswer<AttentionAnswer, answerOf>,
          .showsAllHeads = heads,
          .moving = heads ? nullptr : movingQueries};
}

} // namespace attention
