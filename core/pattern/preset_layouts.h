// Presets that lay tokens out as models do: images, videos, images in text, drafts, and LongNet's
// segments. Their defaults fit n = 64.
#pragma once

#include "core/pattern/presets.h"

namespace attention {

std::vector<Preset> layoutPresets();

} // namespace attention
