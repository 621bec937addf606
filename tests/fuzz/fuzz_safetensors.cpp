#include "core/input/array_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(safetensors) {
  const ArrayFile file = parseSafetensors(bytes, "a.safetensors");
  for (const NamedArray& array : file.arrays)
    if (!array.problem)
      number(file.get(array.tensor.name), array.tensor.elements() - 1);
  slice<double>(file.get("q"));
}
