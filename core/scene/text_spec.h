// The running text of an input, shaded by attention, as the Attention view of a Scene shows it.
#pragma once

#include "core/scene/settings.h"

namespace attention {

enum class TextOf {
  Head,   // the chosen model head
  Layer,  // the mean over the heads of its layer
  Rollout // through all layers (Abnar and Zuidema 2020)
};

struct TextSpec {
  TextOf of = TextOf::Head;
  bool byKey = false; // what each query gives to the pinned key, not the other way round
  bool lost = true;   // marks the tokens that the pattern hides
  bool operator==(const TextSpec&) const = default;
};

const Settings<TextSpec>& textSettings();

} // namespace attention
