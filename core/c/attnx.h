/* Attention Explorer's mathematics for C, and for every language that can call C (python/attnx
 * does so from Python): attention patterns and their exact counts, masks and pictures, exact
 * attention over them, attention by random features, receptive fields.
 *
 * Conventions. Every function that can fail returns ATTNX_OK or an error's code; if `error` is not
 * null it then holds the code and one sentence: what is at fault, what was found, what is allowed.
 * After an error, the contents of outputs are undefined. Nothing is printed, no exception escapes,
 * and there is no global state: any number of threads may call, even with the same pattern.
 *
 * Matrices are row-major, row i is token i. `threads` is the number of threads that a call uses: 0
 * for the machine's, or for one where more would not be faster; results have the same bits at any
 * number. Sizes are 64-bit; inputs and results stay in the caller's memory and are copied only
 * where stated. Floats must lie at addresses that are multiples of 4, as from malloc.
 */
#ifndef ATTNX_H
#define ATTNX_H

#include <stdint.h>

#if defined(__GNUC__)
#define ATTNX_API __attribute__((visibility("default")))
#else
#define ATTNX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Increased whenever a program built against an older header could no longer run. */
#define ATTNX_ABI 2

enum {
  ATTNX_OK = 0,
  ATTNX_E_N = 1,           /* a length is not an integer from 1 to 2^30 */
  ATTNX_E_RANGE = 2,       /* a value outside its range, or values that do not fit together */
  ATTNX_E_TYPE = 3,        /* wrong type, missing, or a null pointer */
  ATTNX_E_SHAPE = 4,       /* the shape of a matrix */
  ATTNX_E_NONFINITE = 5,   /* NaN or infinity */
  ATTNX_E_UNKNOWN = 6,     /* an unknown name */
  ATTNX_E_EXPR = 7,        /* a formula */
  ATTNX_E_UNSUPPORTED = 8, /* a combination that is not defined */
  ATTNX_E_IO = 9,          /* a file */
  ATTNX_E_MEMORY = 10,     /* out of memory */
  ATTNX_E_INTERNAL = 11    /* a bug in this library */
};

typedef struct attnx_error {
  int32_t code;
  char message[1020]; /* UTF-8, one zero-terminated sentence, truncated if longer */
} attnx_error;

/* "0.1.0"; ATTNX_ABI of the library. */
ATTNX_API const char* attnx_version(void);
ATTNX_API int32_t attnx_abi(void);

/* ---- matrices ---------------------------------------------------------------------------------*/

/* heads matrices of rows × cols floats that the caller owns: head h, row i begins at
 * data + h · head_stride + i · row_stride. Strides are in floats; 0: without gaps. */
typedef struct attnx_tensor {
  const float* data;
  int64_t heads;
  int64_t rows;
  int64_t cols;
  int64_t head_stride;
  int64_t row_stride;
} attnx_tensor;

/* The same to write to. */
typedef struct attnx_target {
  float* data;
  int64_t heads;
  int64_t rows;
  int64_t cols;
  int64_t head_stride;
  int64_t row_stride;
} attnx_target;

/* q: heads × n_q × d, k: kv_heads × n_k × d, v: kv_heads × n_k × d_v. kv_heads divides heads: query
 * head h takes key/value head ⌊h · kv_heads / heads⌋. */
typedef struct attnx_input {
  attnx_tensor q;
  attnx_tensor k;
  attnx_tensor v;
} attnx_input;

/* ---- patterns ---------------------------------------------------------------------------------*/

/* A pattern prepared for given lengths. It never changes once it is open. */
typedef struct attnx_pattern attnx_pattern;

enum { ATTNX_TOP_LEFT = 0, ATTNX_BOTTOM_RIGHT = 1 };

/* n_q × n_k, from 1 to 2^30 each; `align` says which token query i is if they differ: token i,
 * or token i + n_k − n_q. */
typedef struct attnx_lengths {
  int64_t queries;
  int64_t keys;
  int32_t align;
} attnx_lengths;

