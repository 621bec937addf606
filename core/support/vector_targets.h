// The kinds of vectors for which numeric kernels are compiled: those of a size known to the
// compiler, since they keep arrays of them in registers, and only kinds that differ in speed.
// Include it before Highway.
#pragma once

#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
