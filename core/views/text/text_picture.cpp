// The running text as a picture of the Attention view.
#include "core/input/npy_writer.h"
#include "core/views/attention/attention_pictures.h"
#include "core/views/scene_words.h"
#include "core/views/text/scene_text.h"

namespace attention {
namespace {

struct ShownText {
  TextWeights weights;
  TextShades shades;
  TextLook look;
};

TextWeights weightsOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<TextWeights>();
  return ready ? *ready
               : textWeights(textQuestion(scene, lengthsIn(scene, options)), headIn(scene, options),
                             threaded(run, options));
}

ShownText textOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  const TextSpec& spec = scene.attention.text;
  ShownText shown{weightsOf(scene, options, run),
                  {},
                  {keptTokenLabels(scene, options.input.get(), lengths.keys), options.input->pieces,
                   spec.lost, 0}};
  shown.shades = textShades(shown.weights, spec.byKey, textToken(scene, lengths));
  return shown;
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const ShownText shown = textOf(scene, options, run);
  return readingOf(shown.weights, shown.shades, shown.look.labels);
}

Figure textFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const ShownText shown = textOf(scene, options, run);
  Figure figure;
  figure.theme = options.theme;
  figure.title = textTitle(shown.weights, shown.shades, shown.look);
  figure.caption = textCaption(shown.shades, shown.look);
  FigurePanel panel;
  RunningTextMark mark = textMark(shown.shades, shown.look);
  mark.told = [shades = shown.shades, labels = shown.look.labels](Index token) {
    return wordsOfToken(shades, labels, token);
  };
  panel.plots.push_back({std::move(mark), std::nullopt, std::nullopt});
  figure.panels.push_back(std::move(panel));
  return inWordsOf(scene, std::move(figure));
}

CsvTable textTable(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const ShownText shown = textOf(scene, options, run);
  CsvTable table{{shown.shades.byKey ? "query" : "key", "token", "dense", "pattern"}, {}};
  for (std::size_t k = 0; k < shown.shades.kept.size(); ++k)
    table.rows.push_back({csvNumber(static_cast<Index>(k)),
                          k < shown.look.labels.size() ? shown.look.labels[k] : "",
                          csvNumber(static_cast<double>(shown.shades.dense[k])),
                          csvNumber(static_cast<double>(shown.shades.kept[k]))});
  return table;
}

// Dense and pattern, 2 × tokens.
void writeShades(const Scene& scene, const SceneFigureOptions& options,
                 const std::filesystem::path& path, const Run& run) {
  const ShownText shown = textOf(scene, options, run);
  Matrix<double> values(2, std::ssize(shown.shades.kept));
  for (Index k = 0; k < values.cols(); ++k) {
    values(0, k) = static_cast<double>(shown.shades.dense[static_cast<std::size_t>(k)]);
    values(1, k) = static_cast<double>(shown.shades.kept[static_cast<std::size_t>(k)]);
  }
  writeNpy<double>(path, values);
}

std::vector<Moving> movingText(const Scene& scene, Index n) {
  if (scene.attention.text.byKey)
    return {};
  return {movingQuery(n)};
}

} // namespace

AttentionPictureUnit textPicture() {
  return {.figure = textFigure,
          .table = textTable,
          .writeNpy = writeShades,
          .reading = readingIn,
          .answers = giveAnswer<TextWeights, weightsOf>,
          .moving = movingText};
}

} // namespace attention
