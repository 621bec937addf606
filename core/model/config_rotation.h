// The rotary positions of a transformers config.json, in its old form (rope_theta, rope_scaling;
// GPT-NeoX: rotary_emb_base, rotary_pct) and the new one (rope_parameters, where layers of several
// kinds differ, one per kind).
#pragma once

#include "core/analysis/stack/config_fields.h"
#include "core/model/families.h"
#include "core/model/rotary_frequencies.h"

#include <map>
#include <string>

namespace attention {

class ConfigRotations {
public:
  // The fields, with the family's defaults, must outlive it.
  ConfigRotations(const ConfigFields& config, const Family& family, Index headWidth)
      : config_(config), family_(family), headWidth_(headWidth) {}

  // Of layers of `kind` ("sliding_attention"); the same object for the same kind. E_UNSUPPORTED
  // names a scaling that is not known; E_TYPE, E_RANGE name the field.
  std::shared_ptr<const Rotation> of(const std::string& kind);

private:
  RotationSpec specOf(const std::string& kind) const;
  const nlohmann::json& parametersOf(const std::string& kind) const;
  double baseOf(const nlohmann::json& parameters, bool local) const;
  double shareOf(const nlohmann::json& parameters) const;

  const ConfigFields& config_;
  const Family& family_;
  Index headWidth_;
  std::map<std::string, std::shared_ptr<const Rotation>> made_;
};

} // namespace attention
