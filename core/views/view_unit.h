// A view as one unit: what it reads of a Scene, what moves in it, and what files, the clipboard and
// small pictures get from it. Each is defined in the view's own folder, so nothing else has to ask
// which view it is.
#pragma once

#include "core/export/csv_table.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct PageFigure;

// A format for a view's numbers.
struct DataForm {
  std::string_view ending;
  std::string_view holds; // "the matrix of hops as int32, n × n; −1 for never"
  void (*write)(const Scene& scene, const SceneFigureOptions& options,
                const std::filesystem::path& path, const Run& run);
};

inline bool always(const Scene&) {
  return true;
}
inline bool never(const Scene&) {
  return false;
}

// Functions that are null say nothing. Those that take a Scene may be called with one that shows
// another view.
struct ViewUnit {
  // The picture, and panels for what the window shows beside it. In a published figure, and where a
  // file is too small, the picture stands alone.
  Figure (*figure)(const Scene& scene, const SceneFigureOptions& options, const Run& run);
  // The picture's numbers as text for a clipboard.
  std::string (*text)(const Scene& scene, const SceneFigureOptions& options, const Run& run);
  std::span<const DataForm> forms;
  // Replaces the figure where it is drawn small: quick, and without measuring.
  Figure (*thumbnail)(const Scene& scene, const SceneFigureOptions& options,
                      const Run& run) = nullptr;

  // What to see in the picture, in sentences: the window's “Read this”.
  std::vector<std::string> (*reading)(const Scene& scene, const SceneFigureOptions& options,
                                      const Run& run) = nullptr;
  // Gives `options` what both figure and reading are made of, so that it is computed once (and
  // measured once). Null: it is quick.
  void (*answers)(const Scene& scene, SceneFigureOptions& options, const Run& run) = nullptr;

  // Copies the view's own part of another Scene into `scene`.
  void (*copySpec)(Scene& scene, const Scene& from);

  // What it reads of the parts that views share (shown_patterns.h).
  bool choosesPattern = true;
  // Whether the pattern is chosen without an input too, to be given to parts of something else.
  bool givesPattern = false;
  bool (*drawsOwnPattern)(const Scene& scene) = never;
  // Whether words beside the picture leave the pattern out: the picture shows nothing of it, or
  // names it itself.
  bool (*leavesPatternOut)(const Scene& scene) = never;
  bool (*takesInput)(const Scene& scene) = always;
  // The patterns of its own that it shows, including its default ones, and their places in the
  // Scene; which of them the controls edit, and its name. Null, or none: the Scene's pattern.
  std::vector<Panel> (*panels)(const Scene& scene) = nullptr;
  std::vector<Panel>& (*panelsIn)(Scene& scene) = nullptr;
  std::optional<std::size_t> (*edited)(const Scene& scene) = nullptr;
  std::string (*editedName)(const Scene& scene) = nullptr;
  // Parameters of the pattern that it does not read; none: it reads all.
  std::vector<std::string_view> (*unreadParameters)(const Scene& scene) = nullptr;
  // For a view of masks side by side: the masks, and the parts of a Scene that they are made from,
  // which `keepMasks` copies to another one.
  std::vector<Panel> (*masks)(const Scene& scene, const Lengths& lengths) = nullptr;
  void (*keepMasks)(Scene& scene, const Scene& from) = nullptr;
  bool showsDifference = false; // the masks are compared, and the last is their difference

  // The name of the shown picture, where it has several.
  std::string (*picture)(const Scene& scene) = nullptr;
  // Whether that depends on the input's numbers, not only its length, and on all its heads. Null:
  // it does if it shows one pattern that depends on them.
  bool (*showsInput)(const Scene& scene) = nullptr;
  bool (*showsAllHeads)(const Scene& scene) = never;
  // Whether its picture shows the same thing, apart from numbers and patterns.
  bool (*sameKind)(const Scene& a, const Scene& b) = nullptr;
  // Copies from `own` what may change without making its caption wrong.
  void (*ignoreLooks)(Scene& looked, const Scene& own) = nullptr;

  // The numbers that move, besides those of the pattern; `n` as in sweptLength.
  std::vector<Moving> (*moving)(const Scene& scene, Index n) = nullptr;
  // What a page plays unasked: the frames, and the one that is the Scene's own. Null, or fewer than
  // two: nothing. Throws as figureOfScene does.
  PageFigure (*plays)(const Scene& scene, const SceneFigureOptions& options,
                      const Run& run) = nullptr;
  void (*checkSweep)(const Scene& scene) = nullptr; // throws where nothing may move
  Index (*length)(const Scene& scene) = nullptr;    // null: the tokens
};

const ViewUnit& unitOf(View view);

// Copies the specs of every view except `view` from `from` to `scene`.
void takeOtherViews(Scene& scene, View view, const Scene& from);

// The spec of a view, stored in that member of the Scene.
template <auto member>
void takeMember(Scene& scene, const Scene& from) {
  scene.*member = from.*member;
}

// The name of the chosen picture, as in files.
template <class S>
std::string pictureName(const Settings<S>& all, const S& spec) {
  return std::get<std::string>(settingNamed(all, "picture").resolved(spec, 1));
}

// A view's answer, computed by `answerOf` where the options do not have it.
template <class Answer, Answer (*answerOf)(const Scene&, const SceneFigureOptions&, const Run&)>
void giveAnswer(const Scene& scene, SceneFigureOptions& options, const Run& run) {
  if (!options.ready.find<Answer>())
    options.ready.give(std::make_shared<const Answer>(answerOf(scene, options, run)));
}

// A view's `table` as text, and as a file.
template <CsvTable (*table)(const Scene&, const SceneFigureOptions&, const Run&)>
std::string textOfTable(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return textOf(table(scene, options, run));
}
template <CsvTable (*table)(const Scene&, const SceneFigureOptions&, const Run&)>
void writeTable(const Scene& scene, const SceneFigureOptions& options,
                const std::filesystem::path& path, const Run& run) {
  writeCsv(path, table(scene, options, run));
}

} // namespace attention
