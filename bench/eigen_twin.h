/* Attention as one writes it with Eigen, for bench/peers.py to compare with; benchmarks alone. */
#ifndef ATTENTION_BENCH_EIGEN_TWIN_H
#define ATTENTION_BENCH_EIGEN_TWIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* softmax(Q Kᵀ / √d) V on one thread, n × n in memory; with `causal` keys j > i have no weight.
 * q, k, v, out: n × d, without gaps. */
__attribute__((visibility("default"))) void eigen_attention(const float* q, const float* k,
                                                            const float* v, int64_t n, int64_t d,
                                                            int32_t causal, float* out);

#ifdef __cplusplus
}
#endif

#endif
