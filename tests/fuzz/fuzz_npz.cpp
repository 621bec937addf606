#include "core/input/array_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(npz) {
  const ArrayFile file = parseNpz(bytes, "a.npz");
  for (const NamedArray& array : file.arrays) {
    const Tensor tensor = file.get(array.name()); // throws its problem
    number(tensor, tensor.elements() - 1);
  }
  file.get("q");
}
