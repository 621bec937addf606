// What libraries and papers mean by "window W": each convention as a pattern, named after its
// source. Two of them side by side show where they differ.
#pragma once

#include "core/pattern/pattern.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// A number that a convention takes, with the library's own name for it.
struct PresetArgument {
  std::string name; // of the flag: "window"
  Index fallback = 0;
  Index least = 0;
  std::string meaning;
};

struct Preset {
  std::string name;    // "mistral-paper"
  std::string title;   // "Mistral 7B, the text"
  std::string meaning; // "i − W … i"
  std::string keys;    // keys per row: "W + 1"
  std::string source;
  std::vector<PresetArgument> arguments;
  Pattern (*make)(std::span<const Index> values); // one value per argument

  // The argument of that name ('-' and '_' are the same), or −1.
  int argument(std::string_view name) const;
  // The pattern for these values. E_RANGE: a value below its least, or one that the source refuses.
  Pattern pattern(std::span<const Index> values) const;
  // For the fallbacks.
  Pattern pattern() const;
};

std::span<const Preset> allPresets();

// Null if no preset has that name.
const Preset* findPreset(std::string_view name);

// E_UNKNOWN suggests the nearest name.
const Preset& presetNamed(std::string_view name);

// Presets that lay tokens out as models do: images, videos, images in text, drafts, and LongNet's
// segments. Their defaults fit n = 64.
std::vector<Preset> layoutPresets();

} // namespace attention
