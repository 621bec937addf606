// attnx gui: the window, its picture, or a script of user actions.
#include "app/cli/commands.h"
#include "app/cli/input_flags.h"
#include "app/cli/picture_flags.h"

#include "app/gui/run_gui.h"
#include "core/export/figure_file.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention::cli {
namespace {

void takeSize(const Arguments& arguments, gui::GuiOptions& options) {
  const auto size = sizeFrom(arguments);
  if (!size)
    return;
  // Smaller windows are unusable; larger ones fit no texture.
  if (std::min(size->width, size->height) < 200 || std::max(size->width, size->height) > 8192)
    throwRange("size", arguments.text("size"), "200 to 8192 pixels per side");
  options.size = gui::WindowSize{static_cast<int>(size->width), static_cast<int>(size->height)};
}

std::string viewNames(const char* between) {
  std::string names;
  for (const std::string_view view : kViewNames)
    names += (names.empty() ? "" : between) + std::string(view);
  return names;
}

View viewFrom(const std::string& name) {
  const auto view = viewNamed(name);
  if (!view)
    throwRange("view", name, "one of " + viewNames(", "));
  return *view;
}

[[noreturn]] void throwBeside(const std::string& what, const Arguments& arguments) {
  throw Error(ErrorCode::Unsupported, what,
              what + " is given together with the file " + arguments.rest().front() +
                  "; only one of them may be given");
}

// In full, for the window remembers them. They say themselves what is shown.
std::vector<std::filesystem::path> filesOf(const Arguments& arguments) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : arguments.rest())
    files.push_back(std::filesystem::absolute(file));
  for (const char* flag : {"scene", "view"})
    if (!files.empty() && arguments.has(flag))
      throwBeside(flag, arguments);
  if (!files.empty() && namesInput(arguments))
    throwBeside("input", arguments);
  return files;
}

gui::GuiOptions guiOptions(const Arguments& arguments) {
  gui::GuiOptions options;
  options.scene = arguments.text("scene");
  options.files = filesOf(arguments);
  if (namesInput(arguments))
    options.input = inputSpecFrom(arguments);
  if (arguments.has("view"))
    options.view = viewFrom(arguments.text("view"));
  options.screenshot = arguments.text("screenshot");
  if (!options.screenshot.empty() && endingOf(options.screenshot) != ".png")
    throwEnding(options.screenshot, ".png");
  options.script = arguments.text("script");
  options.shaderFolder = arguments.text("shader-dir");
  takeSize(arguments, options);
  options.uiScale = static_cast<float>(arguments.real("ui-scale").value_or(1));
  if (!(options.uiScale >= 0.5F && options.uiScale <= 4))
    throwRange("ui-scale", arguments.text("ui-scale"), "a number from 0.5 to 4");
  if (arguments.has("theme"))
    options.dark = themeFrom(arguments) == FigureTheme::Dark;
  options.watch = arguments.on("watch");
  options.waitSeconds = arguments.real("wait").value_or(options.waitSeconds);
  if (!(options.waitSeconds >= 0))
    throwRange("wait", arguments.text("wait"), "a number of at least 0");
  return options;
}

int runGui(const Arguments& arguments, const Context& context) {
  gui::GuiOptions options = guiOptions(arguments);
  options.stop = context.run.stop;
  return gui::runGui(options);
}

} // namespace

Command guiCommand() {
  Grammar grammar;
  grammar.flags = {
      {"scene", "FILE", "a scene, or a picture that carries one"},
      checkedBy([](const std::string&, const std::string& view) { viewFrom(view); },
                {"view", viewNames("|"), "the tab; hashing is another name for choosing"}),
      {"screenshot", "OUT.png", "the window's picture, without a display"},
      {"script", "FILE", "plays user actions, without a display"},
      sizeFlag("size of the window (the last size, or 1440x900)"),
      {"ui-scale", "S", "scale of text and spacing (1)"},
      {"theme", "dark|light", "colours"},
      {"watch", "", "reload files that change on disk"},
      {"wait", "S", "seconds to wait for jobs before the picture (10)"},
      {"shader-dir", "DIR", "a folder to read the shaders from"}};
  grammar.add(inputFlags());
  grammar.rest = "FILE";
  return {"gui", "[FILE…] [--scene F] [--input F] [--screenshot OUT.png]",
          gui::hasWindow() ? "open the window, or draw it without a display"
                           : "the window, which is not in this build",
          grammar, runGui};
}

} // namespace attention::cli
