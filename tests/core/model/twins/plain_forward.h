// A transformer's forward pass in double, slow and simple by design: one loop per sum of its
// formula, reading one row of the weights at a time.
#pragma once

#include "core/model/model.h"
#include "core/support/matrix.h"

#include <span>

namespace attention::test {

// Logits, tokens × vocabulary; the final states of an encoder.
Matrix<double> plainForward(const Model& model, std::span<const Index> ids);

} // namespace attention::test
