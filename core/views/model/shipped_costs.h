// Results that come with the program, for those who have no model at hand: what masks cost
// SmolLM2-135M-Instruct on the first 1024 tokens of Pride and Prejudice. tools/make_results.py
// makes the file with the program itself.
#pragma once

#include "core/model/variant.h"
#include "core/views/model/measured_costs.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace attention {

// The model of the shipped results, which tools/get_model.sh downloads.
constexpr const char* kShippedModel = "SmolLM2-135M-Instruct.Q4_1";
constexpr Index kShippedTokens = 1024; // of their text

struct ShippedCosts {
  std::shared_ptr<const Model> model; // its shape and masks; it has no weights if it was read
  std::vector<Index> ids;             // of the text
  std::vector<ModelVariant> variants; // one for each row behind the first
  MeasuredCosts costs;                // `shipped` says what computed them
};

// Results as a file has them: {"type", "version", "made_by", "model": {"family", "heads", …,
// "patterns"}, "text": {"from", "given", "ids", "pieces"}, "variants": as `attnx model loss
// --variants` takes them, "rows": [{"name", "pairs", "loss", …, "loss_by_position", "expected",
// "expected_share"}]}.
nlohmann::ordered_json toJson(const ShippedCosts& results);

// E_TYPE, E_RANGE, E_UNKNOWN name the field; `file` names the JSON in errors.
ShippedCosts shippedFromJson(const nlohmann::json& json, const std::string& file);

// Of the file in the folder of assets. E_IO; as shippedFromJson.
std::filesystem::path shippedFile();
std::shared_ptr<const ShippedCosts> readShippedCosts();

// The rows of the variants that the results have, by their rules, and of those whose masks are the
// model's own; the others are lacking.
MeasuredCosts measuredOf(const ShippedCosts& shipped, std::span<const ModelVariant> asked);

} // namespace attention
