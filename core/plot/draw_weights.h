// Attention weights as a picture that is seen from afar.
#pragma once

#include "core/plot/draw_plot.h"

#include <memory>
#include <vector>

namespace attention {

// Whether the ramp is of attention weights, or of their changes.
bool showsWeights(Ramp ramp);
// As addPicture, but a pixel that touches several weights shows the largest, and the columns `wide`
// are wide enough to be seen from afar.
void addWeights(const Box& box, std::shared_ptr<const Matrix<float>> values, const RampScale& scale,
                const std::vector<Index>& wide, const Drawing& drawing);

} // namespace attention
