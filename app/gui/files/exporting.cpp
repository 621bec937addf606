#include "app/gui/files/exporting.h"

#include "app/gui/actions/file_dialogs.h"
#include "app/gui/interface/window_view.h"
#include "core/export/ffmpeg.h"
#include "core/export/figure_file.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/animation_file.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_page.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <cctype>

namespace attention::gui {
namespace {

// Whether a file of that name holds numbers, not a picture.
bool holdsData(const std::filesystem::path& file) {
  const std::string ending = endingOf(file);
  return ending == ".npy" || ending == ".csv" || ending == ".mtx";
}

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
  SceneFigureOptions options; // at most one of the frames is on the screen
  options.input = results.input.value;
  bench.tasks.start(
      "writing " + file.filename().string(),
      [scene, n, options, animation, file](const Run& run) -> Finish {
        const Frames frames = framesOf(scene, animation.sweep, n);
        const auto older = writeAnimation(frames, options, file, animation.options, run);
        return [file, older, count = frames.scenes.size()](Workbench& b) {
          b.notices.add(NoteKind::Good,
                        "wrote " + file.string() + ": " + countText(count, "frame") +
                            (older == 0 ? "" : "; removed " + countText(older, "older frame")));
        };
      });
}

fs::path folderOf(const Workbench& bench) {
  std::error_code code;
  if (!bench.ui.folder.empty() && fs::is_directory(bench.ui.folder, code))
    return bench.ui.folder;
  return fs::current_path(code);
}

void writeLesson(Workbench& bench, const Lesson& lesson, const fs::path& file) {
  bench.tasks.start(
      "writing " + file.filename().string(), [lesson, file](const Run& run) -> Finish {
        writePage(lessonPage(pageOfLesson(lesson, 0, partOf(run, 0, 0.6)), {}, partOf(run, 0.6, 1)),
                  file);
        return [file](Workbench& b) { b.notices.add(NoteKind::Good, "wrote " + file.string()); };
      });
}

// "quadratic-cost.html" of "Quadratic cost".
std::string pageName(const std::string& title) {
  std::string name;
  for (const char sign : title) {
    const auto c = static_cast<unsigned char>(sign);
    if (std::isalnum(c))
      name += static_cast<char>(std::tolower(c));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return (name.empty() ? "lesson" : name) + ".html";
}

} // namespace

std::string exportShown(const Scene& scene, const std::shared_ptr<const Input>& input,
                        const std::filesystem::path& file, const Run& run) {
  SceneFigureOptions made;
  made.input = input;
  return exportShown(scene, made, file, run);
}

std::string exportShown(const Scene& scene, const SceneFigureOptions& shown,
                        const std::filesystem::path& file, const Run& run) {
  std::string missing;
  if (holdsData(file)) {
    writeSceneData(scene, shown, file, run);
    return missing;
  }
  if (endingOf(file) == ".html") {
    writePage(pageOfScene(scene, shown, {}, partOf(run, 0, 0.5)), file, {}, partOf(run, 0.5, 1));
    return missing;
  }
  FigureFileOptions options;
  options.scene = scene;
  options.onMissing = [&missing](const std::string& signs) { missing = signs; };
  writeFigure(figureOfScene(scene, shown, run), file, options, run);
  return missing;
}

SceneFigureOptions shownOptions(const Results& results) {
  SceneFigureOptions options;
  options.input = results.input.value;
  for (const WindowView& view : windowViews())
    if (view.handOver)
      view.handOver(results, options);
  return options;
}

std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending) {
  const ViewUnit& unit = unitOf(scene.view);
  const std::string view(kViewNames[static_cast<std::size_t>(scene.view)]);
  if (unit.picture)
    return view + "-" + unit.picture(scene) + ending;
  if (!unit.choosesPattern || unit.showsDifference)
    return view + ending;
  return description(scene.pattern).name + "-" + std::to_string(lengths.keys) + ending;
}

void askLessonPage(Workbench& bench) {
  const Lesson& lesson = bench.lessons[bench.lesson->lesson];
  FileDialogState dialog;
  dialog.title = "Export the lesson";
  dialog.saving = true;
  dialog.endings = {".html"};
  dialog.folder = folderOf(bench);
  dialog.name = pageName(lesson.title);
  dialog.chosen = [lesson](Workbench& b, const fs::path& file) {
    b.ui.folder = file.parent_path().string();
    writeLesson(b, lesson, file);
  };
  askForFile(bench, std::move(dialog));
}

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
  state.frames.reset();
  state.previewed = 0;
  state.since = 0;
  try {
    const Frames frames = framesOf(scene, sweepOf(state), sweptLength(scene, keys));
    const std::size_t count = frames.values.size();
    state.made = std::to_string(count) + (count == 1 ? " frame: " : " frames: ") + frames.of +
                 " from " + shortest(frames.values.front()) + " to " +
                 shortest(frames.values.back());
    state.frames = std::make_shared<const Frames>(frames);
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
