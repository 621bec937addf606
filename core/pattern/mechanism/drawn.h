// Cells added and removed by hand, on a pattern or on nothing (strokes.h).
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/pattern.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Drawn {
  std::optional<Pattern> on; // absent: nothing is attended but what was added
  StrokeList strokes;        // a later one wins

  bool operator==(const Drawn&) const = default;
};

const Description& describe(const Drawn&);
void checkLengths(const Drawn& drawn, const Lengths& lengths); // checks the pattern below
bool readsData(const Drawn& drawn);                            // whether the pattern below does
// The name of the part that is drawn, whose label is "added by hand".
constexpr const char* kDrawnPart = "drawing";

// Part "pattern" holds the cells of the pattern that no stroke touches, kDrawnPart those whose
// last stroke adds them. Cells alone, as of compositions. Few strokes are signed terms, many are
// tables (stroke_tables.h): counts are closed forms wherever those of the pattern below are, but
// for more than kMostStrokeRects rectangles on one.
std::shared_ptr<const Prepared> prepared(const Drawn& drawn, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

// The pattern below all strokes: the pattern itself where nothing is drawn on it, or on nothing.
const Pattern& belowStrokes(const Pattern& pattern);

// With a stroke more: a pattern that has none becomes the one that is drawn on.
Pattern withStroke(Pattern pattern, Stroke stroke);
// Without the last one, or without all of them. Without any, what was drawn on is left alone.
Pattern withoutLastStroke(Pattern pattern);
Pattern withoutStrokes(Pattern pattern);

} // namespace attention
