#include "core/pattern/mechanism/vertical_slash.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/line_cells.h"

#include <memory>
#include <string>

namespace attention {
namespace {

// Up to this many pairs of runs the lines are primitives, which compose and go to the shader.
constexpr std::size_t kMostCrossings = 64;

Part verticalPart(const SortedIndices& columns, bool asPrimitives) {
  Part part{"vertical", "vertical columns", {}, {}};
  if (asPrimitives) {
    PrimitiveSet set;
    for (const auto& [begin, end] : columns.runs())
      set.primitives.push_back(band(0, kUnbounded, 1, {0, kUnbounded, begin, end}));
    part.cells = std::move(set);
  } else {
    part.cells = counted(std::make_shared<const ColumnLines>(columns));
  }
  part.explain = [columns](Index i, Index j) {
    if (j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    return "column " + std::to_string(j) +
           (columns.contains(j) ? " is a vertical" : " is not a vertical");
  };
  return part;
}

Part slashPart(const SortedIndices& offsets, const SortedIndices& columns, Index keys,
               bool asPrimitives) {
  Part part{"slash", "slash diagonals", {}, {}};
  if (asPrimitives) {
    PrimitiveSet set;
    for (const auto& [begin, end] : offsets.runs())
      set.primitives.push_back(band(begin, end - 1));
    part.cells = std::move(set);
  } else {
    part.cells = counted(std::make_shared<const DiagonalLines>(offsets, columns, keys));
  }
  part.explain = [offsets](Index i, Index j) {
    return std::to_string(i) + " − " + std::to_string(j) + " = " +
           (i < j ? "−" + std::to_string(j - i) : std::to_string(i - j)) +
           (offsets.contains(i - j) ? " is a slash offset" : " is not a slash offset");
  };
  return part;
}

} // namespace

const Description& describe(const VerticalSlash&) {
  static const Description kDescription =
      DescriptionBuilder<VerticalSlash>("vertical_slash", "Vertical-slash", "Structure")
          .summary("Listed columns and listed diagonals of the causal triangle.")
          .source("Jiang et al. 2024 (MInference), §3.2")
          .definition({"Sᵢ = { j ≤ i : j ∈ V or i−j ∈ O }"})
          .conventions(
              "Nothing is added automatically: the diagonal is there only if offset 0 is listed.")
          .complexity("O(n (|V|+|O|) d)")
          .value("vertical", "V", &VerticalSlash::vertical, "Columns that all later queries see",
                 ParameterType::Integers, tokenIndices())
          .value("slash", "O", &VerticalSlash::slash, "Distances i − j; those ≥ n match nothing",
                 ParameterType::Integers, atLeast(0))
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const VerticalSlash& lines, const Lengths& lengths,
                                         const Run&) {
  const SortedIndices columns(lines.vertical);
  // Offsets beyond every query match nothing, and would overflow the sums.
  std::vector<Index> met;
  for (const Index o : lines.slash)
    if (o < lengths.queries + lengths.offset)
      met.push_back(o);
  const SortedIndices offsets{IndexList(std::move(met))};
  const bool asPrimitives =
      (columns.runs().size() + 1) * (offsets.runs().size() + 1) <= kMostCrossings;
  return fromParts(lengths, {verticalPart(columns, asPrimitives),
                             slashPart(offsets, columns, lengths.keys, asPrimitives)});
}

} // namespace attention
