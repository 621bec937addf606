#include "app/gui/files/command_text.h"

#include "app/gui/files/command_flags.h"
#include "app/gui/interface/window_view.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/views/attention/scene_attention.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

constexpr Index kUsualWidth = 64; // of the cost model, where there is no input

std::string alignFlags(const CommandScene& shown) {
  return " --n-q " + std::to_string(shown.lengths.queries) + " --n-k " +
         std::to_string(shown.lengths.keys) + " --align " +
         (shown.scene.length.align == Align::TopLeft ? "top-left" : "bottom-right");
}

// The widths used for costs.
std::string widthFlags(const Input* input) {
  const auto flagOf = [](const char* name, Index width) {
    return width > 0 && width != kUsualWidth
               ? " --" + std::string(name) + " " + std::to_string(width)
               : std::string();
  };
  if (!input)
    return {};
  const std::string dv = input->dv == input->d ? "" : " --dv " + std::to_string(input->dv);
  return flagOf("d", input->d) + (input->dv > 0 ? dv : "");
}

} // namespace

bool CommandScene::hasInput() const {
  return input && hasFlags(scene.input);
}

std::string tableText(const Scene& scene) {
  Scene read = scene;
  for (std::string* words : {&read.title, &read.caption, &read.source, &read.paper})
    words->clear();
  read.about.reset();
  const Scene none;
  takeOtherViews(read, scene.view, none);
  if (!takesInput(scene)) {
    read.input = none.input;
    read.labels = none.labels;
  }
  if (!drawsOwnPattern(scene, scene.view))
    read.pattern = none.pattern;
  return "attnx figure " + shellQuoted(toBriefJson(read).dump()) + " -o " +
         std::string(kViewNames[static_cast<std::size_t>(scene.view)]) + ".csv";
}

std::string lengthFlags(const CommandScene& shown) {
  return shown.lengths.square() ? " --n " + std::to_string(shown.lengths.keys) : alignFlags(shown);
}
std::string inputFlags(const CommandScene& shown) {
  const bool random = std::holds_alternative<RandomInput>(shown.scene.input.source);
  if (random && shown.lengths.square())
    return inputText(shown.scene.input, shown.lengths.keys);
  const bool rectangular = shown.input && shown.input->queries != shown.input->keys;
  return inputText(shown.scene.input) + (rectangular ? alignFlags(shown) : lengthFlags(shown));
}

Pattern besideInput(const CommandScene& shown, const Pattern& pattern) {
  const InputSpec& input = shown.scene.input;
  if (input.batch == 0 && input.head == 0)
    return pattern;
  try {
    return hasMasksOfPlanes(pattern) ? withMaskPlane(pattern, {0, 0}) : pattern;
  } catch (const Error&) { // a file that is gone: the command says so
    return pattern;
  }
}

std::string infoText(const CommandScene& shown, const Pattern& pattern, const std::string& base) {
  const std::string command = "attnx info";
  const bool measured = shown.hasInput() &&
                        covers(*shown.input, shown.lengths, shown.scene.length.align) &&
                        std::max(shown.lengths.queries, shown.lengths.keys) <= kMostAttentionTokens;
  if (needsData(pattern) && !hasFlags(shown.scene.input))
    return tableText(shown.scene);
  if (measured || needsData(pattern))
    return command + (measured ? " --measure" + base : "") + inputFlags(shown) +
           (measured ? scoresText(shown.scene.input) : "") + " " +
           patternText(besideInput(shown, pattern));
  return command + " " + patternText(pattern) + lengthFlags(shown) + widthFlags(shown.input);
}

std::string commandText(const Scene& scene, const Lengths& lengths, const Input* input) {
  return windowView(scene.view).command({scene, lengths, input});
}

} // namespace attention::gui
