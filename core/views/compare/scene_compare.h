// What the Compare view of a Scene shows besides its masks: how they differ, and the score board of
// mechanisms on the loaded input with cost against captured mass and error. The masks themselves
// are in shown_masks.h.
#pragma once

#include "core/analysis/difference.h"
#include "core/analysis/score/choice_scores.h"
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

constexpr Index kMostScoredTokens = 4096; // everything is measured against dense attention

// Of the Scene, what the score board reads.
struct ScoresQuestion {
  std::vector<Panel> patterns;
  std::vector<TimedMechanism> mechanisms;
  Pattern own; // the Scene's, where it is among the mechanisms
  AttentionBase base = AttentionBase::Meaningful;
  Index n = 0;
  bool operator==(const ScoresQuestion&) const = default;
};
// E_RANGE: as checkCompare, more than kMostScoredTokens tokens; E_UNSUPPORTED: different numbers of
// queries and keys.
ScoresQuestion scoresQuestion(const Scene& scene, const Lengths& lengths);

struct ScoreLine {
  std::string name;
  std::optional<std::size_t> compared; // which of the compared patterns it is
  Score score;
  std::optional<std::uint64_t> seed = {}; // of what is drawn at random
  std::optional<std::size_t> same = {};   // the line before that has the same pattern
  std::optional<ChoiceScore> choice = {}; // on a board with patterns that choose (S31)
};

// All against one base, without S31's numbers. Without mechanisms that are a compared pattern of
// their name, and against causal attention without Linformer, which has no causal form; where the
// input caps or scales its scores, without what stands for exp(q·k / √d). `onLine` hears of the
// lines so far as each is computed. E_UNSUPPORTED: no input, or weights alone; E_SHAPE: shorter
// than n; errors as scoreBoard.
std::vector<ScoreLine>
scoresOf(const ScoresQuestion& question, const ModelHead& input,
         const std::function<void(const std::vector<ScoreLine>&)>& onLine = {},
         const Run& run = {});

// Whether S31's numbers are told of these lines: the spec asks for them, or a compared pattern
// chooses. Not where no line has any.
bool tellsChoices(const CompareSpec& spec, const std::vector<ScoreLine>& lines);
// The lines with S31's numbers; `lines` are those of the question and the input. O(n² d) and more
// (choice_scores.h). Errors as scoresOf.
std::vector<ScoreLine> withChoices(std::vector<ScoreLine> lines, const ScoresQuestion& question,
                                   const ModelHead& input, const Run& run = {});

// The number of a column, where the line has it; none under its name.
std::optional<double> numberOf(const ScoreLine& line, ScoreColumn column);
// In the order of the column; lines without the number come last, ties stay in their order.
std::vector<ScoreLine> sorted(std::vector<ScoreLine> lines, ScoreColumn column, bool rising);

// As lists beside the plots name it, which number the lines from 1: "Causal", of a pattern that
// another line has "mine, same as 1".
std::string listedName(const ScoreLine& line);

// "causal attention", "full attention": what the lines are measured against; empty for none.
std::string baseText(const std::vector<ScoreLine>& lines);

// FLOPs against captured mass, and against the output's error, each with its Pareto front.
Plot massPlot(const std::vector<ScoreLine>& lines);
Plot errorPlot(const std::vector<ScoreLine>& lines);

// Whether any line chooses, so that all patterns' can have S31's numbers.
bool anyChooses(const std::vector<ScoreLine>& lines);
// What each compared pattern that chooses keeps beside the best choice of the same number: "NSA
// keeps 80 %, …".
std::string choicesText(const std::vector<ScoreLine>& lines);

// What to see, in sentences, from nothing but the numbers.
std::vector<std::string> readingOf(const ScoresQuestion& question, const ModelHead& input,
                                   const std::vector<ScoreLine>& lines);
std::string differenceText(const Difference& difference);

// The Scene's camera; where it has none and the mask is larger than kWholeCells on a side, one of
// kComparedCells that shows the first difference, since two readings often differ in a strip one
// cell wide. It moves only by half its length, so that it stays put while a parameter is dragged.
std::optional<Camera> comparedCamera(const Scene& scene, const Lengths& lengths,
                                     const Difference* difference);
constexpr Index kComparedCells = 32;
constexpr Index kWholeCells = 48;
// The Scene's pins, without those that this camera does not show: words are about cells in sight.
Pins comparedPins(const Scene& scene, const Lengths& lengths, const Difference* difference);
// "queries 96–127, keys 90–121 of 256": which cells of the masks are shown; empty where all are.
std::string shownCellsText(const Rect& cells, const Lengths& lengths);
// Of the whole mask: what no camera is in other views.
Camera wholeCamera(const Lengths& lengths);

// The score board as written to files, a line per mechanism; cells without a number are empty.
// Columns of S31 stand behind the others where a line has these numbers.
CsvTable scoreTable(const std::vector<ScoreLine>& lines);

// What the score board measures besides the compared patterns: the usual ones, with parameters that
// suit n tokens (core/pattern/beginning.h), so that no window is as long as the text.
std::vector<TimedMechanism> scoredAt(const CompareSpec& spec, Index n);

// What the board calls it: a pattern has its main number, even where that is the usual one for n
// tokens ("Local, window 128, causal").
std::string boardName(const TimedMechanism& mechanism, const ScoredMethod& method, Index n);

} // namespace attention
