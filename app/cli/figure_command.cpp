// attnx figure: published figures, or the figure of a scene.
#include "app/cli/commands.h"
#include "app/cli/picture_flags.h"

#include "core/figure/figure_file.h"
#include "core/figure/scene_figure.h"
#include "core/input/assets.h"
#include "core/scene/figures.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"

#include <ostream>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

bool isSceneFile(const std::string& name) {
  return endingOf(name) == ".json";
}

struct Wanted {
  Scene scene;
  fs::path folder; // of the files that it names
};

Wanted wantedScene(const std::string& name, std::ostream& err) {
  if (!isSceneFile(name))
    return {findFigure(assetFolder(), name), assetFolder() / "figures"};
  ReadScene read = readScene(name);
  for (const std::string& warning : read.warnings)
    err << "attnx: " << name << ": " << warning << '\n';
  return {std::move(read.scene), fs::path(name).parent_path()};
}

void writeOne(const Wanted& wanted, const fs::path& path, const Arguments& arguments,
              const Context& context) {
  SceneFigureOptions options;
  options.theme = themeFrom(arguments);
  options.baseFolder = wanted.folder;
  options.input = loadInput(wanted.scene.input, samplePath, context.run);
  FigureFileOptions file;
  file.size = sizeFrom(arguments);
  file.standalone = arguments.on("standalone");
  file.scene = wanted.scene;
  writeFigure(figureOfScene(wanted.scene, options, context.run), path, file, context.run);
}

void writeAll(const fs::path& folder, const Arguments& arguments, const Context& context) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    throw Error(ErrorCode::Io, folder.string(),
                "cannot make the folder " + folder.string() + ": " + code.message());
  for (const ShippedFigure& figure : listFigures(assetFolder()))
    for (const char* ending : {".png", ".svg", ".pdf", ".tex"})
      writeOne({findFigure(assetFolder(), figure.name), assetFolder() / "figures"},
               folder / (figure.name + ending), arguments, context);
}

int run(const Arguments& arguments, const Context& context) {
  if (arguments.on("list")) {
    for (const ShippedFigure& figure : listFigures(assetFolder()))
      context.out << figure.name << "  " << figure.tab << "  " << figure.title << '\n';
    return 0;
  }
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; allowed is -o FILE");
  const fs::path path = arguments.text("output");
  if (arguments.on("all")) {
    writeAll(path, arguments, context);
    return 0;
  }
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "figure",
                "figure takes one name or SCENE.json; attnx figure --list tells the names");
  writeOne(wantedScene(arguments.rest().front(), context.err), path, arguments, context);
  return 0;
}

} // namespace

Command figureCommand() {
  Grammar grammar;
  grammar.rest = "NAME|SCENE.json";
  grammar.flags = {{"output", "FILE", ".png .svg .pdf .tex, or a folder with --all (also -o)"},
                   {"list", "", "a line a figure: name, tab, title"},
                   {"all", "", "every published figure in every format"},
                   {"size", "WxH", "pixels (the size that the figure fills)"},
                   {"standalone", "", "a .tex that is a document of its own"},
                   {"theme", "light|dark", "colours (light)"}};
  return {"figure", "NAME|SCENE.json -o FILE", "published figures, or the figure of a scene",
          grammar, run};
}

} // namespace attention::cli
