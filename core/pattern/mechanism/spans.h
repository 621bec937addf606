// Causal text with spans whose tokens see each other both ways (T3): the images of Gemma 3 and 4.
#pragma once

#include "core/pattern/document_cells.h"
#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Spans {
  enum class Reading {
    Clamp,     // the window also cuts what lies behind within a span
    ClampBoth, // and what lies ahead
    Overlay,   // spans lie over the windowed text
    Drop,      // the same, and spans longer than the window are text
  };

  std::optional<PairList> spans; // start and length, ascending
  std::optional<IndexList> ids;  // n of them; below 0 text; equal ids are one span
  std::optional<Index> window;   // keys, the query's included
  Reading reading = Reading::Clamp;
  bool operator==(const Spans&) const = default;
};

// The segments of the spans among n tokens, in order: each with the number of its span, which may
// recur. Text and, where the reading drops them, long spans are left out. E_TYPE, E_RANGE, E_SHAPE.
std::vector<Segment> spanSegments(const Spans& spans, Index n);

const Description& describe(const Spans&);
void checkLengths(const Spans& spans, const Lengths& lengths);
std::shared_ptr<const Prepared> prepared(const Spans& spans, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
