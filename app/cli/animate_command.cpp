// attnx animate: a figure or scene with one number of it moving.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/picture_flags.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/views/animation_file.h"
#include "core/views/view_unit.h"

#include <ostream>

namespace attention::cli {
namespace {

Sweep sweepFrom(const Arguments& arguments) {
  return {arguments.text("sweep"), arguments.real("from"), arguments.real("to"),
          arguments.real("step")};
}

Index lengthOf(const Scene& scene, const Input* input) {
  const bool tokens = !unitOf(scene.view).length;
  return sweptLength(scene, tokens ? currentLengths(scene.length, input).keys : 0);
}

void say(std::ostream& out, const Frames& frames, const std::string& path) {
  out << frames.scenes.size() << (frames.scenes.size() == 1 ? " frame" : " frames") << " of "
      << frames.of << " from " << shortest(frames.values.front()) << " to "
      << shortest(frames.values.back()) << " in " << path << '\n';
}

int runAnimate(const Arguments& arguments, const Context& context) {
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "animate",
                "animate takes one name, SCENE.json or a picture that carries its scene; attnx "
                "figure --list prints the names");
  Scene scene = sceneOf(arguments.rest().front(), context.notes);
  SceneFigureOptions how;
  how.theme = themeFrom(arguments);
  how.threads = threadsFrom(arguments);
  how.input = inputOf(scene, context.notes, partOf(context.run, 0, 0.05));
  const Index n = lengthOf(scene, how.input.get());
  if (arguments.on("list")) {
    refuse(arguments, {"output", "from", "to", "step", "seconds", "still", "size", "theme"},
           "with --list, which only lists");
    const std::vector<std::string> sweeps = sweepsOf(scene, n);
    for (const std::string& name : sweeps)
      context.out << name << '\n';
    if (!sweeps.empty()) // else the following call says why
      return 0;
  }
  const Frames frames = framesOf(scene, sweepFrom(arguments), n);
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "-o is missing; give -o FILE or -o FOLDER");
  const std::string path = arguments.text("output");
  AnimationFileOptions file;
  file.size = sizeFrom(arguments);
  file.seconds = arguments.real("seconds").value_or(file.seconds);
  file.still = arguments.real("still").value_or(file.still);
  const auto older = writeAnimation(frames, how, path, file, partOf(context.run, 0.05, 1));
  if (older > 0)
    context.notes << "attnx: note: " << countText(older, "older frame") << " after frame "
                  << frames.scenes.size() << (older == 1 ? " was" : " were") << " removed from "
                  << path << '\n';
  say(context.out, frames, path);
  return 0;
}

} // namespace

Command animateCommand() {
  Grammar grammar;
  grammar.rest = "NAME|SCENE.json|PICTURE";
  grammar.flags = {
      {"output", "FILE", ".png (APNG), .gif, .mp4 (needs ffmpeg), or a folder (also -o)"},
      {"sweep", "NAME", "what moves: a parameter, or what the view plays"},
      {"from", "A", "its first value"},
      {"to", "B", "its last value"},
      {"step", "S", "change from one frame to the next (at most 60 frames)"},
      {"list", "", "what can move, one per line"},
      {"seconds", "T", "seconds per frame (0.5)"},
      {"still", "T", "extra seconds for the last frame (1.5)"},
      sizeFlag("size in pixels (that of the first frame)"),
      {"theme", "light|dark", "colours (light)"},
      {"threads", "N", "number of threads; 0 uses all"}};
  return {"animate", "NAME|SCENE.json|PICTURE -o FILE", "an animation of a figure or scene",
          grammar, runAnimate};
}

} // namespace attention::cli
