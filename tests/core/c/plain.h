/* What a program in C does with the library (plain.c), for a test to check. */
#ifndef ATTENTION_TESTS_PLAIN_H
#define ATTENTION_TESTS_PLAIN_H

#include "core/c/attnx.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Attention of the 4 tokens x_i = (i, 1) to themselves over a causal pattern: 4 × 2 floats in
 * `out`, the pairs of the pattern in `pairs`. Returns the first code that is not ATTNX_OK. */
int32_t plain_c_attention(float* out, int64_t* pairs, attnx_error* error);

#ifdef __cplusplus
}
#endif

#endif
