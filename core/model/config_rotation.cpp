#include "core/model/config_rotation.h"

#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <cmath>

namespace attention {
namespace {

using Json = nlohmann::json;

const Json kNoParameters = Json::object();

// A number of the object; nothing where it is absent or null.
std::optional<double> numberIn(const Json& parameters, const char* name) {
  const auto found = parameters.find(name);
  if (found == parameters.end() || found->is_null())
    return std::nullopt;
  if (!found->is_number())
    failJsonType(name, *found, "a number");
  return found->get<double>();
}

double neededIn(const Json& parameters, const char* name) {
  const std::optional<double> found = numberIn(parameters, name);
  if (!found)
    throw Error(ErrorCode::Type, name,
                std::string(name) + " is missing; this scaling of rotary positions needs it");
  return *found;
}

// rope_type, or type as it was called before.
std::string typeIn(const Json& parameters) {
  for (const char* name : {"rope_type", "type"}) {
    const auto found = parameters.find(name);
    if (found == parameters.end())
      continue;
    if (!found->is_string())
      failJsonType(name, *found, "a text");
    return found->get<std::string>();
  }
  return "default";
}

} // namespace

// rope_scaling where it is set, as transformers takes it; else rope_parameters.
const Json& ConfigRotations::parametersOf(const std::string& kind) const {
  const bool local = family_.localRotation && kind == "sliding_attention";
  const Json& scaling = config_.at("rope_scaling");
  const Json& parameters = config_.at("rope_parameters");
  for (const Json* given : {&scaling, &parameters})
    if (!given->is_null() && !given->is_object())
      failJsonType(given == &scaling ? "rope_scaling" : "rope_parameters", *given, "an object");
  if (isTrueInPython(scaling) && !local)
    return scaling;
  const auto nested = parameters.is_object() ? parameters.find(kind) : parameters.end();
  if (nested != parameters.end() && nested->is_object())
    return *nested;
  return parameters.is_object() && !local ? parameters : kNoParameters;
}

double ConfigRotations::baseOf(const Json& parameters, bool local) const {
  if (const auto base = numberIn(parameters, "rope_theta"))
    return *base;
  for (const char* name : {"rotary_emb_base", local ? "rope_local_base_freq" : "rope_theta"})
    if (const auto base = config_.number(name))
      return *base;
  return 10000;
}

// Of the numbers of a head.
double ConfigRotations::shareOf(const Json& parameters) const {
  std::optional<double> share = numberIn(parameters, "partial_rotary_factor");
  if (!share)
    share = config_.number("partial_rotary_factor");
  if (!share)
    share = config_.number("rotary_pct");
  if (share && !(*share > 0 && *share <= 1))
    throwRange("partial_rotary_factor", shortest(*share), "above 0 and at most 1");
  return share.value_or(1);
}

RotationSpec ConfigRotations::specOf(const std::string& kind) const {
  const Json& parameters = parametersOf(kind);
  RotationSpec spec;
  spec.scaling = rotationScalingNamed("rope_type", typeIn(parameters));
  spec.base = baseOf(parameters, family_.localRotation && kind == "sliding_attention");
  // Unscaled, most families turn all numbers whatever the configuration says.
  const bool partial = family_.partialRotation || spec.scaling != RotationScaling::None;
  const double share = partial ? shareOf(parameters) : 1;
  spec.width = static_cast<Index>(static_cast<double>(headWidth_) * share);
  requireInHead(spec, "head_dim", headWidth_);
  if (spec.scaling != RotationScaling::None)
    spec.factor = neededIn(parameters, "factor");
  if (spec.scaling == RotationScaling::Llama3) {
    spec.lowFactor = neededIn(parameters, "low_freq_factor");
    spec.highFactor = neededIn(parameters, "high_freq_factor");
    const auto original = numberIn(parameters, "original_max_position_embeddings");
    spec.original = original ? *original : config_.number("max_position_embeddings").value_or(0);
  }
  return spec;
}

std::shared_ptr<const Rotation> ConfigRotations::of(const std::string& kind) {
  std::shared_ptr<const Rotation>& made = made_[kind];
  if (!made)
    made = rotationOf(specOf(kind));
  return made;
}

} // namespace attention
