#include "core/attention/attend.h"
#include "core/c/border.h"
#include "core/support/error.h"

#include <algorithm>
#include <string>

namespace {

using namespace attention;
using namespace attention::c;

AttendOptions optionsOf(const attnx_attend_options* options) {
  AttendOptions chosen;
  if (options == nullptr)
    return chosen;
  if (options->scale != nullptr)
    chosen.scale = *options->scale;
  chosen.threads = threadsOf(options->threads);
  return chosen;
}

} // namespace

int32_t attnx_attend(const attnx_pattern* const* patterns, int64_t count, const attnx_input* input,
                     const attnx_attend_options* options, const attnx_attend_result* result,
                     attnx_error* error) {
  return guarded(error, [&] {
    const auto prepared = preparedOf(patterns, count);
    const HeadViews heads = headsOf(required(input, "input"));
    const AttendOptions chosen = optionsOf(options);
    const auto out = resultsOf(required(result, "result").out, heads);
    if (prepared.size() != 1 && prepared.size() != heads.q.size())
      throw Error(ErrorCode::Shape, "patterns",
                  "there are " + std::to_string(prepared.size()) +
                      " patterns; allowed is one for all heads or one for each of the " +
                      std::to_string(heads.q.size()));
    forEachHead(heads.q.size(), chosen.threads, [&](std::size_t h, int threads) {
      const std::size_t key = heads.keyHead(h);
      AttendOptions own = chosen;
      own.threads = threads;
      const Attention<float> one = attend(*prepared[prepared.size() == 1 ? 0 : h], heads.q[h],
                                          heads.k[key], heads.v[key], own);
      copyTo(one.out, out[h]);
      if (result->lse != nullptr)
        std::copy(one.lse.begin(), one.lse.end(), result->lse + h * one.lse.size());
    });
  });
}
