// Which mechanisms, with which parameters, a mask is (spec T12). Parameters are derived from the
// mask, and every candidate is compared with it cell by cell.
#pragma once

#include "core/pattern/prepared.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace attention {

struct Match {
  std::string mechanism; // also "empty", which is no mechanism
  nlohmann::ordered_json params;
};

// All that are equal to the mask, in the order of T12; the first one is its name. Nothing where
// none is. E_SHAPE: not square. Cost: some passes over the rows, and for those families whose size
// is tried (block local, fixed) a few rows for every size.
std::vector<Match> identify(const std::shared_ptr<const Prepared>& mask, const Run& run = {});

} // namespace attention
