// attnx figure: published figures, or the figure of a scene.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/picture_flags.h"

#include "core/export/figure_file.h"
#include "core/input/assets.h"
#include "core/input/replace_file.h"
#include "core/scene/figures.h"
#include "core/support/error.h"
#include "core/views/mask/export_mask.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_page.h"

#include <array>
#include <ostream>
#include <regex>
#include <vector>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kEndings{".png", ".svg", ".pdf", ".tex"};
constexpr std::array<std::string_view, 8> kAllEndings{".png", ".svg", ".pdf", ".tex",
                                                      ".csv", ".npy", ".mtx", ".html"};

// Draws the Scene once and writes it to every path; returns the paths that are not exact.
std::vector<fs::path> writeFiles(const Scene& scene, const std::vector<fs::path>& paths,
                                 const Arguments& arguments, const Context& context) {
  const Run& run = context.run;
  SceneFigureOptions options;
  options.theme = themeFrom(arguments);
  options.input = loadInput(scene.input, samplePath, partOf(run, 0, 0.1));
  FigureFileOptions file;
  file.size = sizeFrom(arguments);
  file.standalone = arguments.on("standalone");
  file.svgWords = svgWordsFrom(arguments);
  file.scene = scene;
  const Figure figure = figureOfScene(scene, options, partOf(run, 0.1, 0.6));
  const Run writing = partOf(run, 0.6, 1);
  std::vector<fs::path> sampled;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    file.onMissing = missingSayer(context.err, paths[k].string());
    if (!writeFigure(figure, paths[k], file,
                     stepOf(writing, static_cast<Index>(k), static_cast<Index>(paths.size()))))
      sampled.push_back(paths[k]);
  }
  return sampled;
}

// "stride=2..16:2": what moves, from where to where, and the step.
Sweep sweepFrom(const std::string& text) {
  static const std::regex form(R"(([^=]+)(?:=(.+?)\.\.([^:]+)(?::(.+))?)?)");
  std::smatch part;
  if (!std::regex_match(text, part, form))
    throw Error(ErrorCode::Type, "sweep",
                "sweep is \"" + text + "\"; it must be PARAM or PARAM=FROM..TO[:STEP]");
  const auto number = [&](std::size_t k) {
    return part[k].matched ? std::optional(realFromText("sweep", part[k].str())) : std::nullopt;
  };
  return {part[1], number(2), number(3), number(4)};
}

// The Scene as a page of HTML; returns whether it is exact.
bool writeScenePage(const Scene& scene, const fs::path& path, const Arguments& arguments,
                    const Run& run) {
  SceneFigureOptions options;
  options.input = loadInput(scene.input, samplePath, partOf(run, 0, 0.1));
  options.theme = themeFrom(arguments);
  PageOptions how{pageThemeFrom(arguments)};
  if (const auto size = sizeFrom(arguments))
    how.size = Size{static_cast<double>(size->width), static_cast<double>(size->height)};
  std::optional<Sweep> sweep;
  if (arguments.has("sweep"))
    sweep = sweepFrom(arguments.text("sweep"));
  return writePage(pageOfScene(scene, options, sweep, partOf(run, 0.1, 0.5)), path, how,
                   partOf(run, 0.5, 1));
}

// The numbers behind the picture.
void writeNumbers(const Scene& scene, const fs::path& path, const Run& run) {
  SceneFigureOptions options;
  options.input = loadInput(scene.input, samplePath, partOf(run, 0, 0.1));
  writeSceneData(scene, options, path, partOf(run, 0.1, 1));
}

void writeAll(const fs::path& folder, const Arguments& arguments, const Context& context) {
  const std::vector<ShippedFigure> figures = listFigures(assetFolder());
  std::vector<fs::path> sampled;
  replaceFilesIn(folder, [&](const fs::path& into) {
    for (std::size_t k = 0; k < figures.size(); ++k) {
      const std::string& name = figures[k].name;
      if (context.run.progress) // on a terminal
        context.err << k + 1 << " of " << figures.size() << ": " << name << std::endl;
      std::vector<fs::path> paths;
      paths.reserve(kEndings.size());
      for (const std::string_view ending : kEndings)
        paths.push_back(into / (name + std::string(ending)));
      const Context step{
          context.out, context.err,
          stepOf(context.run, static_cast<Index>(k), static_cast<Index>(figures.size()))};
      for (const fs::path& path :
           writeFiles(findFigure(assetFolder(), name), paths, arguments, step))
        sampled.push_back(folder / path.filename());
    }
  });
  for (const fs::path& file : sampled)
    saySampled(context.err, file.string());
}

int runFigure(const Arguments& arguments, const Context& context) {
  if (arguments.has("sweep") && endingOf(arguments.text("output", "")) != ".html")
    throw Error(ErrorCode::Unsupported, "sweep",
                "sweep is given without a page of HTML; it must be given with -o FILE.html");
  if (arguments.on("list")) {
    for (const ShippedFigure& figure : listFigures(assetFolder()))
      context.out << figure.name << '\t' << figure.title << '\n';
    return 0;
  }
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; give -o FILE");
  if (arguments.on("all")) {
    writeAll(arguments.text("output"), arguments, context);
    return 0;
  }
  const fs::path path = outputPath(arguments, "output", kAllEndings);
  requirePictureFlags(arguments, path.string());
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "figure",
                "figure takes one name, SCENE.json or a picture that carries its scene; attnx "
                "figure --list prints the names");
  const Scene scene = sceneOf(arguments.rest().front(), context.err);
  if (endingOf(path) == ".html") {
    if (!writeScenePage(scene, path, arguments, context.run))
      saySampled(context.err, path.string());
    return 0;
  }
  if (isListEnding(endingOf(path))) {
    writeNumbers(scene, path, context.run);
    return 0;
  }
  for (const fs::path& file : writeFiles(scene, {path}, arguments, context))
    saySampled(context.err, file.string());
  return 0;
}

} // namespace

Command figureCommand() {
  Grammar grammar;
  grammar.rest = "NAME|SCENE.json|PICTURE";
  grammar.flags = {
      {"output", "FILE",
       ".png .svg .pdf .tex .html; its numbers as .csv or .npy, and .mtx for masks; a folder "
       "with --all (also -o)"},
      {"list", "", "one line per figure: its name, a tab, its title; by paper"},
      {"all", "", "every published figure in every format"},
      {"size", "WxH", "size in pixels (as large as the figure needs)"},
      {"standalone", "", "a .tex that is a complete document"},
      themeFlag(),
      {"sweep", "PARAM=A..B[:STEP]", "a slider in .html that moves PARAM from A to B"},
      svgWordsFlag()};
  return {"figure", "NAME|SCENE.json|PICTURE -o FILE",
          "published figures, or the figure of a scene", grammar, runFigure};
}

} // namespace attention::cli
