/* A program in C: that this file compiles as C99 shows that the header is C. */
#include "tests/core/c/plain.h"

#include <stddef.h>

int32_t plain_c_attention(float* out, int64_t* pairs, attnx_error* error) {
  const float x[8] = {0, 1, 1, 1, 2, 1, 3, 1};
  const attnx_lengths lengths = {4, 4, ATTNX_TOP_LEFT};
  const attnx_tensor tensor = {x, 1, 4, 2, 0, 0};
  const attnx_input input = {tensor, tensor, tensor};
  const attnx_attend_result result = {{out, 1, 4, 2, 0, 0}, NULL};
  attnx_pattern* pattern = NULL;
  int32_t code =
      attnx_pattern_open("{\"mechanism\": \"causal\"}", &lengths, NULL, NULL, 1, &pattern, error);
  if (code == ATTNX_OK)
    code = attnx_pattern_count(pattern, NULL, 1, pairs, error);
  if (code == ATTNX_OK) {
    const attnx_pattern* patterns[1];
    patterns[0] = pattern;
    code = attnx_attend(patterns, 1, &input, NULL, &result, error);
  }
  attnx_pattern_close(pattern);
  return code;
}
