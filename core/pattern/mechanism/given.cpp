#include "core/pattern/mechanism/given.h"

#include "core/pattern/description_builder.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

std::string shapeText(Index rows, Index cols) {
  return std::to_string(rows) + " × " + std::to_string(cols);
}

void checkMask(const MaskSource& mask, const Lengths& lengths) {
  if (!mask.file.empty() && mask.rows == 0 && mask.pairs.empty())
    throw Error(ErrorCode::Type, "mask",
                "mask is the file " + mask.file +
                    ", which has not been read; allowed are the cells of a mask");
  if (lengths.offset < 0)
    throw Error(ErrorCode::Unsupported, "mask",
                "mask has rows for queries that bottom-right alignment gives no token; allowed is "
                "align top-left");
  const bool shaped = mask.rows != 0 || mask.cols != 0;
  if (shaped && (mask.rows != lengths.queries || mask.cols != lengths.keys))
    throw Error(ErrorCode::Shape, "mask",
                "mask is " + shapeText(mask.rows, mask.cols) + "; allowed is " +
                    shapeText(lengths.queries, lengths.keys));
  for (const auto& [i, j] : mask.pairs)
    if (i < 0 || i >= lengths.queries || j < 0 || j >= lengths.keys)
      throwRange("mask",
                 "a list with the cell (" + std::to_string(i) + ", " + std::to_string(j) + ")",
                 "cells of " + shapeText(lengths.queries, lengths.keys));
}

} // namespace

const Description& describe(const Given&) {
  static const Description kDescription =
      DescriptionBuilder<Given>("given", "Given mask", "Composed")
          .summary("A mask from outside: an array, a sparse matrix, or a list of cells.")
          .source("NumPy .npy, Matrix Market .mtx")
          .definition({"Sᵢ = { j : mask[i, j] }"})
          .complexity("O(P d)")
          .given("mask", "M", &Given::mask,
                 "A .npy of bool or 0/1, a Matrix Market pattern, or cells (i, j)",
                 ParameterType::Mask, true, [](const Given&, Index) { return Bounds{}; })
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Given& given, const Lengths& lengths, const Run&) {
  const MaskSource& mask = *given.mask;
  checkMask(mask, lengths);
  std::vector<IndexPair> cells = mask.pairs.get();
  if (!std::is_sorted(cells.begin(), cells.end()))
    std::sort(cells.begin(), cells.end());
  RowTableBuilder rows;
  for (const auto& [query, key] : cells)
    rows.add(query + lengths.offset, key);
  const auto table = rows.build();
  const auto explain = [table, offset = lengths.offset](Index token, Index j) {
    return "cell (" + std::to_string(token - offset) + ", " + std::to_string(j) +
           ") of the mask is " + (table->contains(token, j) ? "1" : "0");
  };
  return fromParts(lengths, {{"mask", "given cells", table, explain}});
}

} // namespace attention
