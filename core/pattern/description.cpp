#include "core/pattern/description.h"

#include <algorithm>

namespace attention {

const Parameter* Description::find(std::string_view parameter) const {
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& p) { return sameName(p.name, parameter); });
  return at == parameters.end() ? nullptr : &*at;
}

} // namespace attention
