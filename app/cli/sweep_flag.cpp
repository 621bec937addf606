#include "app/cli/sweep_flag.h"

#include "app/cli/picture_flags.h"
#include "core/support/error.h"
#include "core/views/scene_page.h"

#include <regex>

namespace attention::cli {

Flag sweepFlag() {
  return {"sweep", "PARAM=A..B[:STEP]",
          "a slider in .html that moves PARAM (of the pattern, n, query …) from A to B"};
}

std::optional<Sweep> sweepFrom(const Arguments& arguments) {
  if (!arguments.has("sweep"))
    return std::nullopt;
  if (endingOf(arguments.text("output", "")) != ".html")
    throw Error(ErrorCode::Unsupported, "sweep",
                "sweep is given without a page of HTML; it must be given with -o FILE.html");
  static const std::regex form(R"(([^=]+)(?:=(.+?)\.\.([^:]+)(?::(.+))?)?)");
  const std::string text = arguments.text("sweep");
  std::smatch part;
  if (!std::regex_match(text, part, form))
    throw Error(ErrorCode::Type, "sweep",
                "sweep is \"" + text + "\"; it must be PARAM or PARAM=FROM..TO[:STEP]");
  const auto number = [&](std::size_t k) {
    return part[k].matched ? std::optional(realFromText("sweep", part[k].str())) : std::nullopt;
  };
  return Sweep{part[1], number(2), number(3), number(4)};
}

void refuseBesideSweep(const Arguments& arguments, std::initializer_list<const char*> flags) {
  for (const char* flag : flags)
    if (arguments.has(flag))
      throw Error(ErrorCode::Unsupported, flag,
                  std::string(flag) + " is given with --sweep, whose frames show the whole figure "
                                      "of the window's view; leave one of the two out");
}

PageOptions pageOptionsFrom(const Arguments& arguments) {
  PageOptions how{pageThemeFrom(arguments)};
  if (const auto size = sizeFrom(arguments))
    how.size = Size{static_cast<double>(size->width), static_cast<double>(size->height)};
  return how;
}

namespace {

// Errors of the parts of --sweep PARAM=FROM..TO:STEP, which have flags of their own elsewhere, name
// that flag.
PageFigure sweptPage(const Scene& scene, const SceneFigureOptions& options,
                     const Arguments& arguments, const Run& run) {
  const auto sweep = sweepFrom(arguments);
  try {
    return pageOfScene(scene, options, sweep, run);
  } catch (const Error& error) {
    const std::string& part = error.subject();
    if (!sweep || (part != "from" && part != "to" && part != "step"))
      throw;
    throw Error(error.code(), "sweep", "sweep: " + std::string(error.what()));
  }
}

} // namespace

void writeScenePage(const Scene& scene, const std::shared_ptr<const Input>& input,
                    const Arguments& arguments, const Context& context) {
  SceneFigureOptions options;
  options.input = input;
  options.theme = themeFrom(arguments);
  const PageFigure page = sweptPage(scene, options, arguments, partOf(context.run, 0, 0.5));
  const std::string path = arguments.text("output");
  if (!writePage(page, path, pageOptionsFrom(arguments), partOf(context.run, 0.5, 1)))
    saySampled(context.notes, path);
}

} // namespace attention::cli
