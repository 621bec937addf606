// The numbers of a query's steps as lists.
#pragma once

#include "core/export/csv_table.h"
#include "core/views/steps/matrix_steps.h"
#include "core/views/steps/steps_answer.h"

#include <span>
#include <string>

namespace attention {

// Softmax: a line per key with its numbers, empty if the pattern forbids it. Online: a line per
// tile. Feature maps: a line per visible key. Several softmaxes with gates: the lines of each.
// `tokens` are the keys' labels, or empty.
CsvTable stepsTable(const StepsAnswer& answer, std::span<const std::string> tokens);
// A line per query and key.
CsvTable matrixTable(const MatrixSteps& steps, std::span<const std::string> tokens);

} // namespace attention
