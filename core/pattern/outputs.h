// How attention reads a pattern: which keys take part, and how the parts become one output. Most
// patterns are one softmax over the union of their parts and the keys as they are; hashing and
// routing have other readings (S5.3, S6), which masks, counts and pictures ignore.
#pragma once

#include <optional>

namespace attention {

enum class Combine {
  Union, // one softmax over the union of the parts
  Lse,   // one softmax per part, weighted by exp(lse): a key of two parts counts twice
  Mean,  // the plain mean of the parts' outputs; parts without a key are left out
};

enum class KeyNorm {
  None,
  Rms,  // x / sqrt(mean(x²) + 1e-6)
  Unit, // x / max(|x|, 1e-12)
};

// What takes the place of k in every logit.
struct KeyRule {
  bool fromQueries = false; // the queries are the keys (shared QK)
  KeyNorm norm = KeyNorm::None;

  bool plain() const { return !fromQueries && norm == KeyNorm::None; }
  bool operator==(const KeyRule&) const = default;
};

struct Outputs {
  Combine combine = Combine::Union;
  KeyRule keys = {};
  // With Lse and Mean: a query that sees no other key in a part sees itself there, with this logit.
  std::optional<double> loneLogit = {};
  bool operator==(const Outputs&) const = default;
};

} // namespace attention
