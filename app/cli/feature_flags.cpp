#include "app/cli/feature_flags.h"

#include "core/support/error.h"

#include <algorithm>
#include <charconv>

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

std::uint64_t seedFrom(const Arguments& arguments, const char* flag) {
  const std::string text = arguments.text(flag, "0");
  std::uint64_t seed = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (code != std::errc() || end != text.data() + text.size())
    throwRange(flag, "\"" + text + "\"", "an integer from 0 to 2^64 − 1");
  return seed;
}

int threadsFrom(const Arguments& arguments) {
  constexpr Index kMost = 1024;
  const Index threads = arguments.integer("threads").value_or(0);
  if (threads < 0 || threads > kMost)
    throwRange("threads", std::to_string(threads), "an integer from 0 (all) to 1024");
  return static_cast<int>(threads);
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
