#include "core/pattern/mechanism/given_mask.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/sources.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

std::string shapeText(Index rows, Index cols) {
  return std::to_string(rows) + " × " + std::to_string(cols);
}

void requireCell(Index i, Index j, const Lengths& lengths) {
  if (i < 0 || i >= lengths.queries || j < 0 || j >= lengths.keys)
    throwRange("mask",
               "a list with the cell (" + std::to_string(i) + ", " + std::to_string(j) + ")",
               "a list of cells within " + shapeText(lengths.queries, lengths.keys));
}

void checkMask(const MaskSource& mask, const Lengths& lengths) {
  if (lengths.offset < 0)
    throw Error(ErrorCode::Unsupported, "mask",
                "mask has rows for queries that bottom-right alignment gives no token; the "
                "alignment must be "
                "top-left");
  const bool shaped = mask.rows != 0 || mask.cols != 0;
  if (shaped && (mask.rows != lengths.queries || mask.cols != lengths.keys))
    throw Error(ErrorCode::Shape, "mask",
                "mask is " + shapeText(mask.rows, mask.cols) + "; it must be " +
                    shapeText(lengths.queries, lengths.keys));
  for (const auto& [i, j] : mask.pairs)
    requireCell(i, j, lengths);
  for (const QueryRun& run : mask.runs) {
    requireCell(run.query, run.begin, lengths);
    requireCell(run.query, run.end - 1, lengths);
  }
}

std::shared_ptr<const RowTable> tableOfPairs(const PairList& pairs, Index offset) {
  RowTableBuilder rows;
  const auto add = [&](const std::vector<IndexPair>& cells) {
    for (const auto& [query, key] : cells)
      rows.add(query + offset, key);
  };
  if (std::is_sorted(pairs.begin(), pairs.end())) {
    add(pairs.get());
  } else {
    std::vector<IndexPair> cells = pairs.get();
    std::sort(cells.begin(), cells.end());
    add(cells);
  }
  return rows.build();
}

// The runs come sorted, those of a query together.
std::shared_ptr<const RowTable> tableOfRuns(const SharedList<QueryRun>& runs, Index offset) {
  RowTable table;
  std::vector<KeyRun> row;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const QueryRun& run = runs[k];
    row.push_back({run.begin, run.end, false});
    if (k + 1 < runs.size() && runs[k + 1].query == run.query)
      continue;
    const Index token = run.query + offset;
    if (table.rowEnd() < token)
      table.appendGroup(token, {});
    table.appendGroup(token + 1, row);
    row.clear();
  }
  return std::make_shared<const RowTable>(std::move(table));
}

// With the pairs interpreted for these lengths.
MaskSource decided(const MaskSource& mask, const Lengths& lengths) {
  if (!mask.pairsOrRows || lengths.keys != 2 ||
      lengths.queries != static_cast<Index>(mask.pairs.size()))
    return mask;
  std::vector<IndexPair> cells;
  for (Index i = 0; i < lengths.queries; ++i) {
    const auto [first, second] = mask.pairs[static_cast<std::size_t>(i)];
    if (first == 1)
      cells.emplace_back(i, 0);
    if (second == 1)
      cells.emplace_back(i, 1);
  }
  return {"", lengths.queries, 2, PairList(std::move(cells)), {}};
}

} // namespace

const Description& describe(const GivenMask&) {
  static const Description kDescription =
      DescriptionBuilder<GivenMask>("given", "Given mask", "Composed")
          .summary("A mask from outside: an array, a sparse matrix, or a list of cells.")
          .source("NumPy .npy and .npz, SciPy, Matrix Market .mtx, pairs in .csv")
          .definition({"Sᵢ = { j : mask[i, j] }"})
          .complexity("O(P d)")
          .given("mask", "M", &GivenMask::mask,
                 "A file: an array of 0 and 1 (1 attends; where 1 means masked out, take the "
                 "complement), an additive one of 0 and −∞, a sparse matrix, or pairs (i, j)",
                 ParameterType::Mask, true, [](const GivenMask&, Index) { return Bounds{}; })
          .build();
  return kDescription;
}

void checkLengths(const GivenMask& given, const Lengths& lengths) {
  if (!isUnread(*given.mask)) // what a file holds is known once it is read
    checkMask(decided(*given.mask, lengths), lengths);
}

MaskSource outermostCells(const MaskSource& mask) {
  if (mask.pairsOrRows || mask.pairs.empty())
    return mask;
  const auto byKey = [](const IndexPair& a, const IndexPair& b) { return a.second < b.second; };
  const auto [first, last] = std::minmax_element(mask.pairs.begin(), mask.pairs.end());
  const auto [left, right] = std::minmax_element(mask.pairs.begin(), mask.pairs.end(), byKey);
  MaskSource outermost = mask;
  outermost.pairs = {*first, *last, *left, *right};
  return outermost;
}

std::shared_ptr<const Prepared> prepared(const GivenMask& given, const Lengths& lengths,
                                         const Run&) {
  if (isUnread(*given.mask))
    throwUnread("mask", given.mask->file, "the cells of a mask");
  const MaskSource mask = decided(*given.mask, lengths);
  const auto table = mask.runs.empty() ? tableOfPairs(mask.pairs, lengths.offset)
                                       : tableOfRuns(mask.runs, lengths.offset);
  const auto explain = [table, offset = lengths.offset](Index token, Index j) {
    return "cell (" + std::to_string(token - offset) + ", " + std::to_string(j) +
           ") of the mask is " + (table->contains(token, j) ? "1" : "0");
  };
  return fromParts(lengths, {{"mask", "given cells", table, explain}});
}

} // namespace attention
