#include "core/figure/weight_legend.h"

#include "core/figure/mask_color.h"
#include "core/figure/number_axis.h"
#include "core/support/readable_number.h"

namespace attention {

std::vector<LegendEntry> weightSwatches(const std::string& what, double top, FigureTheme theme) {
  std::vector<LegendEntry> legend;
  for (const double share : {1.0, 0.25, 0.05}) {
    const double weight = roundTowardZero(share * top);
    legend.push_back(
        {rampColor(Ramp::Weights, weight, top, theme), what + " " + readableNumber(weight)});
  }
  return legend;
}

} // namespace attention
