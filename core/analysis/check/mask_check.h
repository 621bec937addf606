// A mask checked (spec T12): a report, which mechanisms it is, how it differs from another one, and
// what it does with padding.
#pragma once

#include "core/analysis/check/mask_report.h"
#include "core/analysis/difference.h"
#include "core/pattern/prepared.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

// Which mechanisms, with which parameters, a mask is (spec T12). Parameters are derived from the
// mask, and every candidate is compared with it cell by cell.
struct Match {
  std::string mechanism; // also "empty", which is no mechanism
  nlohmann::ordered_json params;
};

// All that are equal to the mask, in the order of T12; the first one is its name. Nothing where
// none is. E_SHAPE: not square. Cost: some passes over the rows, and for those families whose size
// is tried (block local, fixed) a few rows for every size.
std::vector<Match> identify(const std::shared_ptr<const Prepared>& mask, const Run& run = {});

struct MaskQuestion {
  std::shared_ptr<const Prepared> against; // of the same shape, however it is aligned; may be null
  std::optional<std::span<const Index>> padding; // keys
};

struct MaskCheck {
  MaskReport report;
  std::optional<std::vector<Match>> matches; // of square masks
  std::optional<Difference> against;
  std::optional<PaddingReport> padding;
};

// E_SHAPE: the other mask has another shape; E_RANGE: padding that is no key, or more than 2^24
// queries or keys; E_EXPR; Stopped.
MaskCheck checkMask(const std::shared_ptr<const Prepared>& mask, const MaskQuestion& question = {},
                    const Run& run = {});

// With the keys of the specification: n_q, n_k, pairs, future_cells, first_future, empty_rows …;
// null for a cell that does not exist, and without what was not asked for.
nlohmann::ordered_json toJson(const MaskCheck& check);

} // namespace attention
