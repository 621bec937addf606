#include "app/cli/picture_flags.h"

#include "core/export/embedded_scene.h"
#include "core/export/shaped_text.h"
#include "core/input/assets.h"
#include "core/model/model_input.h"
#include "core/scene/figures.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <ostream>
#include <utility>

namespace attention::cli {

namespace {

PixelSize sizeOf(const std::string& text) {
  const std::vector<std::string_view> sides = split(text, 'x');
  if (sides.size() != 2 || !isWholeNumber(sides.front()) || !isWholeNumber(sides.back()))
    throw Error(ErrorCode::Type, "size", "size is " + excerpt(text) + "; it must be WIDTHxHEIGHT");
  return {integerFromText("size", sides.front()), integerFromText("size", sides.back())};
}

} // namespace

std::optional<PixelSize> sizeFrom(const Arguments& arguments) {
  const std::string* text = arguments.find("size");
  return text ? std::optional(sizeOf(*text)) : std::nullopt;
}

Flag sizeFlag(const std::string& help) {
  return checkedBy([](const std::string&, const std::string& text) { sizeOf(text); },
                   {"size", "WxH", help});
}

PageTheme pageThemeFrom(const Arguments& arguments) {
  const std::string theme = arguments.text("theme", "page");
  if (theme == "page")
    return PageTheme::Page;
  return theme == "dark" ? PageTheme::Dark : PageTheme::Light;
}

FigureTheme themeFrom(const Arguments& arguments) {
  if (endingOf(arguments.text("output", "")) == ".html")
    return pageThemeFrom(arguments) == PageTheme::Dark ? FigureTheme::Dark : FigureTheme::Light;
  const std::string theme = arguments.text("theme", "light");
  if (theme == "page") // follows the reader of .html alone
    throwRange("theme", theme, "light or dark");
  return theme == "dark" ? FigureTheme::Dark : FigureTheme::Light;
}

Flag themeFlag() {
  return {"theme", "light|dark|page",
          "colours of a picture (light); page, for .html: as the reader prefers"};
}

SvgWords svgWordsFrom(const Arguments& arguments) {
  if (!arguments.has("text"))
    return SvgWords::Outlines;
  const std::string ending = endingOf(arguments.text("output"));
  const bool folder = arguments.has("all"); // for files of every kind
  if (ending != ".svg" && !folder)
    throw Error(ErrorCode::Unsupported, "text",
                "text is given for " + (ending.empty() ? "no file" : ending) +
                    "; it must be given with -o FILE.svg");
  return arguments.text("text") == "text" ? SvgWords::Text : SvgWords::Outlines;
}

Flag svgWordsFlag() {
  return {"text", "outlines|text", "text of an .svg as outlines, or as text to edit (outlines)"};
}

std::function<void(const std::string& signs)> missingSayer(std::ostream& err,
                                                           const std::string& path) {
  return [&err, path](const std::string& signs) {
    err << "attnx: " << path << ": " << missingText(signs) << "; they are drawn as boxes\n";
  };
}

bool isPictureEnding(const std::string& path) {
  return isFigureEnding(endingOf(path));
}

void requirePictureFlags(const Arguments& arguments, const std::string& path) {
  const std::string ending = endingOf(path);
  const auto refuse = [&](const char* flag, const char* what) {
    if (arguments.has(flag))
      throw Error(ErrorCode::Unsupported, flag,
                  std::string(flag) + " is given for " + ending + "; it must be given with " +
                      what);
  };
  if (path.empty())
    return;
  if (!isPictureEnding(path))
    for (const char* flag : {"size", "axes", "theme"})
      refuse(flag, "a picture");
  if (ending != ".tex")
    refuse("standalone", ".tex");
  svgWordsFrom(arguments);
}

PictureOptions pictureFrom(const Arguments& arguments) {
  PictureOptions options;
  options.file.size = sizeFrom(arguments);
  options.file.standalone = arguments.on("standalone");
  options.file.threads = threadsFrom(arguments);
  options.file.svgWords = svgWordsFrom(arguments);
  options.theme = themeFrom(arguments);
  if (endingOf(arguments.text("output", "")) == ".html")
    options.file.page = pageThemeFrom(arguments);
  return options;
}

void saySampled(std::ostream& err, const std::string& path) {
  err << "attnx: " << path
      << " is sampled: it has too many rows without a closed form to count them all\n";
}

Scene sceneOf(const std::string& name, std::ostream& err, std::span<const std::string> lessons) {
  const bool written = name.substr(0, 1) == "{";
  if (!written && !mayCarryScene(name) && endingOf(name) != ".json")
    return findFigure(assetFolder(), name, lessons);
  ReadScene read = written               ? sceneFromText(name, "the scene")
                   : mayCarryScene(name) ? sceneOfPicture(name)
                                         : readScene(name);
  for (const std::string& warning : read.warnings)
    err << "attnx: note: " << warning << '\n';
  return std::move(read.scene);
}

namespace {

void sayChanged(const FileInput& files, const std::string& before, const std::string& now,
                std::ostream& notes) {
  const std::vector<std::string> names = filesOf(files);
  const std::vector<std::string_view> old = split(before, ' ');
  const std::vector<std::string_view> read = split(now, ' ');
  for (std::size_t k = 0; k < names.size(); ++k)
    if (old.size() != names.size() || read.size() != names.size() || old[k] != read[k])
      notes << "attnx: note: " << names[k] << " has changed since the scene was saved\n";
}

} // namespace

std::shared_ptr<const Input> inputOf(Scene& scene, std::ostream& notes, const Run& run) {
  auto input = openInput(scene.input, run);
  std::string& known = scene.input.contentHash;
  const auto* files = std::get_if<FileInput>(&scene.input.source);
  if (input && files && !known.empty() && known != input->contentHash)
    sayChanged(*files, std::exchange(known, input->contentHash), input->contentHash, notes);
  return input;
}

void rememberFiles(Scene& scene, const Input* input) {
  if (input && std::holds_alternative<FileInput>(scene.input.source))
    scene.input.contentHash = input->contentHash;
}

} // namespace attention::cli
