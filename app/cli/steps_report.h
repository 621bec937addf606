// What attnx steps prints about a query: one JSON object, or lines for people.
#pragma once

#include "app/cli/report.h"
#include "core/pattern/prepared.h"
#include "core/views/steps/steps_answer.h"

#include <iosfwd>
#include <span>
#include <string>

namespace attention::cli {

// `pattern`: that of the answer, which names the rule that forbids a key.
Json stepsJson(const StepsAnswer& answer, const Prepared& pattern);

// The shown keys with their numbers, what the others add, and the output. `tokens` are the keys'
// labels, or empty.
void printSteps(std::ostream& out, const StepsAnswer& answer, std::span<const std::string> tokens);

} // namespace attention::cli
