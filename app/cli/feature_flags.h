// Flags about random features and their projections, which several commands share.
#pragma once

#include "app/cli/arguments.h"
#include "core/attention/features/feature_map.h"
#include "core/attention/features/projection.h"

#include <cstdint>
#include <vector>

namespace attention::cli {

// "1, 2" of names separated by commas. E_TYPE where one is empty.
std::vector<std::string> namesFromText(const std::string& subject, const std::string& text);

// "float32" or "float64". E_RANGE.
std::string dtypeFrom(const Arguments& arguments);

// --stabilize and --eps into the options.
void readStabiliser(const Arguments& arguments, FeatureOptions& options);

} // namespace attention::cli
