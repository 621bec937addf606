// Attention sinks: the first tokens and a window (S4.11; StreamingLLM, MInference's A-shape).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct Sinks {
  enum class Reading { Exclusive, Inclusive }; // w tokens with the query, or one more

  Index sinks = 4;
  Index window = 1020;
  Reading reading = Reading::Exclusive;
  bool operator==(const Sinks&) const = default;
};

const Description& describe(const Sinks&);
std::shared_ptr<const Prepared> prepared(const Sinks& sinks, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
