#include "core/pattern/mechanism/spans.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/span_cells.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace attention {
namespace {

// Up to this many spans are primitives, which compose and go to the shader.
constexpr std::size_t kMostSpanPrimitives = 32;

std::vector<Segment> segmentsOfSpans(const PairList& spans, Index n) {
  std::vector<Segment> segments;
  Index end = 0;
  for (const auto& [start, length] : spans) {
    const std::string found = "[" + std::to_string(start) + ", " + std::to_string(length) + "]";
    if (length < 1)
      throwRange("spans", "a list with " + found, "pairs [start, length] of at least 1 token");
    if (start < end)
      throwRange("spans", "a list with " + found + " after token " + std::to_string(end - 1),
                 "ascending and without overlaps, from token 0 on");
    if (start > n || length > n - start)
      throwRange("spans", "a list with " + found,
                 "within the n = " + std::to_string(n) + " tokens");
    end = start + length;
    segments.push_back({start, end, static_cast<Index>(segments.size())});
  }
  return segments;
}

void dropLong(std::vector<Segment>& segments, Index window) {
  std::map<Index, Index> tokens;
  for (const Segment& s : segments)
    tokens[s.id] += s.end - s.begin;
  std::erase_if(segments, [&](const Segment& s) { return tokens[s.id] > window; });
}

SpanReach reachOf(const Spans& spans) {
  SpanReach reach;
  if (!spans.window)
    return reach;
  const Index window = std::min(*spans.window, kUnbounded);
  if (spans.reading == Spans::Reading::ClampBoth)
    reach.ahead = window - 1;
  // Spans with gaps may be wider than the window though they have no more tokens.
  if (spans.reading == Spans::Reading::Overlay || spans.reading == Spans::Reading::Drop)
    reach.behind = window;
  return reach;
}

PrimitiveSet primitivesOf(const std::vector<Segment>& segments, const SpanReach& reach) {
  PrimitiveSet set;
  for (const Segment& s : segments) {
    const Rect square{s.begin, s.end, s.begin, s.end};
    const Index longest = s.end - s.begin - 1;
    if (std::min(reach.ahead, longest) > 0)
      set.primitives.push_back(band(-reach.ahead, -1, 1, square));
    if (reach.behind <= longest)
      set.primitives.push_back(band(reach.behind, kUnbounded, 1, square));
  }
  return set;
}

// Why the spans hold a cell, or not.
std::string explain(const SpanCells& cells, const SpanReach& reach, Index i, Index j) {
  const Index own = cells.spanOf(i);
  const Index other = cells.spanOf(j);
  if (own < 0)
    return "query " + std::to_string(i) + " is text";
  if (other < 0)
    return "key " + std::to_string(j) + " is text";
  if (own != other)
    return "query in span " + std::to_string(own) + ", key in span " + std::to_string(other);
  const std::string both = "both in span " + std::to_string(own);
  if (cells.contains(i, j))
    return both;
  const std::string distance =
      std::to_string(j) + " − " + std::to_string(i) + " = " + std::to_string(j - i);
  return j > i ? both + ", but " + distance + " > " + std::to_string(reach.ahead)
               : both + ", but what lies behind is left to the window";
}

DescriptionBuilder<Spans> words() {
  DescriptionBuilder<Spans> builder("spans", "Spans", "Structure");
  builder.summary("Causal text; tokens of a span, such as an image, see each other both ways.")
      .source("Gemma 3 and 4 (gemma_pytorch, deepmind/gemma, transformers, vLLM)")
      .definition({"clamp: Sᵢ = { j : (j ≤ i or span(j) = span(i)) and i−j < W }",
                   "clamp_both: and j−i < W",
                   "overlay, drop: Sᵢ = { j : 0 ≤ i−j < W or span(j) = span(i) }"})
      .conventions("gemma_pytorch and transformers clamp, deepmind/gemma clamps on both sides, "
                   "older transformers and vLLM lay spans over the window. Gemma 3 has spans in "
                   "all its layers, Gemma 4 only in those with a window.")
      .complexity("O(n W d + Σ len² d)");
  return builder;
}

} // namespace

const Description& describe(const Spans&) {
  using Reading = Spans::Reading;
  static const Description kDescription =
      words()
          .given("spans", "", &Spans::spans, "Start and length of each span, such as 4-9, 20-3",
                 ParameterType::Pairs, false, anyNumber())
          .visibleIf([](const Spans& spans) { return !spans.ids; })
          .given("ids", "span", &Spans::ids,
                 "The span of every token, below 0 for text; equal ids are one span",
                 ParameterType::Integers, false, anyNumber())
          .visibleIf([](const Spans& spans) { return !spans.spans; })
          .given("window", "W", &Spans::window, "Last keys that text sees, including the query",
                 ParameterType::Integer, false, atLeast(1))
          .unit("tokens")
          .choice(
              "reading", &Spans::reading, "What the window does to spans",
              {{Reading::Clamp, "clamp", "clamp", "It also cuts what lies behind in a span"},
               {Reading::ClampBoth, "clamp_both", "both ways", "It cuts spans behind and ahead"},
               {Reading::Overlay, "overlay", "overlay", "Nothing: spans lie over it"},
               {Reading::Drop, "drop", "drop", "Spans longer than the window become text"}})
          .visibleIf([](const Spans& spans) { return spans.window.has_value(); })
          .build();
  return kDescription;
}

std::vector<Segment> spanSegments(const Spans& spans, Index n) {
  if (spans.spans.has_value() == spans.ids.has_value())
    throw Error(ErrorCode::Type, "spans",
                spans.ids ? "spans and ids are both given; give only one of them"
                          : "spans is missing; the mechanism requires spans or ids");
  std::vector<Segment> segments =
      spans.spans ? segmentsOfSpans(*spans.spans, n) : segmentsOfIds(*spans.ids, n);
  std::erase_if(segments, [](const Segment& s) { return s.id < 0; }); // text
  if (spans.window && spans.reading == Spans::Reading::Drop)
    dropLong(segments, *spans.window);
  return segments;
}

void checkLengths(const Spans& spans, const Lengths& lengths) {
  requireInLayout("spans", lengths);
  spanSegments(spans, lengths.keys);
}

std::shared_ptr<const Prepared> prepared(const Spans& spans, const Lengths& lengths, const Run&) {
  std::vector<Segment> segments = spanSegments(spans, lengths.keys);
  const SpanReach reach = reachOf(spans);
  const bool asPrimitives = segments.size() <= kMostSpanPrimitives && !recurs(segments);
  PrimitiveSet primitives = asPrimitives ? primitivesOf(segments, reach) : PrimitiveSet{};
  const auto cells = std::make_shared<const SpanCells>(std::move(segments), reach);
  Part both{"spans", "same span, both ways", counted(cells),
            [cells, reach](Index i, Index j) { return explain(*cells, reach, i, j); }};
  if (asPrimitives)
    both.cells = std::move(primitives);
  const Index last = spans.window ? std::min(*spans.window, kUnbounded) - 1 : kUnbounded;
  return fromParts(lengths, {{"text", spans.window ? "last W tokens" : "earlier tokens",
                              PrimitiveSet{{band(0, last)}}},
                             std::move(both)});
}

} // namespace attention
