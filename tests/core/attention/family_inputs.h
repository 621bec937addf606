// What tests of attention run over: every mechanism on its own input, and every kind of vector.
#pragma once

#include "core/attention/strip_kernel.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <memory>
#include <string>

namespace attention {

// Calls check(prepared, input) for `repeats` patterns of every mechanism with random parameters;
// inputOf(place of the mechanism) is an input of n queries and keys.
template <class InputOf, class Check>
void forEachMechanism(Dice& dice, Index n, int repeats, const InputOf& inputOf,
                      const Check& check) {
  for (std::size_t m = 0; m < allMechanisms().size(); ++m)
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const Pattern pattern = randomPattern(dice, m, n);
      const RandomQkv<float> in = inputOf(m);
      const PatternData data = patternData<float>(in.qView(), in.kView());
      std::shared_ptr<const Prepared> prepared;
      try {
        prepared = prepare(pattern, squareLengths(n), data);
      } catch (const Error&) {
        continue; // random parameters that do not fit together
      }
      INFO(shortText(pattern) << " at n = " << n);
      check(*prepared, in);
    }
}

// Calls check(kind) while vectors of that kind are in use, for every kind that this machine has.
template <class Check>
void onEveryKindOfVectors(const Check& check) {
  struct Restore {
    ~Restore() { useVectors({}); }
  } const restore;
  const std::vector<std::string> kinds = vectorKinds();
  REQUIRE_FALSE(kinds.empty());
  for (const std::string& kind : kinds) {
    INFO(kind);
    useVectors(kind);
    check(kind);
  }
}

} // namespace attention
