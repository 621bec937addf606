// Patterns at equal cost: their main parameter set so that they attend to as many pairs as another
// one, as nearly as it can. Comparing at equal cost is what tells which choice of keys is better.
#pragma once

#include "core/pattern/pattern.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

namespace attention {

// The number by which a pattern becomes larger or smaller: a window, a stride, k, a block. Null
// where it has none, as full attention.
const Parameter* mainParameter(const Pattern& pattern);

// With the value of the main parameter that gives the number of pairs nearest to `pairs`, its own
// where no other is nearer. As it is where it has no main parameter, where it cannot be prepared,
// and where counting would take long: what does not count soon (prepared.h), and of
// patterns of the data beyond kMostChosenTokens. O(log n) counts.
Pattern withPairs(const Pattern& pattern, Index pairs, const Lengths& lengths,
                  const PatternData& data, const Run& run = {});
constexpr Index kMostChosenTokens = 512;

// All compared patterns but the chosen one, where the Scene wants them matched.
void matchPairs(Scene& scene, const Lengths& lengths, const PatternData& data, const Run& run = {});

} // namespace attention
