// Numbers of a query's steps and of heads that lessons tell: computed from the Scene.
#pragma once

#include "core/input/input.h"
#include "core/scene/scene.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// dot(j), scaled(j), exp(j), p(j), maxscore, expsum, out(c) of the Scene's query; dot(i, j),
// scaled(i, j), p(i, j), out(i, c) of query i, from the whole matrix; tiles, tilemax(t),
// tilesum(t), correction(t); head(measure, layer, head). Nothing for other names.
std::optional<double> stepsFact(const attention::Scene& scene,
                                const std::shared_ptr<const attention::Input>& input,
                                const std::string& name, const std::vector<std::string>& of);
