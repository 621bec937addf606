// The text that a model reads, shaded where other masks make its predictions worse: which words a
// pattern costs.
#pragma once

#include "core/export/csv_table.h"
#include "core/plot/running_text.h"
#include "core/views/model/measured_costs.h"

#include <string>
#include <vector>

namespace attention {

// A prediction that is this many nats worse has the strongest shade: the right token is 148 times
// less likely.
constexpr double kFullHurt = 5;

// Predictions by how much worse they are than those of the model as it is, the worst first; only
// those that are. Prediction i is about token i + 1.
std::vector<std::size_t> mostHurt(const MeasuredCosts& costs, const MeasuredRow& row,
                                  std::size_t most);

// "“Bingley”, token 57".
std::string nameOfToken(const MeasuredCosts& costs, Index token);

// The text with a shade per token, as far as the row goes. Token numbers stand for tokens without
// pieces.
RunningTextMark hurtMark(const MeasuredCosts& costs, const MeasuredRow& row);

std::string titleOfHurt(const MeasuredRow& row);
std::string captionOfHurt(const MeasuredCosts& costs, const MeasuredRow& row);

// "“Bingley”, token 57: 2.1 → 8.2 nats; the model now expects “the” (34 %)", and what it expected
// before.
std::string wordsOfHurt(const MeasuredCosts& costs, const MeasuredRow& row, Index token);

// The most hurt ones in sentences, the worst first.
std::vector<std::string> hurtSentences(const MeasuredCosts& costs, const MeasuredRow& row);

// Every prediction: token, piece, loss of the model as it is and of the row, what each expects.
CsvTable hurtTable(const MeasuredCosts& costs, const MeasuredRow& row);

} // namespace attention
