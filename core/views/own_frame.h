// Which frame of a sweep is the Scene as it is.
#pragma once

#include "core/views/animation.h"

#include <cstddef>
#include <optional>

namespace attention {

// The place of the frame whose number is the Scene's own, a default included; nothing where the
// sweep leaves that number out. `n` as in framesOf.
std::optional<std::size_t> ownFrame(const Frames& frames, const Scene& scene, Index n);

} // namespace attention
