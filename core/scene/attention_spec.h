// What the Attention view of a Scene shows: the attention weights of one model head of the input
// over all keys, over the Scene's pattern, and their difference; what the pattern keeps of each
// query; the heads of all layers beside one another; the weights as lines between tokens; and one
// query computed step by step.
#pragma once

#include "core/scene/head_list_spec.h"
#include "core/scene/settings.h"
#include "core/scene/steps_spec.h"

#include <vector>

namespace attention {

enum class TextOf {
  Head,   // the chosen model head
  Layer,  // the mean over the heads of its layer
  Rollout // through all layers (Abnar and Zuidema 2020)
};

// The running text of the input, shaded by attention.
struct TextSpec {
  TextOf of = TextOf::Head;
  bool byKey = false; // what each query gives to the pinned key, not the other way round
  bool lost = true;   // marks the tokens that the pattern hides
  bool operator==(const TextSpec&) const = default;
};

const Settings<TextSpec>& textSettings();

enum class AttentionPicture {
  Maps,  // full, pattern and difference as matrices, with what each query keeps
  Heads, // every layer and head small
  Lines, // queries at the left, keys at the right (Vig 2019)
  Steps, // one query computed, every number
  Text   // the running text, shaded
};

// What the heads show (and, for weights, the lines): weights, or the scores before the softmax,
// scaled q·k without a mask.
enum class WeightsOf { Full, Pattern, Logits };

// What the pattern is measured against (S13).
enum class AttentionBase {
  Meaningful, // the input's own mask; else j ≤ i for a causal pattern, and all keys for others
  Full,
  Causal
};

// The matrices shown side by side; at least one.
struct AttentionMaps {
  bool full = true;
  bool pattern = true;
  bool difference = true;
  bool operator==(const AttentionMaps&) const = default;
};

struct AttentionSpec {
  AttentionPicture picture = AttentionPicture::Maps;
  AttentionBase base = AttentionBase::Meaningful;
  AttentionMaps maps;
  bool curves = true; // captured mass, output error and entropy, query by query
  WeightsOf of = WeightsOf::Full;
  double least = 0.05; // lines of smaller weights are not drawn
  HeadListSpec list;   // of all heads
  StepsSpec steps;
  TextSpec text;
  bool operator==(const AttentionSpec&) const = default;
};

const Settings<AttentionMaps>& attentionMapsSettings();
const Settings<AttentionSpec>& attentionSettings();

// Whether heads are listed by what they do, and not drawn small.
inline bool listsHeads(const AttentionSpec& spec) {
  return spec.picture == AttentionPicture::Heads && spec.list.shown;
}
// Whether the picture is made of weights.
inline bool showsWeights(const AttentionSpec& spec) {
  return spec.picture <= AttentionPicture::Lines && !listsHeads(spec);
}

// What there is to choose wherever something is measured against dense attention.
std::vector<ChoiceOf<AttentionBase>> attentionBases();

} // namespace attention
