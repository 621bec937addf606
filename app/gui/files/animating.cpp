#include "app/gui/files/animating.h"

#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/exporting.h"
#include "core/figure/animation_file.h"
#include "core/figure/ffmpeg.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

std::optional<double> numberIn(const char* name, const std::string& text) {
  if (trimmed(text).empty())
    return std::nullopt;
  const auto number = numberOf<double>(trimmed(text));
  if (!number)
    throw Error(ErrorCode::Type, name,
                std::string(name) + " is " + excerpt(text) + "; it must be a number or empty");
  return number;
}

struct Animation {
  Sweep sweep;
  AnimationFileOptions options;
};

void writeTo(Workbench& bench, const Animation& animation, const fs::path& file) {
  const Scene& scene = bench.document.scene();
  const Results& results = bench.engine.results();
  const Index n = sweptLength(scene, results.lengths.keys);
  SceneFigureOptions options; // what is on the screen is one of the frames at most
  options.input = results.input.value;
  bench.tasks.start("writing " + file.filename().string(),
                    [scene, n, options, animation, file](const Run& run) -> Finish {
                      const Frames frames = framesOf(scene, animation.sweep, n);
                      writeAnimation(frames, options, file, animation.options, run);
                      return [file, count = frames.scenes.size()](Workbench& b) {
                        b.notices.add(NoteKind::Good, "wrote " + file.string() + ": " +
                                                          std::to_string(count) +
                                                          (count == 1 ? " frame" : " frames"));
                      };
                    });
}

fs::path folderOf(const Workbench& bench) {
  std::error_code code;
  if (!bench.ui.folder.empty() && fs::is_directory(bench.ui.folder, code))
    return bench.ui.folder;
  return fs::current_path(code);
}

} // namespace

void chooseAnimation(Workbench& bench) {
  AnimationState state;
  const Scene& scene = bench.document.scene();
  state.names = sweepsOf(scene, sweptLength(scene, bench.engine.results().lengths.keys));
  state.ffmpeg = findFfmpeg().has_value();
  bench.overlay = std::move(state);
}

Sweep sweepOf(const AnimationState& state) {
  const std::string of =
      state.names.empty() ? "" : state.names.at(static_cast<std::size_t>(state.of));
  return {of, numberIn("from", state.from), numberIn("to", state.to), numberIn("step", state.step)};
}

void checkAnimation(AnimationState& state, const Scene& scene, Index keys) {
  state.checked = true;
  state.made.clear();
  state.problem.clear();
  try {
    const Swept swept = sweptBy(scene, sweepOf(state), sweptLength(scene, keys));
    const std::size_t count = swept.values.size();
    state.made = std::to_string(count) + (count == 1 ? " frame: " : " frames: ") + swept.of +
                 " from " + shortest(swept.values.front()) + " to " + shortest(swept.values.back());
  } catch (const Error& error) {
    state.problem = error.what();
  }
}

void askAnimation(Workbench& bench, const AnimationState& state) {
  const AnimationKind& kind = kAnimationKinds.at(static_cast<std::size_t>(state.form));
  Animation animation{sweepOf(state), {}};
  animation.options.seconds = state.seconds;
  FileDialogState dialog;
  dialog.title = "Write the animation";
  dialog.saving = true;
  dialog.makesFolder = std::string_view(kind.ending).empty();
  if (!dialog.makesFolder)
    dialog.endings = {kind.ending};
  dialog.folder = folderOf(bench);
  const Lengths& lengths = bench.engine.results().lengths;
  dialog.name = exportName(bench.document.scene(), lengths,
                           "-" + animation.sweep.of + std::string(kind.ending));
  dialog.chosen = [animation](Workbench& b, const fs::path& file) {
    b.ui.folder = file.parent_path().string();
    b.waiting.push_back([animation, file](Workbench& ready) { writeTo(ready, animation, file); });
  };
  askForFile(bench, std::move(dialog));
}

} // namespace attention::gui
