// What a pattern keeps of the attention of an input, as info tells it beside the counts.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/report.h"
#include "core/input/input.h"
#include "core/pattern/lengths.h"

#include <iosfwd>
#include <memory>

namespace attention::cli {

// captured_mass, output_error, entropy and base of the command's pattern on the input's head.
// E_SHAPE: the input is shorter.
Json measuresJson(const Arguments& arguments, const std::shared_ptr<const Input>& input,
                  const Lengths& lengths, Align align, const Run& run);

void printMeasures(const Json& json, std::ostream& out);

} // namespace attention::cli