/* Queries [row_begin, row_end), keys [key_begin, key_end). A null pointer in its place means all.
 */
typedef struct attnx_rect {
  int64_t row_begin;
  int64_t row_end;
  int64_t key_begin;
  int64_t key_end;
} attnx_rect;

/* The keys begin + k · period + r, 0 ≤ r < width, below end. Contiguous: period = width = 1. */
typedef struct attnx_range {
  int64_t begin;
  int64_t end;
  int64_t period;
  int64_t width;
} attnx_range;

/* The pattern of a JSON text, {"mechanism": "strided", "params": {"stride": 128}}, the form of
 * `attnx --pattern-json`, compositions included. q and k (one head each) are for patterns that
 * choose keys by the data, and are copied; k null: k is q. Other patterns need neither. Close each
 * opened pattern once, when no call uses it any more. */
ATTNX_API int32_t attnx_pattern_open(const char* json, const attnx_lengths* lengths,
                                     const attnx_tensor* q, const attnx_tensor* k, int32_t threads,
                                     attnx_pattern** pattern, attnx_error* error);
/* The pattern of a mask: rows × cols bytes, row by row, not 0 where the query attends to the key;
 * they are copied. The same as "given" with the list of these cells, and for large masks much
 * faster. `lengths` has as many queries as rows and as many keys as columns. */
ATTNX_API int32_t attnx_pattern_open_mask(const uint8_t* mask, int64_t rows, int64_t cols,
                                          const attnx_lengths* lengths, attnx_pattern** pattern,
                                          attnx_error* error);
ATTNX_API void attnx_pattern_close(attnx_pattern* pattern);

/* The exact number of attended pairs. O(1) in the lengths where there is a closed form. */
ATTNX_API int32_t attnx_pattern_count(const attnx_pattern* pattern, const attnx_rect* rect,
                                      int32_t threads, int64_t* pairs, attnx_error* error);

/* The keys of one query as disjoint sorted ranges: their number in `count`, the first `capacity` of
 * them in `ranges`, which may be null where capacity is 0. */
ATTNX_API int32_t attnx_pattern_row(const attnx_pattern* pattern, int64_t query,
                                    attnx_range* ranges, int64_t capacity, int64_t* count,
                                    attnx_error* error);

/* One byte per cell, 1 where the query attends to the key; `size` is the number of bytes of `mask`:
 * rows times keys of the rectangle. */
ATTNX_API int32_t attnx_pattern_mask(const attnx_pattern* pattern, const attnx_rect* rect,
                                     uint8_t* mask, int64_t size, attnx_error* error);

/* The mask as a picture of height × width pixels at any length: the attended pairs of each pixel.
 * Pixel (a, b) covers the rows from row_begin + ⌊rows · a / height⌋ on, up to where the next
 * begins, and its keys likewise. `exact` becomes 0 where the pattern has no closed form and more
 * than 16384 rows: then a sample of them was counted. height and width: from 1 to 32768. Beyond
 * `counts` O(width) memory for each thread and each term of the closed form. */
ATTNX_API int32_t attnx_pattern_coverage(const attnx_pattern* pattern, const attnx_rect* rect,
                                         int64_t height, int64_t width, int32_t threads,
                                         int64_t* counts, int32_t* exact, attnx_error* error);

/* ---- attention --------------------------------------------------------------------------------*/

typedef struct attnx_attend_options {
  const double* scale; /* of q·k; null: 1/√d */
  int32_t threads;
  const double* softcap; /* c > 0: scores become c tanh(score / c); null: no cap */
  /* Score modifiers as JSON, {"bias": {"kind": "alibi"}, "sink": [0.5, -1], ...}: scale, softcap,
   * bias (alibi, t5, relative), temperature, sink, order; null: none. Lists have a number per head.
   * `scale` and `softcap` above replace theirs. */
  const char* modifiers;
} attnx_attend_options;

/* out: heads × n_q × d_v. Neither it nor lse may overlap an input or each other: no head of an
 * input may reach into the span from the first float of one of its heads to the last, gaps
 * included. E_SHAPE. */
