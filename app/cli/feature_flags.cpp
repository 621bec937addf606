#include "app/cli/feature_flags.h"

#include "core/support/error.h"

#include <algorithm>

namespace attention::cli {

std::vector<std::string> namesFromText(const std::string& subject, const std::string& text) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    names.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  if (std::any_of(names.begin(), names.end(), [](const std::string& n) { return n.empty(); }))
    throw Error(ErrorCode::Type, subject,
                subject + " is \"" + text + "\"; allowed are names separated by commas");
  return names;
}

std::string dtypeFrom(const Arguments& arguments) {
  const std::string dtype = arguments.text("dtype", "float32");
  if (dtype != "float32" && dtype != "float64")
    throwRange("dtype", dtype, "float32 or float64");
  return dtype;
}

void readStabiliser(const Arguments& arguments, FeatureOptions& options) {
  options.stabilize = stabilizeNamed(arguments.text("stabilize", "off"));
  options.eps = arguments.real("eps");
}

} // namespace attention::cli
