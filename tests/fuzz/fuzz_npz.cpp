#include "core/input/array_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(npz) {
  const ArrayFile file = parseNpz(bytes, "a.npz");
  for (const NamedArray& array : file.arrays)
    if (!array.problem)
      number(file.get(array.tensor.name), array.tensor.elements() - 1);
  for (const NamedArray& array : file.arrays)
    file.get(array.tensor.name); // throws its problem
  file.get("q");
}
