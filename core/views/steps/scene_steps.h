// The steps that the Attention view of a Scene shows: of its pinned query, or of all queries as
// matrices.
#pragma once

#include "core/scene/input_data.h"
#include "core/scene/scene.h"
#include "core/views/steps/matrix_steps.h"
#include "core/views/steps/steps_answer.h"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace attention {

// What they read of a Scene beside the input.
struct SceneStepsQuestion {
  Pattern pattern;
  Lengths lengths;
  Align align = Align::TopLeft;
  StepsBy by = StepsBy::Softmax;
  bool whole = false;
  Index keyTile = 0; // of online softmax; else 0, as all below where they are not read
  Index m = 0;
  std::uint64_t seed = 0;
  bool normalized = true;
  Index query = 0;
  std::optional<Index> key; // has a line of its own
  bool operator==(const SceneStepsQuestion&) const = default;
};

// The pinned query; else the last one of few, and one in the middle of many.
Index stepsQuery(const Scene& scene, const Lengths& lengths);

// "57 whether": a query and its word, as a field shows it.
std::string queryText(Index query, std::span<const std::string> tokens, const Lengths& lengths);
// The query that such a text begins with, or the first one from `from` on, and around, whose word
// begins with the text, in small or capital letters. E_RANGE where there is none.
Index queryNamed(const std::string& text, std::span<const std::string> tokens,
                 const Lengths& lengths, Index from);

// E_RANGE names the setting that is out of bounds: as checkSettings, and `whole` with more than
// kMostMatrixTokens tokens.
SceneStepsQuestion sceneStepsQuestion(const Scene& scene, const Lengths& lengths);

using SceneSteps = std::variant<StepsAnswer, MatrixSteps>;

// E_UNSUPPORTED: no input, or ready weights without queries and keys; E_SHAPE: the input is shorter
// than the lengths; and what prepare, stepsAnswer and matrixSteps throw.
SceneSteps sceneSteps(const SceneStepsQuestion& question, const ModelHead& of, const Run& run = {});

// How many steps there are to go through.
Index countSteps(const SceneSteps& steps, std::span<const std::string> tokens);

// What to see after that step, in sentences; 0: after all.
std::vector<std::string> readingOf(const SceneSteps& steps, std::span<const std::string> tokens,
                                   Index step);

// "Query 3 …, layer 2, head 5": a title with the model head that it is of, where there are several.
std::string titleWithHead(const std::string& title, const ModelHead& of);

} // namespace attention
