#include "core/views/heads/measured_heads.h"

#include <string>

namespace attention {
namespace {

template <auto member>
std::optional<double> measureOf(const MeasuredHead& head) {
  return head.measures.*member;
}

} // namespace

const std::array<HeadMeasure, 9>& headMeasureList() {
  using M = HeadMeasures;
  static constexpr std::array<HeadMeasure, 9> kMeasures{
      {{"self", measureOf<&M::self>},
       {"previous", measureOf<&M::previous>},
       {"first", measureOf<&M::first>},
       {"within", measureOf<&M::within>},
       {"beyond", measureOf<&M::beyond>},
       {"entropy", measureOf<&M::entropy>},
       {"previous_occurrence", measureOf<&M::previousOccurrence>},
       {"induction", measureOf<&M::induction>},
       {"captured", [](const MeasuredHead& head) { return head.captured; }}}};
  return kMeasures;
}

CsvTable headsTable(std::span<const MeasuredHead> heads) {
  CsvTable table{{"layer", "head"}, {}};
  for (const HeadMeasure& measure : headMeasureList())
    table.headings.emplace_back(measure.name);
  for (const MeasuredHead& head : heads) {
    std::vector<std::string> row{csvNumber(head.batch), csvNumber(head.head)};
    for (const HeadMeasure& measure : headMeasureList()) {
      const std::optional<double> value = measure.of(head);
      row.push_back(value ? csvNumber(*value) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace attention
