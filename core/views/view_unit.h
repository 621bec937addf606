// A view as one unit: what it reads of a Scene, what moves in it, and what files, the clipboard and
// small pictures get of it. Each is made in the view's own folder, and nothing else has to ask
// which view it is.
#pragma once

#include "core/export/csv_table.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// A form in which a view's numbers are written.
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

// Functions that are null say nothing. Those of a Scene may be asked about one that shows another
// view.
struct ViewUnit {
  // The picture, and what the window shows beside it that is worth a panel. In a published figure,
  // and where a file is too small, the picture stands alone.
  Figure (*figure)(const Scene& scene, const SceneFigureOptions& options, const Run& run);
  // The picture's numbers as text for a clipboard.
  std::string (*text)(const Scene& scene, const SceneFigureOptions& options, const Run& run);
  std::span<const DataForm> forms;
  // Instead of the figure where it is drawn small, soon and without measuring.
  Figure (*thumbnail)(const Scene& scene, const SceneFigureOptions& options,
                      const Run& run) = nullptr;

  // Gives `scene` the view's own part of another one.
  void (*copySpec)(Scene& scene, const Scene& from);

  // What it reads of what the views share (shown_patterns.h).
  bool choosesPattern = true;
  bool (*drawsOwnPattern)(const Scene& scene) = never;
  bool (*takesInput)(const Scene& scene) = always;
  // The patterns of its own that it shows, those that it has by default too, and where they are in
  // the Scene; which of them controls edit, and what that is called. Null, or none: the Scene's
  // pattern.
  std::vector<Panel> (*panels)(const Scene& scene) = nullptr;
  std::vector<Panel>& (*panelsIn)(Scene& scene) = nullptr;
  std::optional<std::size_t> (*edited)(const Scene& scene) = nullptr;
  std::string (*editedName)(const Scene& scene) = nullptr;
  // Of a view of masks side by side: these, and what of a Scene they are made of, which
  // `keepMasks` gives to another one.
  std::vector<Panel> (*masks)(const Scene& scene, const Lengths& lengths) = nullptr;
  void (*keepMasks)(Scene& scene, const Scene& from) = nullptr;
  bool showsDifference = false; // the masks are compared, and the last is their difference

  // The name of the picture that it shows, where it has several.
  std::string (*picture)(const Scene& scene) = nullptr;
  // Whether that is made of the input's numbers, not of its length alone, and of all its heads.
  // Null: where it is of one pattern that depends on them.
  bool (*showsInput)(const Scene& scene) = nullptr;
  bool (*showsAllHeads)(const Scene& scene) = never;
  // Whether its picture is of the same, whatever its numbers are, apart from the patterns.
  bool (*sameKind)(const Scene& a, const Scene& b) = nullptr;
  // Copies from `own` what may change without making its caption wrong.
  void (*ignoreLooks)(Scene& looked, const Scene& own) = nullptr;

  // The numbers that move, beside those of the pattern; `n` as sweptLength says.
  std::vector<Moving> (*moving)(const Scene& scene, Index n) = nullptr;
  void (*checkSweep)(const Scene& scene) = nullptr; // throws where nothing may move
  Index (*length)(const Scene& scene) = nullptr;    // null: the tokens
};

const ViewUnit& unitOf(View view);

// Gives `scene` the specs of every view but `view` as `from` has them.
void takeOtherViews(Scene& scene, View view, const Scene& from);

// The spec of a view, which lies in that member of the Scene.
template <auto member>
void takeMember(Scene& scene, const Scene& from) {
  scene.*member = from.*member;
}

// The name of the chosen picture, as files have it.
template <class S>
std::string pictureName(const Settings<S>& all, const S& spec) {
  return std::get<std::string>(settingNamed(all, "picture").resolved(spec, 1));
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
