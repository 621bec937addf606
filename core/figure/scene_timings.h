// What the Timings view of a Scene shows: times measured on this machine. The window measures it
// live, files of a Scene again.
#pragma once

#include "core/analysis/timing/measure.h"
#include "core/figure/timing_figure.h"
#include "core/scene/scene.h"

namespace attention {

// Of the Scene, what is measured.
struct TimingQuestion {
  TimingsSpec spec;
  Pattern own; // the Scene's pattern where it is among the mechanisms, else full
  bool operator==(const TimingQuestion&) const = default;
};
// E_RANGE as checkTimings.
TimingQuestion timingQuestion(const Scene& scene);

// Its mechanisms.
std::vector<ScoredMethod> methodsOf(const TimingQuestion& question, const Run& run = {});

// What a mechanism of the Scene is called where it is `method`: by its title, or by the method's.
// And all of the question's.
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

// With few samples and within the seconds that a figure may take.
Timings timingsForFile(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                       const Run& run = {});

// What to see, in sentences, from the numbers alone.
std::vector<std::string> readingOf(const Timings& timings, std::span<const std::string> names);

} // namespace attention
