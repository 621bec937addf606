#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/c/border.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <atomic>
#include <string>

namespace {

using namespace attention;
using namespace attention::c;

constexpr Index kMostNumbers = Index{1} << 30; // of projections

FeatureOptions mapOf(const attnx_feature_options& options) {
  FeatureOptions chosen;
  if (options.map != nullptr)
    chosen.map = featureMapNamed(options.map);
  if (options.stabilize != nullptr)
    chosen.stabilize = stabilizeNamed(options.stabilize);
  if (options.eps != nullptr)
    chosen.eps = *options.eps;
  return chosen;
}

bool flagOf(const char* name, int32_t value) {
  if (value != 0 && value != 1)
    throwRange(name, std::to_string(value), "0 or 1");
  return value == 1;
}

// A copy of v × d numbers, empty for v = 0.
Matrix<double> projectionsOf(const attnx_feature_options& options, Index d) {
  const Index rows = options.projections;
  if (rows < 0 || rows > kMostNumbers / d)
    throwRange("projections", std::to_string(rows),
               "an integer from 0 to " + std::to_string(kMostNumbers / d));
  if (rows == 0)
    return {};
  const double* w = &required(options.w, "w");
  return {rows, d, std::vector<double>(w, w + rows * d)};
}

} // namespace

int32_t attnx_draw_projection(const attnx_projection* projection, double* w, int64_t size,
                              attnx_error* error) {
  return guarded(error, [&] {
    const attnx_projection& asked = required(projection, "projection");
    Projection chosen;
    if (asked.kind != nullptr)
      chosen.kind = projectionNamed(asked.kind);
    if (asked.norms != nullptr)
      chosen.norms = normsNamed(asked.norms);
    chosen.rows = asked.projections;
    chosen.d = asked.d;
    chosen.seed = asked.seed;
    if (chosen.rows > kMostNumbers / std::max<Index>(chosen.d, 1))
      throwRange("projections", std::to_string(chosen.rows), "at most 2^30 numbers together");
    if (chosen.rows > 0 && chosen.d > 0 && size != chosen.rows * chosen.d)
      throwRange("size", std::to_string(size),
                 "the " + countText(chosen.rows * chosen.d, "number") + " of w");
    const Matrix<double> drawn = drawProjection(chosen);
    std::copy(drawn.values().begin(), drawn.values().end(), &required(w, "w"));
  });
}

int32_t attnx_feature_attend(const attnx_input* input, const attnx_feature_options* options,
                             const attnx_feature_result* result, attnx_error* error) {
  return guarded(error, [&] {
    const HeadViews heads = headsOf(required(input, "input"));
    const attnx_feature_options& asked = required(options, "options");
    required(result, "result");
    const auto out = resultsOf(result->out, result->denominators, heads);
    if (heads.q.front().cols < 1)
      throw Error(ErrorCode::Shape, "q", "q has no columns; it must have at least 1");
    const Matrix<double> w = projectionsOf(asked, heads.q.front().cols);
    const FeatureOptions map = mapOf(asked);
    const bool causal = flagOf("causal", asked.causal);
    const bool normalized = !flagOf("unnormalized", asked.unnormalized);
    std::atomic<int64_t> flagged{0};
    forEachHead(heads.q.size(), threadsOf(asked.threads), [&](std::size_t h, int threads) {
      const std::size_t key = heads.keyHead(h);
      const KernelAttention<float> one = featureAttentionInto(
          heads.q[h], heads.k[key], heads.v[key], out[h], w, map, {causal, normalized, threads});
      flagged += static_cast<int64_t>(one.flagged().size());
      if (result->denominators != nullptr)
        std::copy(one.denominators.begin(), one.denominators.end(),
                  result->denominators + h * one.denominators.size());
    });
    if (result->flagged != nullptr)
      *result->flagged = flagged;
  });
}
