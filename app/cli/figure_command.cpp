// attnx figure: published figures, or the figure of a scene.
#include "app/cli/commands.h"
#include "app/cli/figure_scene.h"
#include "app/cli/output_file.h"
#include "app/cli/picture_flags.h"

#include "core/figure/figure_file.h"
#include "core/figure/scene_figure.h"
#include "core/input/assets.h"
#include "core/input/replace_file.h"
#include "core/scene/figures.h"
#include "core/support/error.h"

#include <array>
#include <ostream>
#include <vector>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kEndings{".png", ".svg", ".pdf", ".tex"};

// Whether it is exact.
bool writeOne(const Scene& scene, const fs::path& path, const Arguments& arguments,
              const Context& context) {
  SceneFigureOptions options;
  options.theme = themeFrom(arguments);
  options.input = loadInput(scene.input, samplePath, partOf(context.run, 0, 0.1));
  FigureFileOptions file;
  file.size = sizeFrom(arguments);
  file.standalone = arguments.on("standalone");
  file.scene = scene;
  const Figure figure = figureOfScene(scene, options, partOf(context.run, 0.1, 0.6));
  return writeFigure(figure, path, file, partOf(context.run, 0.6, 1));
}

void writeAll(const fs::path& folder, const Arguments& arguments, const Context& context) {
  std::vector<fs::path> files;
  for (const ShippedFigure& figure : listFigures(assetFolder()))
    for (const std::string_view ending : kEndings)
      files.emplace_back(figure.name + std::string(ending));
  const auto all = static_cast<double>(files.size());
  std::vector<fs::path> sampled;
  replaceFilesIn(folder, [&](const fs::path& into) {
    for (std::size_t k = 0; k < files.size(); ++k) {
      const auto done = static_cast<double>(k);
      const Scene scene = findFigure(assetFolder(), files[k].stem().string());
      if (!writeOne(scene, into / files[k], arguments, context.part(done / all, (done + 1) / all)))
        sampled.push_back(folder / files[k]);
    }
  });
  for (const fs::path& file : sampled)
    saySampled(context.err, file.string());
}

int run(const Arguments& arguments, const Context& context) {
  if (arguments.on("list")) {
    for (const ShippedFigure& figure : listFigures(assetFolder()))
      context.out << figure.name << '\t' << figure.title << '\n';
    return 0;
  }
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; allowed is -o FILE");
  if (arguments.on("all")) {
    writeAll(arguments.text("output"), arguments, context);
    return 0;
  }
  const fs::path path = outputPath(arguments, "output", kEndings);
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "figure",
                "figure takes one name or SCENE.json; attnx figure --list tells the names");
  if (!writeOne(sceneOf(arguments.rest().front(), context.err), path, arguments, context))
    saySampled(context.err, path.string());
  return 0;
}

} // namespace

Command figureCommand() {
  Grammar grammar;
  grammar.rest = "NAME|SCENE.json";
  grammar.flags = {{"output", "FILE", ".png .svg .pdf .tex, or a folder with --all (also -o)"},
                   {"list", "", "a line a figure: its name, a tab, its title; by paper"},
                   {"all", "", "every published figure in every format"},
                   {"size", "WxH", "pixels (the size that the figure fills)"},
                   {"standalone", "", "a .tex that is a document of its own"},
                   {"theme", "light|dark", "colours (light)"}};
  return {"figure", "NAME|SCENE.json -o FILE", "published figures, or the figure of a scene",
          grammar, run};
}

} // namespace attention::cli
