// Where the mathematics of pictures comes from that are of no one pattern.
#pragma once

#include "core/scene/scene.h"

#include <string>

namespace attention::gui {

std::string kernelsSource(const Scene& scene);
std::string hashingSource(const Scene& scene); // empty but of the circle
std::string encodingsSource(const Scene& scene);

// Of the present view's picture; empty where that is its pattern's source.
std::string pictureSource(const Scene& scene);

} // namespace attention::gui
