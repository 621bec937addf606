#include "core/pattern/mechanism/factor.h"

#include "core/pattern/heads.h"

namespace attention {

std::vector<ChoiceOf<Factor>> factorChoices() {
  return {{Factor::First, "1", "A¹", "Only the first factor"},
          {Factor::Second, "2", "A²", "Only the second factor"},
          {Factor::Union, "union", "A¹ ∪ A²", "Both factors in one head (merged, eq. 7)"}};
}

Factor factorOfHead(const HeadOptions& options, Index index) {
  if (!options.alternate)
    return Factor::Union;
  return index % 2 == 0 ? Factor::First : Factor::Second;
}

std::vector<Part> factorParts(Factor factor, Part first, Part second) {
  std::vector<Part> parts;
  if (factor != Factor::Second)
    parts.push_back(std::move(first));
  if (factor != Factor::First)
    parts.push_back(std::move(second));
  return parts;
}

} // namespace attention
