// What the Compare view of a Scene shows beside its masks: how they differ, and the score board of
// mechanisms on the loaded input with cost against captured mass and error. The masks themselves
// are shown_masks.h's.
#pragma once

#include "core/analysis/difference.h"
#include "core/analysis/score/score_board.h"
#include "core/figure/csv_table.h"
#include "core/figure/figure.h"
#include "core/input/input.h"
#include "core/scene/scene.h"

#include <functional>
#include <memory>
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

struct ScoresInput {
  std::shared_ptr<const Input> input; // with queries, keys and values for n tokens at least
  Index batch = 0;
  Index head = 0;
  bool operator==(const ScoresInput&) const = default;
};

struct ScoreLine {
  std::string name;
  std::optional<std::size_t> compared; // which of the compared patterns it is
  Score score;
};

// All against one base. Without those that are the same pattern twice, and against causal attention
// without Linformer, which has no causal form; where the input caps or scales its scores, without
// what stands for exp(q·k / √d). `onLine` hears of the lines so far as each is
// computed. E_UNSUPPORTED: no input, or weights alone; E_SHAPE: shorter than n; errors as
// scoreBoard.
std::vector<ScoreLine>
scoresOf(const ScoresQuestion& question, const ScoresInput& input,
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
std::vector<std::string> readingOf(const ScoresQuestion& question, const ScoresInput& input,
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

CsvTable scoreTable(const std::vector<ScoreLine>& lines);

} // namespace attention
