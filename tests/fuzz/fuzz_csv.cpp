#include "core/input/array_file.h"
#include "core/input/mask_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

// The first byte chooses between tables of numbers and lists of pairs.
ATTENTION_FUZZ_TARGET(csv) {
  if (bytes.empty())
    return;
  if (bytes.front() == std::byte{'p'}) {
    const MaskFile mask = parseCsvMask(bytes.subspan(1), "p.csv");
    for (const QueryRun& run : mask.runs)
      if (run.query >= mask.rows || run.begin >= run.end || run.end > mask.cols)
        std::abort();
    return;
  }
  for (const NamedArray& array : parseCsv(bytes.subspan(1), "a.csv").arrays)
    slice<float>(array.tensor);
}
