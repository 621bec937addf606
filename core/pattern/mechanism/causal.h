// Causal attention: every query attends to itself and everything before it (S4.2).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct Causal {
  bool operator==(const Causal&) const = default;
};

const Description& describe(const Causal&);
std::shared_ptr<const Prepared> prepared(const Causal& causal, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
