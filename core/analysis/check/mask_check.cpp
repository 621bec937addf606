#include "core/analysis/check/mask_check.h"

#include "core/pattern/row_runs.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

namespace attention {
namespace {

using Written = nlohmann::ordered_json;

std::string shapeOf(const Lengths& lengths) {
  return std::to_string(lengths.queries) + " × " + std::to_string(lengths.keys);
}

// Formulas are evaluated once.
std::shared_ptr<const Prepared> readable(const std::shared_ptr<const Prepared>& mask,
                                         const Run& run) {
  return mask->closedForm() ? mask : writtenOut(*mask, run);
}

Difference differenceOf(const std::shared_ptr<const Prepared>& mask,
                        const std::shared_ptr<const Prepared>& other, const Run& run) {
  const Lengths& here = mask->lengths();
  const Lengths& there = other->lengths();
  if (here.queries != there.queries || here.keys != there.keys)
    throw Error(ErrorCode::Shape, "against",
                "the mask to compare with is " + shapeOf(there) + "; it must be " + shapeOf(here));
  if (here == there)
    return difference(mask, other, run.threads, run);
  // Masks are compared query by query, whatever tokens these act as.
  return difference(writtenOut(*mask, run), writtenOut(*other, run), run.threads, run);
}

Written cellJson(const std::optional<IndexPair>& cell) {
  return cell ? Written{cell->first, cell->second} : Written(nullptr);
}

Written toJson(const Difference& difference) {
  std::optional<IndexPair> cell;
  if (difference.firstRow && difference.firstKey)
    cell = {*difference.firstRow, *difference.firstKey};
  return {{"equal", !difference.firstRow},
          {"only_here", difference.onlyFirst},
          {"only_there", difference.onlySecond},
          {"first_row", difference.firstRow ? Written(*difference.firstRow) : Written(nullptr)},
          {"first_cell", cellJson(cell)}};
}

Written toJson(const PaddingReport& padding) {
  return {{"seen_cells", padding.seenCells},
          {"first_seen", cellJson(padding.firstSeen)},
          {"active_pad_rows", padding.activeRows},
          {"keys_masked", padding.seenCells == 0},
          {"rows_masked", padding.activeRows.empty()}};
}

} // namespace

MaskCheck checkMask(const std::shared_ptr<const Prepared>& mask, const MaskQuestion& question,
                    const Run& run) {
  requireFewRows(mask->lengths());
  const auto rows = readable(mask, partOf(run, 0, 0.3));
  MaskCheck check;
  check.report = maskReport(*rows, partOf(run, 0.3, 0.5));
  if (question.against)
    check.against = differenceOf(rows->lengths() == mask->lengths() ? rows : mask, question.against,
                                 partOf(run, 0.5, 0.6));
  if (question.padding)
    check.padding = paddingReport(*rows, *question.padding, run.quiet());
  if (check.report.asymmetricPairs)
    check.matches = identify(rows, partOf(run, 0.6, 1));
  return check;
}

Written toJson(const MaskCheck& check) {
  const MaskReport& report = check.report;
  Written json{{"n_q", report.queries},
               {"n_k", report.keys},
               {"pairs", report.pairs},
               {"future_cells", report.futureCells},
               {"first_future", cellJson(report.firstFuture)},
               {"empty_rows", report.emptyRows},
               {"unused_keys", report.unusedKeys},
               {"rows_without_self", report.rowsWithoutSelf},
               {"constant_tile", report.constantTile}};
  if (report.asymmetricPairs) {
    json["asymmetric_pairs"] = *report.asymmetricPairs;
    json["first_asymmetric"] = cellJson(report.firstAsymmetric);
  }
  if (check.matches) {
    json["matches"] = Written::array();
    for (const Match& match : *check.matches)
      json["matches"].push_back({{"mechanism", match.mechanism}, {"params", match.params}});
  }
  if (check.against)
    json["against"] = toJson(*check.against);
  if (check.padding)
    json["padding"] = toJson(*check.padding);
  return json;
}

} // namespace attention
