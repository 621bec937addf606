#include "core/analysis/stack/kv_cache.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace attention {
namespace {

struct PolicyName {
  KvPolicy policy;
  std::string_view name;
};

constexpr std::array kPolicies{PolicyName{KvPolicy::Windowed, "windowed"},
                               PolicyName{KvPolicy::Full, "full"},
                               PolicyName{KvPolicy::Step, "step"}};

struct WidthField {
  const char* name;
  std::optional<Index> KvLayer::*member;
};

constexpr std::array kWidths{
    WidthField{"window", &KvLayer::window}, WidthField{"kv_heads", &KvLayer::kvHeads},
    WidthField{"head_dim", &KvLayer::headDim}, WidthField{"v_dim", &KvLayer::vDim},
    WidthField{"latent", &KvLayer::latent}};

[[noreturn]] void throwTooLarge() {
  throwRange("kv_cache", "more than 2^63 bytes", "below that");
}

Index product(Index a, Index b) {
  Index result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throwTooLarge();
  return result;
}

Index sum(Index a, Index b) {
  Index result = 0;
  if (__builtin_add_overflow(a, b, &result))
    throwTooLarge();
  return result;
}

Index given(const std::optional<Index>& width, const char* name) {
  if (!width)
    throw Error(ErrorCode::Type, name,
                std::string(name) + " is missing; it must be an integer of at least 0");
  return *width;
}

} // namespace

KvPolicy kvPolicyNamed(std::string_view name) {
  const auto found = std::find_if(kPolicies.begin(), kPolicies.end(),
                                  [&](const PolicyName& p) { return p.name == name; });
  if (found == kPolicies.end())
    throwRange("policy", excerpt(name), "windowed, full or step");
  return found->policy;
}

std::string_view name(KvPolicy policy) {
  return std::find_if(kPolicies.begin(), kPolicies.end(),
                      [&](const PolicyName& p) { return p.policy == policy; })
      ->name;
}

bool keepsKeys(std::string_view kind) {
  return kind != "linear_attention" && kind != "conv" && kind != "recurrent";
}

Index keptTokens(const KvLayer& layer, const KvQuestion& question) {
  if (layer.shared || !keepsKeys(layer.kind))
    return 0;
  if (!layer.window || question.policy == KvPolicy::Full)
    return question.n;
  const Index window = *layer.window - (question.policy == KvPolicy::Step ? 1 : 0);
  return std::min(question.n, window);
}

Index bytesPerToken(const KvLayer& layer, Index bytes) {
  if (layer.latent)
    return product(*layer.latent, bytes);
  const Index headDim = given(layer.headDim, "head_dim");
  const Index width = sum(headDim, layer.vDim.value_or(headDim));
  return product(product(given(layer.kvHeads, "kv_heads"), width), bytes);
}

Index kvBytes(std::span<const KvLayer> layers, const KvQuestion& question) {
  if (question.n < 1)
    throwRange("n", std::to_string(question.n), "an integer of at least 1");
  if (question.bytes < 1)
    throwRange("bytes", std::to_string(question.bytes), "an integer of at least 1");
  Index total = 0;
  for (const KvLayer& layer : layers)
    if (!layer.shared && keepsKeys(layer.kind))
      total =
          sum(total, product(keptTokens(layer, question), bytesPerToken(layer, question.bytes)));
  return total;
}

nlohmann::ordered_json toJson(const KvLayer& layer) {
  nlohmann::ordered_json json{{"kind", layer.kind}};
  for (const WidthField& width : kWidths)
    if (layer.*width.member)
      json[width.name] = *(layer.*width.member);
  if (layer.shared)
    json["shared"] = true;
  return json;
}

KvLayer kvLayerFromJson(const nlohmann::json& json) {
  const auto fail = [&](const char* name, const char* allowed) {
    throw Error(ErrorCode::Type, name,
                std::string(name) + " is not " + allowed + " in the layer " +
                    shortened(json.dump(), 80));
  };
  if (!json.is_object() || !json.contains("kind") || !json["kind"].is_string())
    fail("kind", "given as a text");
  KvLayer layer{json["kind"].get<std::string>()};
  for (const WidthField& width : kWidths) {
    const auto field = json.find(width.name);
    if (field == json.end() || field->is_null())
      continue;
    if (!field->is_number_integer())
      fail(width.name, "an integer");
    layer.*width.member = field->get<Index>();
  }
  const auto shared = json.find("shared");
  if (shared != json.end() && !shared->is_null() && !shared->is_boolean())
    fail("shared", "true or false");
  layer.shared = json.value("shared", nlohmann::json()) == true;
  return layer;
}

ByteUnit byteUnitFor(double bytes) {
  static constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  double size = 1024;
  for (; bytes >= 1024 * size && unit + 1 < kUnits.size(); ++unit)
    size *= 1024;
  return {kUnits[unit], size};
}

std::string bytesText(Index bytes) {
  if (bytes < 1024)
    return countText(bytes, "byte");
  const ByteUnit unit = byteUnitFor(static_cast<double>(bytes));
  return plainNumber(static_cast<double>(bytes) / unit.bytes, 3) + " " + unit.name;
}

} // namespace attention
