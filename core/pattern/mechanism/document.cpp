#include "core/pattern/mechanism/document.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/document_cells.h"

#include <algorithm>
#include <memory>
#include <string>

namespace attention {
namespace {

// Up to this many documents are primitives, which compose and go to the shader.
constexpr std::size_t kMostPrimitives = 32;

std::vector<Segment> fromLengths(const IndexList& lengths, Index n) {
  std::vector<Segment> segments;
  Index begin = 0;
  Index id = 0;
  for (const Index length : lengths) {
    if (length > n - begin)
      throwRange("lengths", "a list that sums to more than " + std::to_string(n),
                 "a list that sums to n = " + std::to_string(n));
    if (length > 0)
      segments.push_back({begin, begin + length, id});
    begin += length;
    ++id;
  }
  if (begin != n)
    throwRange("lengths", "a list that sums to " + std::to_string(begin),
               "a list that sums to n = " + std::to_string(n));
  return segments;
}

std::vector<Segment> segmentsOf(const Document& document, Index n) {
  if (document.lengths.has_value() == document.ids.has_value())
    throw Error(ErrorCode::Type, "lengths",
                document.ids ? "lengths and ids are both given; give only one of them"
                             : "lengths is missing; document requires lengths or ids");
  return document.lengths ? fromLengths(*document.lengths, n) : segmentsOfIds(*document.ids, n);
}

// Documents in one piece each.
PrimitiveSet primitivesOf(const std::vector<Segment>& segments, const Document& document) {
  PrimitiveSet set;
  for (const Segment& s : segments) {
    const Index seen = !document.causal ? s.end
                       : document.prefix
                           ? s.begin + std::clamp<Index>(*document.prefix, 0, s.end - s.begin)
                           : s.begin;
    if (s.begin < seen)
      set.primitives.push_back(area({s.begin, s.end, s.begin, seen}));
    if (seen < s.end)
      set.primitives.push_back(band(0, kUnbounded, 1, {s.begin, s.end, seen, s.end}));
  }
  return set;
}

} // namespace

const Description& describe(const Document&) {
  static const Description kDescription =
      DescriptionBuilder<Document>("document", "Documents", "Structure")
          .summary("Packed documents: tokens see only their own document.")
          .source("FlexAttention's document mask; Dong et al. 2024")
          .definition(
              {"Sᵢ = { j : doc(j) = doc(i) and j ≤ i }", "with a prefix p: or j − start(doc) < p"})
          .complexity("O(Σ len² d)")
          .given("lengths", "", &Document::lengths, "Lengths of the documents, summing to n",
                 ParameterType::Integers, false, atLeast(0))
          .unit("tokens")
          .visibleIf([](const Document& document) { return !document.ids; })
          .given("ids", "doc", &Document::ids,
                 "The document of every token; equal ids are one document", ParameterType::Integers,
                 false, [](const Document&, Index) { return Bounds{}; })
          .visibleIf([](const Document& document) { return !document.lengths; })
          .boolean("causal", &Document::causal, causalMeaning())
          .given("prefix", "p", &Document::prefix,
                 "First tokens of each document, seen by the whole document",
                 ParameterType::Integer, false, atLeast(-static_cast<double>(kMaxLength)))
          .unit("tokens")
          .visibleIf([](const Document& document) { return document.causal; })
          .build();
  return kDescription;
}

void checkLengths(const Document& document, const Lengths& lengths) {
  segmentsOf(document, lengths.keys);
}

std::shared_ptr<const Prepared> prepared(const Document& document, const Lengths& lengths,
                                         const Run&) {
  auto segments = segmentsOf(document, lengths.keys);
  const bool asPrimitives = segments.size() <= kMostPrimitives && !recurs(segments);
  PrimitiveSet primitives = asPrimitives ? primitivesOf(segments, document) : PrimitiveSet{};
  const auto cells =
      std::make_shared<const DocumentCells>(std::move(segments), document.causal, document.prefix);
  Part part{"document", "same document", counted(cells),
            [cells](Index i, Index j) { return cells->explain(i, j); }};
  if (asPrimitives)
    part.cells = std::move(primitives);
  return fromParts(lengths, {std::move(part)});
}

} // namespace attention
