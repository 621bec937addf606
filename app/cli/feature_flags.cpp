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
                subject + " is \"" + text + "\"; it must be names separated by commas");
  return names;
}

std::vector<std::string> wordsOf(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

std::string dtypeFrom(const Arguments& arguments) {
  return arguments.text("dtype", "float32");
}

void refuse(const Arguments& arguments, std::initializer_list<const char*> flags,
            const std::string& because) {
  for (const char* flag : flags)
    if (arguments.has(flag))
      throw Error(ErrorCode::Type, flag, "--" + std::string(flag) + " is given " + because);
}

void noteUnread(const Arguments& arguments, std::ostream& notes,
                std::initializer_list<const char*> flags, const std::string& where) {
  for (const char* flag : flags)
    if (arguments.has(flag))
      notes << "attnx: note: --" << flag << " is not used " << where << '\n';
}

void refuseUnread(const Arguments& arguments, std::span<const FeatureMap> maps) {
  if (std::none_of(maps.begin(), maps.end(), takesProjections)) {
    const std::string because = "with only elu1 features, which take no projections";
    refuse(arguments, kProjectionFlags, because);
    refuse(arguments, {"w"}, because);
  }
  const std::string because = "with features that do not read it; ";
  if (std::none_of(maps.begin(), maps.end(), takesStabiliser))
    refuse(arguments, {"stabilize"}, because + "trig, positive and hyperbolic do");
  if (std::none_of(maps.begin(), maps.end(), takesEps))
    refuse(arguments, {"eps"}, because + "positive, hyperbolic and relu do");
}

void refuseUnreadNorms(const Arguments& arguments, std::span<const ProjectionKind> kinds) {
  if (std::find(kinds.begin(), kinds.end(), ProjectionKind::Orthogonal) == kinds.end())
    refuse(arguments, {"norms"}, "with only iid projections, which keep their own lengths");
}

// Of eps the features say which they take; some have a default of their own.
const SettingFlags<KernelsSpec>& drawFlags() {
  static const SettingFlags<KernelsSpec> kFlags(kernelsSettings(),
                                                {{.setting = "norms"},
                                                 {.setting = "stabilize"},
                                                 {.setting = "eps",
                                                  .help = "added to every feature (0; relu 0.001)",
                                                  .bounds = FlagBounds::Command,
                                                  .saysDefault = true}});
  return kFlags;
}

void readStabiliser(const Arguments& arguments, FeatureOptions& options) {
  const KernelsSpec spec = drawFlags().read(arguments);
  options.stabilize = spec.stabilize;
  if (arguments.has("eps"))
    options.eps = spec.eps;
}

} // namespace attention::cli
