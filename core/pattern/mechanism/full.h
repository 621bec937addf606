// Full attention: every query attends to every key (S4.1).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct Full {
  bool causal = false;
  bool operator==(const Full&) const = default;
};

const Description& describe(const Full&);
std::shared_ptr<const Prepared> prepared(const Full& full, const Lengths& lengths, const Run& run);

} // namespace attention