typedef struct attnx_attend_result {
  attnx_target out;
  /* heads × n_q: ln Σ exp(s), with the sink where there is one, −∞ where a query has neither key
   * nor sink; null: not wanted */
  float* lse;
} attnx_attend_result;

/* Exact softmax attention over a pattern: o_i = Σ_j exp(s_ij − lse_i) v_j over the keys j of row i,
 * zeros where it has none. `patterns`: one for all heads (count 1), or one per head. `options`
 * null: the defaults. Never n × n in memory: O(n + threads · tile), plus, for each head being
 * computed, n_q × d_v floats where parts of the pattern are averaged and n_k × d where its keys are
 * scaled queries. */
ATTNX_API int32_t attnx_attend(const attnx_pattern* const* patterns, int64_t count,
                               const attnx_input* input, const attnx_attend_options* options,
                               const attnx_attend_result* result, attnx_error* error);

/* Rows of projections w for random features: "iid" or "orthogonal" (of lengths "chi" or "sqrt_d"),
 * projections × d, from nothing but the seed. */
typedef struct attnx_projection {
  const char* kind;  /* null: orthogonal */
  const char* norms; /* null: chi */
  int64_t projections;
  int64_t d;
  uint64_t seed;
} attnx_projection;

/* `size` is the number of doubles of `w`: projections times d. */
ATTNX_API int32_t attnx_draw_projection(const attnx_projection* projection, double* w, int64_t size,
                                        attnx_error* error);

typedef struct attnx_feature_options {
  const char* map;       /* trig gaussian_trig positive hyperbolic relu elu1; null: positive */
  const char* stabilize; /* off reference robust; null: off */
  const double* eps;     /* added to every feature; null: 0.001 for relu, else 0 */
  int32_t causal;        /* 1: only keys j ≤ i */
  int32_t unnormalized;  /* 1: A V instead of D^-1 A V */
  int32_t threads;
  int64_t projections; /* rows of w; 0 for elu1 */
  const double* w;     /* projections × d, the same for all heads */
} attnx_feature_options;

/* Like attnx_attend_result. */
typedef struct attnx_feature_result {
  attnx_target out;    /* heads × n_q × d_v */
  float* denominators; /* heads × n_q: D; null: not wanted */
  int64_t* flagged;    /* how many rows have D ≤ 0 or numbers that overflowed; null: not wanted */
} attnx_feature_result;

/* Attention by random features (positive: Performer's FAVOR+) in O(n · m · (d + d_v)). Copies
 * w. */
ATTNX_API int32_t attnx_feature_attend(const attnx_input* input,
                                       const attnx_feature_options* options,
                                       const attnx_feature_result* result, attnx_error* error);

/* ---- receptive fields -------------------------------------------------------------------------*/

typedef struct attnx_stack {
  const attnx_pattern* const* patterns; /* square; layer t, 1 the lowest, has (t − 1) mod count */
  int64_t count;
  int64_t layers;
  int32_t no_residual; /* 1: without the residual connection */
  int32_t threads;
} attnx_stack;

/* Which inputs can influence which outputs. `bits`: n rows of ⌈n / 64⌉ words, key j is bit j mod 64
 * of word j / 64; null: not wanted. `pairs`: one number per layer, the pairs reached by it and
 * those below; null: not wanted. n is at most 16384. Works on its own matrices of n × n bits; the
 * last one is copied to `bits`. */
ATTNX_API int32_t attnx_reach(const attnx_stack* stack, uint64_t* bits, int64_t* pairs,
                              attnx_error* error);

/* ---- the machine ------------------------------------------------------------------------------*/

/* Operations per second of fused multiply-adds on registers only (each counts 2), measured over
 * `rounds` rounds of a few nanoseconds each: the peak that attention's rate is compared with.
 * "AVX2", "AVX3", … */
ATTNX_API int32_t attnx_peak(int64_t rounds, int32_t threads, double* flops, attnx_error* error);
ATTNX_API const char* attnx_vectors(void);

#ifdef __cplusplus
}
#endif

#endif
