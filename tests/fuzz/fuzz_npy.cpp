#include "core/input/array_file.h"
#include "core/input/mask_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(npy) {
  const Tensor tensor = parseNpy(bytes, "a.npy");
  number(tensor, 0);
  if (isFloat(tensor.dtype)) {
    slice<float>(tensor, tensor.fromEnd(3) - 1, tensor.fromEnd(2) - 1);
  } else {
    integer(tensor, tensor.elements() - 1);
    maskOf(tensor);
  }
}
