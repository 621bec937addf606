#include "core/views/heads/measured_heads.h"

#include "core/input/model_metadata.h"
#include "core/input/text_lines.h"

#include <string>

namespace attention {
namespace {

// "layer 7" is 7.
Index layerNumber(const Input& input, Index batch) {
  const auto at = static_cast<std::size_t>(batch);
  if (at >= input.batchLabels.size())
    return batch;
  const std::string_view label = input.batchLabels[at];
  return integerOf(label.substr(label.rfind(' ') + 1)).value_or(batch);
}

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

std::optional<NumberedHead> numbersOf(const Input& input, const MeasuredHead& head) {
  if (input.batchLabels.empty() && headNumbers(input).empty())
    return std::nullopt;
  return NumberedHead{layerNumber(input, head.batch), headNumber(input, head.head)};
}

CsvTable headsTable(const Input& input, std::span<const MeasuredHead> heads) {
  CsvTable table{{"layer", "head"}, {}};
  for (const HeadMeasure& measure : headMeasureList())
    table.headings.emplace_back(measure.name);
  const bool numbered = !heads.empty() && numbersOf(input, heads.front());
  if (numbered)
    table.headings.insert(table.headings.end(), {"layer_number", "head_number"});
  for (const MeasuredHead& head : heads) {
    std::vector<std::string> row{csvNumber(head.batch), csvNumber(head.head)};
    for (const HeadMeasure& measure : headMeasureList()) {
      const std::optional<double> value = measure.of(head);
      row.push_back(value ? csvNumber(*value) : "");
    }
    if (const auto numbers = numbersOf(input, head))
      row.insert(row.end(), {csvNumber(numbers->layer), csvNumber(numbers->head)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace attention
