// What stands between the maps of a feed-forward block (core/attention/activation_rows.h).
#pragma once

#include "core/model/model.h"

#include <span>

namespace attention {

// x ← f(x), or f(x) · y where `y` is not empty; of equal lengths.
void activate(Activation activation, std::span<float> x, std::span<const float> y = {});

} // namespace attention
