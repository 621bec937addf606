// attnx compare: the score board, one input through several mechanisms.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/method_flags.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/score_report.h"

#include "core/analysis/score/choice_scores.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention::cli {
namespace {

// The base of each head by its layer's own mask; nothing if the file names none.
std::vector<Base> ownBases(const Input& input, const HeadSelection& heads) {
  std::vector<Base> bases;
  for (Index p = 0; p < heads.planes(); ++p)
    if (auto own = ownBase(input, heads.batch(p), squareLengths(input.queries)))
      bases.push_back(std::move(*own));
    else
      return {};
  return bases;
}

ScoreOptions scoreOptions(const Arguments& arguments, const Input& input,
                          const HeadSelection& heads) {
  ScoreOptions options;
  options.base = baseFrom(arguments);
  if (!options.base)
    options.headBases = ownBases(input, heads);
  options.recallKeys = arguments.integer("recall-keys").value_or(options.recallKeys);
  options.threads = threadsFrom(arguments);
  return options;
}

template <class T>
void addScores(const Input& input, const HeadSelection& heads, ScoreReport& report,
               const Run& run) {
  const Run quiet = run.quiet();
  const ScoredInput<T> scored{
      input.queries, heads.planes(),
      [&](Index p) {
        HeadMatrices<T> in = matricesOf<T>(input, heads.head(p), heads.batch(p), quiet);
        return ScoredHead<T>{std::move(in.q), std::move(in.k),
                             valuesOrZeros<T>(input, heads.batch(p), heads.head(p), quiet),
                             inputData(input, heads.batch(p), heads.head(p), input.queries, quiet),
                             attendOptions(input, heads.head(p))};
      },
      input.hasValues()};
  report.scores = scoreBoard<T>(report.methods, scored, report.options, {}, partOf(run, 0, 0.7));
  if (std::any_of(report.scores.begin(), report.scores.end(),
                  [](const Score& score) { return score.chooses; }))
    report.choices = choiceScores<T>(report.methods, scored, report.options, partOf(run, 0.7, 1));
}

std::vector<Score> scoresOfWeights(std::span<const ScoredMethod> methods, const Input& input,
                                   const HeadSelection& heads, const ScoreOptions& options,
                                   const Run& run) {
  const Run quiet = run.quiet();
  ReadyInput ready{input.queries, heads.planes(), [&](Index p) {
                     return input.attention<double>(heads.head(p), heads.batch(p), quiet);
                   }};
  if (input.hasValues())
    ready.values = [&](Index p) { return input.v<double>(heads.head(p), heads.batch(p), quiet); };
  return readyBoard(methods, ready, options, run);
}

// Nothing is written of a board on which an approximation overflowed.
void requireFinite(const ScoreReport& report) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < report.scores.size(); ++k)
    if (const auto error = relativeError(report.scores[k]); error && !std::isfinite(*error))
      names.push_back(methodText(report.methods[k]));
  if (names.empty())
    return;
  throw Error(ErrorCode::NonFinite, "out",
              "the output is not finite with " + someOf(names) +
                  "; it must be finite numbers (smaller queries and keys, or float64)");
}

int runCompare(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kEndings{".csv", ".json"};
  const std::string dtype = dtypeFrom(arguments);
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const auto input = inputFrom(arguments, context.part(0, 0.05));
  input->requireSquare();
  const Run quiet = context.run.quiet();
  const HeadSelection heads = selectionFrom(arguments, *input);
  const std::vector<ScoredMethod> methods =
      methodsFrom(withOneMask(arguments, *input, heads, quiet), std::max<Index>(input->d, 1));
  ScoreReport report{methods, scoreOptions(arguments, *input, heads), dtype, heads.planes(), {},
                     {}};
  const Run working = partOf(context.run, 0.05, 1);
  if (!input->hasQkv()) {
    report.scores = scoresOfWeights(methods, *input, heads, report.options, working);
  } else if (dtype == "float64") {
    addScores<double>(*input, heads, report, working);
  } else {
    addScores<float>(*input, heads, report, working);
  }
  requireFinite(report);
  if (!path.empty())
    write(report, path);
  if (arguments.on("json"))
    print(context.out, json(report));
  else
    printTable(context.out, report);
  return 0;
}

} // namespace

Command compareCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.morePatterns = "with";
  grammar.patternFirst = false; // --k and --seed belong to the input
  grammar.flags = inputFlags();
  grammar.flags.push_back({"output", "FILE", "the table as .csv or .json (also -o)"});
  grammar.add(methodFlags());
  grammar.add({{"recall-keys", "K", "recall over each query's K largest weights (10)"},
               {"dtype", "float32|float64", "precision of the computation (float32)"},
               {"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of a table"}});
  grammar.add(scoreFlags());
  grammar.flags.push_back(baseFlag());
  return {"compare", "PATTERN [--with PATTERN …] [--features NAME,…] [--linformer K,…] INPUT",
          "the score board: mass, error, recall, entropy, cost and time of mechanisms", grammar,
          runCompare};
}

} // namespace attention::cli
