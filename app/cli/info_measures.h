// What a pattern keeps of the attention of an input, as info tells it beside the counts.
#pragma once

#include "app/cli/masks.h"
#include "app/cli/report.h"

#include <iosfwd>

namespace attention::cli {

// captured_mass, output_error, entropy and base of the subject's pattern on the input's head.
// E_SHAPE: the input is shorter.
Json measuresJson(const Arguments& arguments, const MaskSubject& subject, Align align,
                  const Run& run);

void printMeasures(const Json& json, std::ostream& out);

} // namespace attention::cli
