#include "app/gui/panels/base_choice.h"

namespace attention::gui {

std::vector<ChoiceItem> baseItems() {
  return {{"default",
           "The model's own mask where the input names one; otherwise causal attention for "
           "causal patterns and attention to all keys for others"},
          {"full", "Attention to all keys"},
          {"causal", "Attention to the keys j ≤ i"}};
}

} // namespace attention::gui
