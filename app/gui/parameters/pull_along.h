// Dragging a parameter past a bound that another one sets (c ≤ l) pulls the other one along, and
// puts it back on the way home: every position of the drag is computed again from the pattern that
// it began with.
#pragma once

#include "core/pattern/pattern.h"

namespace attention::gui {

// `start` with `parameter` set to `value`; other numbers are moved no farther than it takes to
// bring all of them within their bounds for length n. Where no other number can make room,
// `parameter` stays at its bound.
Pattern pulledAlong(const Pattern& start, const std::string& parameter, Index value, Index n);

// How far a slider of `parameter` reaches: its bounds were the other integers free to move, and at
// most `most` where nothing else bounds it.
Bounds reachOf(const Pattern& pattern, const Parameter& parameter, Index n);

} // namespace attention::gui
