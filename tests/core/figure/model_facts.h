// Numbers of the Model view without its model (scene_facts.h).
#pragma once

#include "core/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

// The value of the fact `name` with its arguments; nothing if the view has no fact of that name.
// Rows are counted from 0, the model as it is; those of a sweep are its steps.
//   loss(K), perplexity(K): of a row; pairs.share(K): of the model's own;
//   grows(T): by how much token T is predicted worse by row 1;
//   step.loss(K), step.grows(K), step.saves(K): of a step of the sweep, and by how much the loss
//   grows from the model as it is, or falls from that of the pattern everywhere.
std::optional<double> modelFact(const attention::Scene& scene, const std::string& name,
                                const std::vector<std::string>& of);
