// Opening a view, as its tab does: what would show nothing is changed, and a view that tells little
// of many tokens begins with few where nobody has chosen a length. Others get theirs back.
#pragma once

#include "core/scene/scene.h"

#include <optional>

namespace attention::gui {

// What a view had no use for, to be given back when another one is opened.
struct HeldLength {
  View view = View::Mask; // that shows few tokens
  decltype(InputSpec::source) source;
  LengthSpec length;
  Pins pins;
  LengthSpec few; // instead of these
  Pins fewPins;
};

// `tokens`: how many the present view shows; 0 where that is not known. `held` is of the last view
// that was opened with few, and becomes that of `view` where this is one.
void openIn(Scene& scene, View view, Index tokens, std::optional<HeldLength>& held);

} // namespace attention::gui
