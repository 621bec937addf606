// attnx compare: the score board, one input through several mechanisms.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/method_flags.h"
#include "app/cli/output_file.h"
#include "app/cli/ready_values.h"
#include "app/cli/score_report.h"

#include "core/analysis/score/ready_board.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>

namespace attention::cli {
namespace {

ScoreOptions optionsFrom(const Arguments& arguments, const Input& input) {
  ScoreOptions options;
  const std::string base = arguments.text("base", "own");
  if (base != "own" && base != "full" && base != "causal")
    throwRange("base", "\"" + base + "\"", "own, full or causal");
  if (base != "own")
    options.base = base == "full" ? Base::Full : Base::Causal;
  options.recallKeys = arguments.integer("recall-keys").value_or(options.recallKeys);
  options.scale = arguments.real("scale");
  if (!options.scale)
    options.scale = input.scale;
  options.threads = threadsFrom(arguments);
  return options;
}

template <class T>
std::vector<Score> scoresOf(std::span<const ScoredMethod> methods, const Input& input,
                            const HeadSelection& heads, const ScoreOptions& options,
                            const Run& run) {
  const Run quiet = run.quiet();
  const ScoredInput<T> scored{
      input.queries, heads.planes(), [&](Index p) {
        HeadMatrices<T> in = matricesOf<T>(input, heads.head(p), heads.batch(p), quiet);
        return ScoredHead<T>{std::move(in.q), std::move(in.k), std::move(in.v),
                             inputData(input, heads.batch(p), heads.head(p), input.queries, quiet)};
      }};
  return scoreBoard<T>(methods, scored, options, {}, run);
}

std::vector<Score> scoresOfWeights(std::span<const ScoredMethod> methods, const Input& input,
                                   const std::optional<ReadyValues>& values,
                                   const HeadSelection& heads, const ScoreOptions& options,
                                   const Run& run) {
  const Run quiet = run.quiet();
  ReadyInput ready{input.queries, heads.planes(), [&](Index p) {
                     return readyWeights(input, heads.batch(p), heads.head(p), quiet);
                   }};
  if (values)
    ready.values = [&](Index p) { return values->of(heads.batch(p), heads.head(p)); };
  return readyBoard(methods, ready, options, run);
}

int run(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kEndings{".csv", ".json"};
  const std::string dtype = dtypeFrom(arguments);
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const auto input = inputFrom(arguments, context.part(0, 0.05));
  input->requireSquare();
  const Run quiet = context.run.quiet();
  const HeadSelection heads = selectionFrom(arguments, *input);
  const std::vector<ScoredMethod> methods = methodsFrom(
      withOneMask(arguments, *input, heads, quiet), std::max<Index>(input->d, 1), quiet);
  ScoreReport report{methods, optionsFrom(arguments, *input), dtype, heads.planes(), {}};
  const Run working = partOf(context.run, 0.05, 1);
  if (!input->hasQkv())
    report.scores = scoresOfWeights(methods, *input, readyValuesFrom(arguments, *input, quiet),
                                    heads, report.options, working);
  else
    report.scores = dtype == "float64"
                        ? scoresOf<double>(methods, *input, heads, report.options, working)
                        : scoresOf<float>(methods, *input, heads, report.options, working);
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
  grammar.patternFirst = false; // --k and --seed are the input's
  grammar.flags = inputFlags();
  grammar.flags.push_back({"output", "FILE", "the table as .csv or .json (also -o)"});
  const std::vector<Flag> methods = methodFlags();
  grammar.flags.insert(grammar.flags.end(), methods.begin(), methods.end());
  const std::vector<Flag> own{
      {"base", "own|full|causal", "dense attention to measure against (own: causal if causal)"},
      {"recall-keys", "K", "recall is over the K keys with the largest weights (10)"},
      {"scale", "X", "multiplier of q·k (1/√d, or what the file states)"},
      {"dtype", "float32|float64", "precision of the computation (float32)"},
      {"threads", "T", "threads; 0 takes all"},
      {"json", "", "one JSON object instead of a table"}};
  grammar.flags.insert(grammar.flags.end(), own.begin(), own.end());
  return {"compare", "PATTERN [--with PATTERN …] [--features NAME,…] [--linformer K,…] INPUT",
          "the score board: mass, error, recall, entropy, cost and time of mechanisms", grammar,
          run};
}

} // namespace attention::cli
