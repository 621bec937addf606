// The settings of a Scene's parts. Each is described once, beside the struct that holds it: its
// name in JSON, what the window calls it, its meaning, bounds, and when it is read. Reading,
// writing, checks, controls and sweeps are made from that.
#pragma once

#include "core/pattern/parameter.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

constexpr double kMostSeed = 4e18; // so that the seeds of redraws and repeats fit beside it

template <class S>
using Setting = ParameterOf<S>;
template <class S>
using Settings = std::vector<Setting<S>>;

// Of that name; there must be one.
template <class S>
const Setting<S>& settingNamed(const Settings<S>& all, std::string_view name) {
  return *std::find_if(all.begin(), all.end(),
                       [&](const Setting<S>& setting) { return setting.name == name; });
}

// What the struct itself holds: nothing for an optional one that is absent, and for an empty text.
template <class S>
Value heldValue(const Setting<S>& setting, const S& of) {
  return setting.optional || setting.type == ParameterType::Text ? setting.given(of)
                                                                 : setting.resolved(of, 1);
}

// Checks every setting that is read against its bounds: settings that nothing reads may hold
// anything. E_RANGE and E_NONFINITE, which name "`place`.name", or the name where `place` is empty.
template <class S>
void checkSettings(const Settings<S>& all, const S& of, const std::string& place = {}) {
  for (const Setting<S>& setting : all)
    if (setting.visible(of))
      checkValue(place.empty() ? setting.name : place + "." + setting.name, heldValue(setting, of),
                 setting.bounds(of, 1), setting.type);
}

} // namespace attention
