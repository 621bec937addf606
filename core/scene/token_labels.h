// What the tokens of a Scene are called on axes and in graphs.
#pragma once

#include "core/input/input.h"
#include "core/scene/scene.h"

#include <span>
#include <string>
#include <vector>

namespace attention {

// The words of the first n tokens: those of the input (may be null), else the labels of the Scene;
// empty where neither has as many. They belong to the input or the Scene.
std::span<const std::string> tokenLabels(const Scene& scene, const Input* input, Index n);
// The same, to be kept.
std::vector<std::string> keptTokenLabels(const Scene& scene, const Input* input, Index n);

} // namespace attention
