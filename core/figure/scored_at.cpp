#include "core/figure/scored_at.h"

#include "core/pattern/beginning.h"

namespace attention {

std::vector<TimedMechanism> scoredAt(const CompareSpec& spec, Index n) {
  std::vector<TimedMechanism> all = scoredOf(spec);
  if (spec.scored.empty())
    for (TimedMechanism& mechanism : all)
      if (mechanism.kind == TimedMechanism::Kind::Pattern)
        mechanism.pattern = beginning(mechanism.pattern, n);
  return all;
}

} // namespace attention
