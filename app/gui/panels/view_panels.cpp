#include "app/gui/panels/view_panels.h"

#include <array>

namespace attention::gui {

const ViewPanels& panelsOf(View view) {
  static constexpr std::array<ViewPanels, kViewNames.size()> kPanels{
      ViewPanels{drawMaskOptions, drawMaskFacts, false},
      ViewPanels{drawReachOptions, drawReachFacts, true},
      ViewPanels{drawAttentionOptions, drawAttentionFacts, true},
      ViewPanels{drawKernelsOptions, drawKernelsFacts, true},
      ViewPanels{drawHashingOptions, drawHashingFacts, true},
      ViewPanels{drawTimingsOptions, drawTimingsFacts, true},
      ViewPanels{drawEncodingsOptions, drawEncodingsFacts, true},
      ViewPanels{drawCompareOptions, drawCompareFacts, true}};
  return kPanels[static_cast<std::size_t>(view)];
}

} // namespace attention::gui
