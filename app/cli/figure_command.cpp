// attnx figure: published figures, the figure of a scene, or a lesson as a page.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/picture_flags.h"
#include "app/cli/sweep_flag.h"

#include "core/export/figure_file.h"
#include "core/input/assets.h"
#include "core/input/replace_file.h"
#include "core/scene/figures.h"
#include "core/scene/lessons.h"
#include "core/support/error.h"
#include "core/views/mask/export_mask.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_page.h"

#include <array>
#include <ostream>
#include <vector>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kEndings{".png", ".svg", ".pdf", ".tex"};
constexpr std::array<std::string_view, 8> kAllEndings{".png", ".svg", ".pdf", ".tex",
                                                      ".csv", ".npy", ".mtx", ".html"};

// Draws the Scene once and writes it to every path; returns the paths that are not exact.
std::vector<fs::path> writeFiles(Scene scene, const std::vector<fs::path>& paths,
                                 const Arguments& arguments, const Context& context) {
  const Run& run = context.run;
  SceneFigureOptions options;
  options.theme = themeFrom(arguments);
  options.input = inputOf(scene, context.notes, partOf(run, 0, 0.1));
  FigureFileOptions file;
  file.size = sizeFrom(arguments);
  file.standalone = arguments.on("standalone");
  file.svgWords = svgWordsFrom(arguments);
  file.scene = scene;
  const Figure figure = figureOfScene(scene, options, partOf(run, 0.1, 0.6));
  const Run writing = partOf(run, 0.6, 1);
  std::vector<fs::path> sampled;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    file.onMissing = missingSayer(context.notes, paths[k].string());
    if (!writeFigure(figure, paths[k], file,
                     stepOf(writing, static_cast<Index>(k), static_cast<Index>(paths.size()))))
      sampled.push_back(paths[k]);
  }
  return sampled;
}

bool writeLessonPage(const Lesson& lesson, const fs::path& path, const Arguments& arguments,
                     const Run& run) {
  if (endingOf(path) != ".html")
    throw Error(ErrorCode::Unsupported, "output",
                path.string() + " is not a page of HTML; a lesson must be written to FILE.html");
  if (arguments.has("sweep"))
    throw Error(ErrorCode::Unsupported, "sweep",
                "sweep is given with a lesson; it must be given with one figure");
  return writePage(lessonPage(pageOfLesson(lesson, 0, partOf(run, 0, 0.6)),
                              pageOptionsFrom(arguments), partOf(run, 0.6, 1)),
                   path);
}

// The numbers behind the picture.
void writeNumbers(Scene scene, const fs::path& path, const Context& context) {
  SceneFigureOptions options;
  options.input = inputOf(scene, context.notes, partOf(context.run, 0, 0.1));
  writeSceneData(scene, options, path, partOf(context.run, 0.1, 1));
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
      Context step = context;
      step.run = stepOf(context.run, static_cast<Index>(k), static_cast<Index>(figures.size()));
      for (const fs::path& path :
           writeFiles(findFigure(assetFolder(), name), paths, arguments, step))
        sampled.push_back(folder / path.filename());
    }
  });
  for (const fs::path& file : sampled)
    saySampled(context.notes, file.string());
}

std::vector<std::string> lessonNames() {
  std::vector<std::string> names;
  for (const fs::path& file : lessonFiles(assetFolder()))
    names.push_back(file.stem().string());
  return names;
}

[[noreturn]] void failRest(const Arguments& arguments, const std::string& besides) {
  throw Error(ErrorCode::Type, "figure",
              arguments.rest().front() + " is given with --" + besides +
                  "; one of the two must be left out");
}

// Whether the flag is given that only lists.
bool lists(const Arguments& arguments, const std::string& flag) {
  if (!arguments.on(flag))
    return false;
  refuse(arguments, {"output", "all", "size", "standalone", "theme", "sweep", "text"},
         "with --" + flag + ", which only lists");
  refuse(arguments, {flag == "list" ? "lessons" : "list"},
         "with --" + flag + "; one of the two must be left out");
  if (!arguments.rest().empty())
    failRest(arguments, flag);
  return true;
}

int runFigure(const Arguments& arguments, const Context& context) {
  sweepFrom(arguments); // its errors come before the work
  if (lists(arguments, "list")) {
    for (const ShippedFigure& figure : listFigures(assetFolder()))
      context.out << figure.name << '\t' << figure.title << '\n';
    return 0;
  }
  if (lists(arguments, "lessons")) {
    for (const fs::path& file : lessonFiles(assetFolder()))
      context.out << file.stem().string() << '\t' << readLesson(file).lesson.title << '\n';
    return 0;
  }
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; give -o FILE");
  if (arguments.on("all")) {
    if (!arguments.rest().empty())
      failRest(arguments, "all");
    writeAll(arguments.text("output"), arguments, context);
    return 0;
  }
  const fs::path path = outputPath(arguments, "output", kAllEndings);
  requirePictureFlags(arguments, path.string());
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "figure",
                "figure takes one name, SCENE.json or a picture that carries its scene; attnx "
                "figure --list prints the names");
  if (const auto lesson = lessonNamed(assetFolder(), arguments.rest().front())) {
    if (!writeLessonPage(*lesson, path, arguments, context.run))
      saySampled(context.notes, path.string());
    return 0;
  }
  Scene scene = sceneOf(arguments.rest().front(), context.notes, lessonNames());
  if (endingOf(path) == ".html") {
    const auto input = inputOf(scene, context.notes, partOf(context.run, 0, 0.1));
    writeScenePage(scene, input, arguments, context.part(0.1, 1));
    return 0;
  }
  if (isListEnding(endingOf(path))) {
    writeNumbers(scene, path, context);
    return 0;
  }
  for (const fs::path& file : writeFiles(scene, {path}, arguments, context))
    saySampled(context.notes, file.string());
  return 0;
}

} // namespace

Command figureCommand() {
  Grammar grammar;
  grammar.rest = "NAME|LESSON|SCENE.json|PICTURE";
  grammar.flags = {
      {"output", "FILE",
       ".png .svg .pdf .tex .html; its numbers as .csv or .npy, and .mtx for masks; a folder "
       "with --all (also -o)"},
      {"list", "", "one line per figure: its name, a tab, its title; by paper"},
      {"lessons", "", "one line per lesson: its name, a tab, its title"},
      {"all", "", "every published figure in every format"},
      sizeFlag("size in pixels (as large as the figure needs)"),
      {"standalone", "", "a .tex that is a complete document"},
      themeFlag(),
      sweepFlag(),
      svgWordsFlag()};
  return {"figure", "NAME|LESSON|SCENE.json|PICTURE -o FILE",
          "published figures, the figure of a scene, or a lesson as a page", grammar, runFigure};
}

} // namespace attention::cli
