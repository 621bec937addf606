// What the Compare view of a Scene shows beside its masks: how they differ, and the score board of
// mechanisms on the loaded input with cost against captured mass and error. The masks themselves
// are shown_masks.h's.
#pragma once

#include "core/analysis/difference.h"
#include "core/analysis/score/score_board.h"
#include "core/export/csv_table.h"
#include "core/input/input.h"
#include "core/plot/figure.h"
#include "core/scene/compare_spec.h"
#include "core/scene/input_data.h"
#include "core/scene/scene.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostScoredTokens = 4096; // dense attention is what all is measured against

// Of the Scene, what the score board reads.
struct ScoresQuestion {
  std::vector<Panel> patterns;
  std::vector<TimedMechanism> mechanisms;
  Pattern own; // the Scene's, where it is among the mechanisms
  AttentionBase base = AttentionBase::Meaningful;
  Index n = 0;
  bool operator==(const ScoresQuestion&) const = default;
};
// E_RANGE: as checkCompare, more than kMostScoredTokens tokens; E_UNSUPPORTED: other queries than
// keys.
ScoresQuestion scoresQuestion(const Scene& scene, const Lengths& lengths);

struct ScoreLine {
  std::string name;
  std::optional<std::size_t> compared; // which of the compared patterns it is
  Score score;
  std::optional<std::uint64_t> seed = {}; // of what is drawn at random
};

// All against one base. Without those that are the same pattern twice, and against causal attention
// without Linformer, which has no causal form; where the input caps or scales its scores, without
// what stands for exp(q·k / √d). `onLine` hears of the lines so far as each is
// computed. E_UNSUPPORTED: no input, or weights alone; E_SHAPE: shorter than n; errors as
// scoreBoard.
std::vector<ScoreLine>
scoresOf(const ScoresQuestion& question, const ModelHead& input,
         const std::function<void(const std::vector<ScoreLine>&)>& onLine = {},
         const Run& run = {});

// In the order of the column; lines without the number come last, ties stay in their order.
std::vector<ScoreLine> sorted(std::vector<ScoreLine> lines, ScoreColumn column, bool rising);

// "causal attention", "attention to all keys": what the lines are measured against; empty for none.
std::string baseText(const std::vector<ScoreLine>& lines);

// FLOPs against captured mass, and against the output's error, with the Pareto front of either.
Plot massPlot(const std::vector<ScoreLine>& lines);
Plot errorPlot(const std::vector<ScoreLine>& lines);

// What to see, in sentences, from the numbers alone.
std::vector<std::string> readingOf(const ScoresQuestion& question, const ModelHead& input,
                                   const std::vector<ScoreLine>& lines);
std::string differenceText(const Difference& difference);

// The Scene's camera; where it has none and the mask is larger than kWholeCells on a side, one of
// kComparedCells that shows the first difference, since that of two readings is often one cell
// wide. It moves by half of its length alone, so that it stays while a parameter is dragged.
std::optional<Camera> comparedCamera(const Scene& scene, const Lengths& lengths,
                                     const Difference* difference);
constexpr Index kComparedCells = 32;
constexpr Index kWholeCells = 48;
// Of the whole mask: what no camera is in other views.
Camera wholeCamera(const Lengths& lengths);

// The score board as every file has it, a line per mechanism; cells of what it has no number of
// are empty.
CsvTable scoreTable(const std::vector<ScoreLine>& lines);

// What the score board measures beside the compared patterns: of the usual ones with parameters
// that suit n tokens (core/pattern/beginning.h), so that a window is none as long as the text.
std::vector<TimedMechanism> scoredAt(const CompareSpec& spec, Index n);

} // namespace attention
