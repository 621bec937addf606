// What the tokens of a Scene are called on axes and in graphs.
#pragma once

#include "core/input/input.h"
#include "core/scene/scene.h"

#include <string>
#include <vector>

namespace attention {

// The words of the first n tokens: those of the input (may be null), else the labels of the Scene;
// empty where neither has as many.
std::vector<std::string> tokenLabels(const Scene& scene, const Input* input, Index n);

} // namespace attention
