// Numbers that follow from the Kernels view of a Scene (scene_facts.h).
#pragma once

#include "core/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

// The value of the fact `name` with its arguments; nothing if kernels have no fact of that name.
//   order.first, order.second: multiplications of (Q'K'ᵀ)V and of Q'(K'ᵀV); order.even: the length
//   from which the second takes fewer;
//   ratio(D, L): MSE of trig over that of positive features at the angle of D degrees, length L;
//   error(MAP, PROJECTION, m): median of the output's errors; baseline: of answering zero;
//   matrix.error: |A − Â| / |A| of the shown rows; negative.rows: normalisers below zero;
//   best(m): the smallest error of a matrix of rank m; linformer(m): of Linformer's with k = m.
std::optional<double> kernelFact(const attention::Scene& scene, const std::string& name,
                                 const std::vector<std::string>& of);
