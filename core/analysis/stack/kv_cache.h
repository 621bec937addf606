// Bytes of keys and values that a model keeps for one sequence, as the sum over its layers (spec
// T11): kept(n) tokens times the numbers per token, keys and values together. Layers whose state
// does not grow with n (linear attention, recurrences, convolutions) and layers that use another's
// keys and values add nothing.
#pragma once

#include "core/support/integers.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attention {

// Numbers that one layer keeps per token: kvHeads · (headDim + vDim), or `latent` once for all
// heads (multi-head latent attention: the rank of keys and values and the rotary dimensions).
struct KvLayer {
  std::string kind;                 // "full_attention"; see keepsKeys
  std::optional<Index> window = {}; // of a sliding layer, or the length of its chunks
  std::optional<Index> kvHeads = {};
  std::optional<Index> headDim = {};
  std::optional<Index> vDim = {}; // headDim where it is absent
  std::optional<Index> latent = {};
  bool shared = false; // uses the keys and values of an earlier layer
};

enum class KvPolicy {
  Windowed, // a layer with a window keeps min(n, W) tokens: caches of fixed size
  Full,     // every layer keeps all n
  Step      // min(n, W − 1), between two steps: transformers' DynamicCache
};
// E_RANGE with the names that there are.
KvPolicy kvPolicyNamed(std::string_view name);
std::string_view name(KvPolicy policy);

struct KvQuestion {
  Index n = 1;     // tokens so far
  Index bytes = 2; // of a number
  KvPolicy policy = KvPolicy::Windowed;
};

// Whether layers of that kind keep keys and values that grow with n.
bool keepsKeys(std::string_view kind);

// Tokens that the layer keeps of n; 0 where it keeps none of its own.
Index keptTokens(const KvLayer& layer, const KvQuestion& question);

// Bytes of one token in the layer, whether or not it is shared. E_TYPE where the widths are
// missing; E_RANGE beyond 64 bits.
Index bytesPerToken(const KvLayer& layer, Index bytes);

// All layers. E_RANGE: n or bytes below 1; as above.
Index kvBytes(std::span<const KvLayer> layers, const KvQuestion& question);

// A power of 1 024 bytes.
struct ByteUnit {
  const char* name; // "GiB"
  double bytes;
};

// The largest unit, up to TiB, of which that many bytes hold one; KiB for fewer.
ByteUnit byteUnitFor(double bytes);

// "6.4 GiB"; exact below 1 KiB.
std::string bytesText(Index bytes);

// {"kind", "window", "kv_heads", "head_dim", "v_dim", "latent", "shared"}, without what is absent.
// E_TYPE.
nlohmann::ordered_json toJson(const KvLayer& layer);
KvLayer kvLayerFromJson(const nlohmann::json& json);

} // namespace attention
