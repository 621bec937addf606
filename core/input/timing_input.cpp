#include "core/input/timing_input.h"

#include "core/input/generators.h"

namespace attention {

TimingInput timingInput(Index d, Index heads, std::uint64_t seed) {
  RandomInput random;
  random.d = d;
  random.heads = heads;
  random.seed = seed;
  checkRandom(random);
  return [random](Index n, Index head, const Run& run) {
    RandomInput of = random;
    of.n = n;
    const auto draw = [&](Role role) { return randomMatrix<float>(of, role, head, 0, run); };
    return TimedHead{draw(Role::Query), draw(Role::Key), draw(Role::Value)};
  };
}

} // namespace attention
