#include "core/attention/attend.h"
#include "core/attention/modifiers.h"
#include "core/attention/modifiers_json.h"
#include "core/c/border.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace {

using namespace attention;
using namespace attention::c;

ScoreModifiers modifiersOf(const attnx_attend_options* options) {
  ScoreModifiers chosen;
  if (options == nullptr)
    return chosen;
  if (options->modifiers != nullptr)
    chosen = scoreModifiers(parseJson(options->modifiers, "modifiers"), "modifiers");
  if (options->scale != nullptr)
    chosen.scale = *options->scale;
  if (options->softcap != nullptr)
    chosen.softcap = *options->softcap;
  return chosen;
}

// Operations of 0.15 ms, which is twice what a thread takes to start.
constexpr double kWorthThreads = 2e7;

// Where the library chooses: one thread for work that a second would not speed up, even if all
// queries saw all keys.
int threadsChosen(int threads, const HeadViews& heads) {
  const MatrixView<const float>& q = heads.q.front();
  const MatrixView<const float>& v = heads.v.front();
  const double most = 2 * static_cast<double>(heads.q.size()) * static_cast<double>(q.rows) *
                      static_cast<double>(v.rows) * static_cast<double>(q.cols + v.cols);
  return threads == 0 && most < kWorthThreads ? 1 : threads;
}

} // namespace

int32_t attnx_attend(const attnx_pattern* const* patterns, int64_t count, const attnx_input* input,
                     const attnx_attend_options* options, const attnx_attend_result* result,
                     attnx_error* error) {
  return guarded(error, [&] {
    const auto prepared = preparedOf(patterns, count);
    const HeadViews heads = headsOf(required(input, "input"));
    const ScoreModifiers modifiers = modifiersOf(options);
    const int chosen = threadsChosen(options == nullptr ? 0 : threadsOf(options->threads), heads);
    required(result, "result");
    const auto out = resultsOf(result->out, result->lse, heads);
    if (prepared.size() != 1 && prepared.size() != heads.q.size())
      throw Error(ErrorCode::Shape, "patterns",
                  "there are " + countText(prepared.size(), "pattern") +
                      "; it must be one for all heads or one for each of the " +
                      std::to_string(heads.q.size()));
    const Index reach = std::max(heads.q.front().rows, heads.k.front().rows);
    forEachHead(heads.q.size(), chosen, [&](std::size_t h, int threads) {
      const std::size_t key = heads.keyHead(h);
      const AttendOptions own = attention::optionsOf(
          modifiers, static_cast<Index>(h), static_cast<Index>(heads.q.size()), reach, threads);
      const auto rows = static_cast<std::size_t>(out[h].rows);
      const std::span<float> lse =
          result->lse == nullptr ? std::span<float>() : std::span(result->lse + h * rows, rows);
      attendInto(*prepared[prepared.size() == 1 ? 0 : h], heads.q[h], heads.k[key], heads.v[key],
                 out[h], lse, own);
    });
  });
}
