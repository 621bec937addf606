// attnx mask: a mask as a file.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/masks.h"
#include "app/cli/picture_flags.h"

#include "core/attention/multihead.h"
#include "core/figure/export_mask.h"
#include "core/figure/scene_figure.h"
#include "core/support/error.h"

namespace attention::cli {
namespace {

// The Scene that the picture is of, to travel inside it.
Scene sceneFrom(const Arguments& arguments) {
  Scene scene;
  scene.pattern = arguments.patterns().front();
  if (needsData(scene.pattern)) {
    scene.input = inputSpecFrom(arguments);
    if (!std::holds_alternative<RandomInput>(scene.input.source))
      scene.length.n = arguments.integer("n");
    return scene;
  }
  const Lengths lengths = lengthsFrom(arguments);
  scene.length.n = lengths.keys;
  if (!lengths.square()) {
    scene.length.queries = lengths.queries;
    scene.length.align = lengths.offset == 0 ? Align::TopLeft : Align::BottomRight;
  }
  return scene;
}

MaskExportOptions optionsFrom(const Arguments& arguments) {
  MaskExportOptions options;
  options.size = sizeFrom(arguments);
  options.cell = arguments.integer("cell");
  options.axes = arguments.on("axes");
  options.standalone = arguments.on("standalone");
  options.theme = themeFrom(arguments);
  options.scene = sceneFrom(arguments);
  options.threads = threadsFrom(arguments);
  return options;
}

// Heads side by side in a picture.
void writeHeadsPicture(const Arguments& arguments, const std::string& path,
                       const Context& context) {
  Scene scene = sceneFrom(arguments);
  const HeadOptions heads = headsFrom(arguments);
  scene.mask.heads = {HeadsShown::SideBySide, heads.heads, heads.alternate, heads.subblocks,
                      heads.dilations};
  SceneFigureOptions figureOptions;
  figureOptions.theme = themeFrom(arguments);
  FigureFileOptions options;
  options.size = sizeFrom(arguments);
  options.standalone = arguments.on("standalone");
  options.scene = scene;
  writeFigure(figureOfScene(scene, figureOptions, context.run), path, options, context.run);
}

int run(const Arguments& arguments, const Context& context) {
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; allowed is -o FILE");
  const std::string path = arguments.text("output");
  const auto heads = preparedHeads(arguments, context);
  if (heads.size() == 1)
    exportMask(heads.front(), path, optionsFrom(arguments), context.run);
  else if (isListEnding(endingOf(path)))
    exportMasks(heads, path, context.run);
  else
    writeHeadsPicture(arguments, path, context);
  return 0;
}

} // namespace

Command maskCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = inputFlags();
  grammar.flags = withMaskFlags({{"output", "FILE", ".npy .png .svg .pdf .tex .csv .mtx (also -o)"},
                                 {"size", "WxH", "pixels of exact coverage"},
                                 {"cell", "P", "pixels a cell"},
                                 {"axes", "", "a .png with axes and legend"},
                                 {"standalone", "", "a .tex that is a document of its own"},
                                 {"theme", "light|dark", "colours of the picture (light)"}},
                                false);
  return {"mask", "PATTERN --n N -o FILE", "the mask as numbers or as a picture", grammar, run};
}

} // namespace attention::cli
