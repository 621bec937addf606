// What the Timings view of a Scene shows: times measured on this machine. The window measures it
// live; files of a Scene measure it again.
#pragma once

#include "core/analysis/score/score_board.h"
#include "core/analysis/timing/measure.h"
#include "core/analysis/timing/timings.h"
#include "core/plot/figure.h"
#include "core/scene/scene.h"
#include "core/views/timings/timing_figure.h"

#include <optional>
#include <span>
#include <string>

namespace attention {

// What is measured of the Scene.
struct TimingQuestion {
  TimingsSpec spec;
  Pattern own; // the Scene's pattern where it is among the mechanisms, else full
  bool operator==(const TimingQuestion&) const = default;
};
// E_RANGE as checkTimings.
TimingQuestion timingQuestion(const Scene& scene);

// Its mechanisms.
std::vector<ScoredMethod> methodsOf(const TimingQuestion& question, const Run& run = {});

// The name of a mechanism of the Scene that is `method`: its title, or the method's; and the names
// of all in the question.
std::string nameOf(const TimedMechanism& mechanism, const ScoredMethod& method);
std::vector<std::string> namesOf(const TimingQuestion& question,
                                 std::span<const ScoredMethod> methods);

// How figures of it are drawn.
TimingFigureOptions figureOptionsOf(const TimingQuestion& question,
                                    std::span<const ScoredMethod> methods);

// Measured with these samples. Errors as measureTimings.
Timings timingsOf(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                  const SamplingOptions& sampling,
                  const std::function<void(const Timings&)>& onChange = {}, const Run& run = {});

// Measured with few samples, within the seconds that a figure may take.
Timings timingsForFile(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                       const Run& run = {});

// What to see, in sentences, from nothing but the numbers.
std::vector<std::string> readingOf(const Timings& timings, std::span<const std::string> names);

// The input for timing mechanisms: normal queries, keys and values (S7.6), of any length from one
// seed, shorter ones being the first tokens of longer ones. Heads of width d; drawing uses all
// threads of the machine. E_RANGE: d, or a number of heads beyond what can be drawn.
TimingInput timingInput(Index d, Index heads, std::uint64_t seed);

// The memory of the mechanisms by the cost model (S14), not measured: Q, K, V, the output, and the
// scores or features of all heads at once, as if all were stored. Bytes of float32 numbers against
// n, a curve per mechanism in its hue from the plot of times; at every size, measured or not, that
// the model can predict without the data.
Plot memoryPlot(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                const TimingFigureOptions& options, const Run& run = {});

// Why a sparse pattern is slower than its pairs suggest: block-sparse kernels compute whole tiles
// (core/analysis/tiles). About the pattern whose time, as a share of dense attention's at the same
// n, exceeds the share of its pairs most, where that is by half or more: "At n = 4 096, Strided
// takes 12 % of the time of full attention but has only 4 % of its pairs. …", with the tiles that
// hold these pairs. Nothing where no pattern does, where dense attention was not measured, and for
// patterns that depend on the data.
std::optional<std::string> tileCostSentence(const Timings& timings,
                                            std::span<const ScoredMethod> methods,
                                            std::span<const std::string> names,
                                            const Run& run = {});

} // namespace attention
