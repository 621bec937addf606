// The list of heads as a picture of the Attention view.
#include "core/input/model_metadata.h"
#include "core/input/npy_writer.h"
#include "core/pattern/pattern_title.h"
#include "core/views/attention/attention_pictures.h"
#include "core/views/board/board_figure.h"
#include "core/views/heads/head_list.h"
#include "core/views/scene_words.h"

#include <array>
#include <limits>

namespace attention {
namespace {

MeasuredHeads headsOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  if (const auto* ready = options.ready.find<MeasuredHeads>())
    return *ready;
  return listedHeads(headListQuestion(scene, lengthsIn(scene, options)), options.input.get(), {},
                     threaded(run, options));
}

HeadListLook lookOf(const Scene& scene, const SceneFigureOptions& options) {
  const Input& input = *options.input;
  return {input.batchName, input.batchLabels, headNumbers(input), mechanismTitle(scene.pattern)};
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const HeadListSpec& spec = scene.attention.list;
  const MeasuredHeads heads = headsOf(scene, options, run);
  return readingOf(spec, heads, orderOf(spec, heads), lookOf(scene, options));
}

Figure listFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const HeadListSpec& spec = scene.attention.list;
  const MeasuredHeads heads = headsOf(scene, options, run);
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), lookOf(scene, options));
  return inWordsOf(scene, boardFigure(board, options.theme));
}

CsvTable listTable(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const MeasuredHeads heads = headsOf(scene, options, run);
  MeasuredHeads sorted;
  for (const std::size_t k : orderOf(scene.attention.list, heads))
    sorted.push_back(heads[k]);
  return headsTable(*options.input, sorted);
}

// All heads in their own order: layer, head and the measures, NaN where one does not exist.
void writeList(const Scene& scene, const SceneFigureOptions& options,
               const std::filesystem::path& path, const Run& run) {
  const MeasuredHeads heads = headsOf(scene, options, run);
  const auto columns = std::ssize(headMeasureList()) + 2;
  Matrix<double> values(std::ssize(heads), columns);
  for (Index row = 0; row < std::ssize(heads); ++row) {
    const MeasuredHead& head = heads[static_cast<std::size_t>(row)];
    values(row, 0) = static_cast<double>(head.batch);
    values(row, 1) = static_cast<double>(head.head);
    for (Index m = 2; m < columns; ++m)
      values(row, m) = headMeasureList()[static_cast<std::size_t>(m - 2)].of(head).value_or(
          std::numeric_limits<double>::quiet_NaN());
  }
  writeNpy<double>(path, values);
}

} // namespace

AttentionPictureUnit headListPicture() {
  return {.figure = listFigure,
          .table = listTable,
          .writeNpy = writeList,
          .reading = readingIn,
          .answers = giveAnswer<MeasuredHeads, headsOf>,
          .showsAllHeads = true};
}

} // namespace attention
