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

ShownWeights weightsOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  const ModelHead head = headIn(scene, options);
  return {attentionAnswer(scene, lengths, head, threaded(run, options)),
          attentionLook(scene, lengths, head)};
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
          .showsAllHeads = heads,
          .moving = heads ? nullptr : movingQueries};
}

} // namespace attention
