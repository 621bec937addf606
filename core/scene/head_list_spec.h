// The list of an input's heads by what they do, as the Attention view of a Scene shows it.
#pragma once

#include "core/scene/settings.h"

#include <optional>

namespace attention {

// In the order of headMeasureList (core/views/heads/measured_heads.h), after the heads' own order.
enum class HeadOrder {
  Place, // layer by layer
  Self,
  Previous,
  First,
  Within,
  Beyond,
  Entropy,
  PreviousOccurrence,
  Induction,
  Captured
};

constexpr Index kUsualNear = 8; // tokens, of `within`

struct HeadListSpec {
  bool shown = false;
  HeadOrder order = HeadOrder::Place;
  bool rising = false;        // the smallest first
  std::optional<Index> layer; // nothing: all layers
  double least = 0;           // heads with less of what they are ordered by are left out
  Index near = kUsualNear;
  Index from = 0; // the first line that is shown
  bool operator==(const HeadListSpec&) const = default;
};

const Settings<HeadListSpec>& headListSettings();

} // namespace attention
