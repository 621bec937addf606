// The pictures of choices: scores of blocks with what was taken, the mask that results, and the row
// of one query; a cache as a time line; recall against the budget. With their words and numbers.
#pragma once

#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/views/choosing/chosen_keys.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention {

// A choice with the query, or step, that is shown in detail, and the labels of the tokens.
struct ChoiceLook {
  Index query = 0;
  std::vector<std::string> labels = {}; // or empty
};

// Scores, the mask, the query's row; of a cache the time line, and what its step reads, which is
// left out where there are no weights.
std::vector<FigurePanel> choicePanels(const ChosenKeys& of, const ChoiceLook& look);
// What the hues say, in the order of the parts.
std::vector<LegendEntry> choiceLegend(const ChosenKeys& of, FigureTheme theme);
Plot budgetPlot(const BudgetCurves& curves);

std::string choiceTitle(const ChosenKeys& of, const ChoiceLook& look);
std::string choiceCaption(const ChosenKeys& of, const ChoiceLook& look);
std::string budgetTitle(const BudgetCurves& curves);
std::string budgetCaption(const BudgetCurves& curves);

// "blocks 3, 7 and 12"; "5 blocks" where they are many; "no block".
std::string namedThings(const std::string& thing, const std::vector<Index>& which);
// The blocks that were taken so.
std::vector<Index> takenAs(const ChoiceRow& row, Taken taken);
// "7 by score of 31 ranked: the 2 largest" and the like, in words.
std::string choiceWords(const ChosenKeys& of, const ChoiceRow& row);
// "heavy: evicted at step 17"; of a key that is not evicted, or has not come yet.
std::string fateOf(const ChosenKeys& of, Index key);

// What a bar tells: of a block of keys in the row of a query, and of a key at a step of a cache.
std::string rankWords(const ChosenKeys& of, const ChoiceRow& row, Index block);
std::string stepWords(const ChosenKeys& of, const CacheStep& step, Index key);
// "in the cache: heavy", "evicted", "in the future": a key at a step.
std::string stateOf(const ChosenKeys& of, Index step, Index key);

// What to see, in sentences: of a query's choice, of a cache, of a budget.
std::vector<std::string> choiceReading(const ChosenKeys& of, const ChoiceRow& row);
std::vector<std::string> cacheReading(const ChosenKeys& of);
std::vector<std::string> budgetReading(const BudgetCurves& curves);

// A line per pair of blocks that could be chosen: score (empty where there is none) and what became
// of it; of a cache a line per key: when it is evicted, and at the shown step its part and weight.
CsvTable choiceTable(const ChosenKeys& of, const ChoiceLook& look);
CsvTable budgetTable(const BudgetCurves& curves);
// Float64: scores, blocks of queries × blocks of keys, NaN where there is none; of a cache int64:
// the step at which each key is evicted, or −1. Points × 6: value, keys per query, recall, of the
// oracles of blocks and of keys, of the window.
void writeChoiceNpy(const ChosenKeys& of, const std::filesystem::path& path);
void writeBudgetNpy(const BudgetCurves& curves, const std::filesystem::path& path);

} // namespace attention
