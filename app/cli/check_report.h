// What attnx check says of a mask, as JSON and as lines, and the promises that it breaks.
#pragma once

#include "app/cli/report.h"
#include "core/analysis/check/mask_check.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace attention::cli {

// Equality and padding are promised where the check has them.
struct Promises {
  bool noFuture = false;
  bool noEmpty = false;
  std::string against; // the flag that promises equality
};

struct BrokenPromise {
  std::string flag;     // "no-future"
  std::string sentence; // names the first cell
};

// In the order of the flags above.
std::vector<BrokenPromise> brokenPromises(const Promises& promises, const MaskCheck& check,
                                          const Prepared& mask);

// The keys of the specification, and `broken`: the flags of broken promises.
Json checkJson(const MaskCheck& check, const std::vector<BrokenPromise>& broken);
void printCheck(std::ostream& out, const MaskCheck& check);

} // namespace attention::cli
