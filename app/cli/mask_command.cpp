// attnx mask: a mask as a file.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/picture_flags.h"
#include "app/cli/sweep_flag.h"

#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/views/mask/export_mask.h"
#include "core/views/scene_figure.h"

#include <array>
#include <filesystem>

namespace attention::cli {
namespace {

constexpr std::array<std::string_view, 8> kEndings{".npy", ".png",  ".svg", ".pdf",
                                                   ".tex", ".html", ".csv", ".mtx"};

// Refuses flags that do not apply to a file with that ending.
void requireFittingFlags(const Arguments& arguments, const std::string& path) {
  const std::string ending = endingOf(path);
  if (ending != ".png" && arguments.has("cell"))
    throw Error(ErrorCode::Unsupported, "cell",
                "cell is given for " + ending + "; it must be given with .png");
  if (arguments.has("cell") && arguments.on("axes"))
    throw Error(ErrorCode::Unsupported, "cell",
                "cell is given with axes; give --size WxH of the whole picture");
  requirePictureFlags(arguments, path);
}

// The Scene of a picture of this pattern, to be embedded in it.
Scene sceneFrom(const Arguments& arguments, const Pattern& pattern) {
  Scene scene;
  scene.pattern = pattern;
  const bool data = readsInput(arguments);
  if (data)
    scene.input = maskInputSpec(arguments);
  placeFiles(scene, std::filesystem::current_path()); // the picture may end up elsewhere
  if (data) {
    if (!std::holds_alternative<RandomInput>(scene.input.source))
      scene.length.n = lengthFrom(arguments, "n");
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

MaskExportOptions maskOptions(const Arguments& arguments, const Pattern& head) {
  const PictureOptions picture = pictureFrom(arguments);
  MaskExportOptions options;
  options.size = picture.file.size;
  options.cell = arguments.integer("cell");
  options.axes = arguments.on("axes");
  options.standalone = picture.file.standalone;
  options.theme = picture.theme;
  options.page = picture.file.page;
  options.svgWords = picture.file.svgWords;
  options.scene = sceneFrom(arguments, head);
  options.threads = picture.file.threads;
  return options;
}

Scene sceneOfHeads(const Arguments& arguments) {
  Scene scene = sceneFrom(arguments, patternOfHeads(arguments));
  const HeadOptions heads = headsFrom(arguments);
  scene.mask.heads = {HeadsShown::SideBySide, heads.heads, heads.alternate, heads.subblocks,
                      heads.dilations};
  return scene;
}

// What the window's view shows of it, and what moves there.
void writeMaskPage(const Arguments& arguments, const std::vector<Pattern>& patterns,
                   const Context& context) {
  Scene scene =
      patterns.size() == 1 ? sceneFrom(arguments, patterns.front()) : sceneOfHeads(arguments);
  const auto input =
      readsInput(arguments) ? subjectFrom(arguments, context.part(0, 0.1)).input : nullptr;
  rememberFiles(scene, input.get());
  writeScenePage(scene, input, arguments, context.part(0.1, 1));
}

// Heads side by side in a picture, which always has axes.
void writeHeadsPicture(const Arguments& arguments, const std::string& path,
                       const Context& context) {
  if (arguments.has("cell"))
    throw Error(ErrorCode::Unsupported, "cell",
                "cell is given for several heads; give --size WxH of the whole picture");
  const Scene scene = sceneOfHeads(arguments);
  PictureOptions picture = pictureFrom(arguments);
  picture.file.scene = scene;
  SceneFigureOptions options;
  options.theme = picture.theme;
  options.threads = picture.file.threads;
  const Figure figure = figureOfScene(scene, options, partOf(context.run, 0, 0.5));
  if (!writeFigure(figure, path, picture.file, partOf(context.run, 0.5, 1)))
    saySampled(context.notes, path);
}

// One head, or the pattern itself.
void writeOne(const Arguments& arguments, const Pattern& pattern, const std::string& path,
              const Context& context) {
  MaskExportOptions options = maskOptions(arguments, pattern);
  PreparedHeads heads;
  if (readsInput(arguments)) {
    const MaskSubject subject = subjectFrom(arguments, context.part(0, 0.05));
    rememberFiles(*options.scene, subject.input.get());
    heads = preparedPatterns(subject, partOf(context.run, 0.05, 0.1));
  } else {
    heads = preparedHeads(arguments, context.part(0, 0.1));
  }
  const auto& prepared = heads.front();
  if (!exportMask(prepared, path, options, partOf(context.run, 0.1, 1)))
    saySampled(context.notes, path);
}

int runMask(const Arguments& arguments, const Context& context) {
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; give -o FILE");
  const std::string path = outputPath(arguments, "output", kEndings);
  requireFittingFlags(arguments, path);
  const std::vector<Pattern> patterns = patternsOfHeads(arguments);
  sweepFrom(arguments); // its errors come before the work
  if (endingOf(path) == ".html")
    writeMaskPage(arguments, patterns, context);
  else if (patterns.size() == 1)
    writeOne(arguments, patterns.front(), path, context);
  else if (isListEnding(endingOf(path)))
    exportMasks(preparedHeads(arguments, context.part(0, 0.1)), path, partOf(context.run, 0.1, 1));
  else
    writeHeadsPicture(arguments, path, context);
  return 0;
}

} // namespace

Command maskCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = queryKeyFlags();
  grammar.flags =
      withMaskFlags({{"output", "FILE", ".npy .png .svg .pdf .tex .html .csv .mtx (also -o)"},
                     sweepFlag(),
                     sizeFlag("size in pixels; each shows the exact share of its cells"),
                     {"cell", "P", "pixels per cell"},
                     {"axes", "", "a .png with axes and legend"},
                     {"standalone", "", "a .tex that is a complete document"},
                     themeFlag(),
                     svgWordsFlag()},
                    false);
  return {"mask", "PATTERN --n N -o FILE", "the mask as numbers or as a picture", grammar, runMask};
}

} // namespace attention::cli
