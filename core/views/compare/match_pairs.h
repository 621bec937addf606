// Patterns at equal cost: their main parameter is set so that they attend to as many pairs as
// another one, as nearly as possible. Only a comparison at equal cost shows which choice of keys is
// better.
#pragma once

#include "core/pattern/pattern.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <string>

namespace attention {

// The number that makes a pattern larger or smaller: a window, a stride, k, a block. Null if it
// has none, like full attention.
const Parameter* mainParameter(const Pattern& pattern);

// The pattern with the value of the main parameter that brings its pairs nearest to `pairs`, its
// own where no other is nearer. Unchanged where it has no main parameter, cannot be prepared, or
// would take long to count: patterns that do not count quickly (prepared.h), and data-dependent
// ones beyond kMostChosenTokens. O(log n) counts.
Pattern withPairs(const Pattern& pattern, Index pairs, const Lengths& lengths,
                  const PatternData& data, const Run& run = {});
constexpr Index kMostChosenTokens = 512;

// All compared patterns except the chosen one, where the Scene wants them matched.
void matchPairs(Scene& scene, const Lengths& lengths, const PatternData& data, const Run& run = {});

// Which compared patterns cannot follow the chosen one at all where the Scene wants them matched,
// and why, one sentence each.
std::string unmatchedText(const CompareSpec& spec, const Lengths& lengths);

} // namespace attention
