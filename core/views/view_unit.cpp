#include "core/views/view_unit.h"

#include <array>

namespace attention {

// Each in its own folder (NAME/NAME_unit.cpp).
ViewUnit maskUnit();
ViewUnit reachUnit();
ViewUnit attentionUnit();
ViewUnit kernelsUnit();
ViewUnit choosingUnit();
ViewUnit timingsUnit();
ViewUnit encodingsUnit();
ViewUnit compareUnit();
ViewUnit modelUnit();

const ViewUnit& unitOf(View view) {
  static const std::array<ViewUnit, kViewNames.size()> kUnits{
      maskUnit(),    reachUnit(),     attentionUnit(), kernelsUnit(), choosingUnit(),
      timingsUnit(), encodingsUnit(), compareUnit(),   modelUnit()};
  return kUnits[static_cast<std::size_t>(view)];
}

void takeOtherViews(Scene& scene, View view, const Scene& from) {
  for (std::size_t k = 0; k < kViewNames.size(); ++k)
    if (const auto other = static_cast<View>(k); other != view)
      unitOf(other).copySpec(scene, from);
}

} // namespace attention
