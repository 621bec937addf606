#include "core/input/mask_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(mtx) {
  constexpr std::string_view kArray = "%%MatrixMarket matrix array";
  if (fuzz::textOf(bytes).substr(0, kArray.size()) == kArray) {
    slice<double>(parseMtxArray(bytes, "a.mtx"));
    return;
  }
  const MaskFile mask = parseMtxMask(bytes, "a.mtx");
  for (const QueryRun& run : mask.runs)
    if (run.query >= mask.rows || run.begin >= run.end || run.end > mask.cols)
      std::abort();
}
