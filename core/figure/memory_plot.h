// The memory of the mechanisms of a figure of times, by the cost model (S14) and not measured: Q,
// K, V, the output, and the scores or features of all heads at once, were they all stored.
#pragma once

#include "core/figure/figure.h"
#include "core/figure/scene_timings.h"

namespace attention {

// Bytes of float32 numbers against n, a curve per mechanism with the hue that it has in the plot of
// times; at every size, measured or not, for which the model can be told without the data.
Plot memoryPlot(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                const TimingFigureOptions& options, const Run& run = {});

} // namespace attention
