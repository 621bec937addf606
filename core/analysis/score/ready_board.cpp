#include "core/analysis/score/score_board.h"

#include "core/analysis/ready_weights.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <limits>

namespace attention {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

const Pattern& patternOf(const ScoredMethod& method) {
  const auto* pattern = std::get_if<Pattern>(&method);
  if (pattern && !needsData(*pattern))
    return *pattern;
  throw Error(ErrorCode::Unsupported, "input",
              "input has attention weights without queries and keys; " + methodText(method) +
                  " needs both, and only other patterns can be compared here");
}

Score scoreOf(const Pattern& pattern, const ReadyInput& input, const ScoreOptions& options,
              const Run& run) {
  Score score;
  const auto prepared = prepare(pattern, squareLengths(input.n), run.quiet());
  score.base = options.base ? *options.base : meaningfulBase(prepared, run.quiet());
  score.pairs = 0;
  score.capturedMass = 0;
  score.entropy = 0;
  const auto dense = baseOf(score.base, squareLengths(input.n));
  OutputErrorSums errors;
  for (Index h = 0; h < input.heads; ++h) {
    const Run step = stepOf(run, h, input.heads);
    const Matrix<double> weights = input.weights(h);
    const ReadyMeasures one =
        readyMeasures(weights, prepared, score.base, options.recallKeys, step);
    *score.pairs += prepared->pairs(step.quiet());
    *score.capturedMass += one.capturedMass / static_cast<double>(input.heads);
    *score.entropy += one.entropy / static_cast<double>(input.heads);
    score.recall += one.recall / static_cast<double>(input.heads);
    score.flaggedRows += static_cast<Index>(one.emptyRows.size());
    if (!input.values)
      continue;
    const Matrix<double> v = input.values(h);
    errors.add(readyOutputs(weights, *prepared, v.view(), step.quiet()),
               readyOutputs(weights, *dense, v.view(), step.quiet()));
  }
  if (input.values)
    score.error = errors.error();
  score.flops = score.bytes = score.seconds = score.prepareSeconds = kUnknown;
  return score;
}

} // namespace

std::vector<Score> readyBoard(std::span<const ScoredMethod> methods, const ReadyInput& input,
                              const ScoreOptions& options, const Run& run) {
  if (options.recallKeys < 1)
    throwRange("recall-keys", std::to_string(options.recallKeys), "an integer of at least 1");
  for (const ScoredMethod& method : methods)
    check(patternOf(method), squareLengths(input.n));
  std::vector<Score> scores;
  for (const ScoredMethod& method : methods)
    scores.push_back(scoreOf(patternOf(method), input, options,
                             stepOf(run, std::ssize(scores), std::ssize(methods))));
  return scores;
}

} // namespace attention
