// attnx compare: the score board, one input through several mechanisms.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/output_file.h"
#include "app/cli/score_report.h"

#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>

namespace attention::cli {
namespace {

std::vector<Index> countsFrom(const Arguments& arguments, const char* flag, Index fallback) {
  if (!arguments.has(flag))
    return {fallback};
  const std::vector<Index> counts = integersFromText(flag, arguments.text(flag));
  for (const Index count : counts)
    if (count < 1)
      throwRange(flag, std::to_string(count), "integers ≥ 1");
  return counts;
}

// The maps of --features. E_TYPE where a flag is given that none of them reads.
std::vector<FeatureMap> mapsFrom(const Arguments& arguments) {
  std::vector<FeatureMap> maps;
  if (!arguments.has("features")) {
    const std::string because = "without --features, which it belongs to";
    refuse(arguments, kProjectionFlags, because);
    refuse(arguments, {"eps", "stabilize"}, because);
    return maps;
  }
  for (const std::string& map : namesFromText("features", arguments.text("features")))
    maps.push_back(featureMapNamed(map));
  refuseUnread(arguments, maps);
  return maps;
}

// --features with every --m and --projection; elu1 takes neither.
void addFeatures(const Arguments& arguments, Index d, std::vector<ScoredMethod>& methods) {
  const std::vector<FeatureMap> maps = mapsFrom(arguments);
  const std::vector<Index> counts = countsFrom(arguments, "m", defaultProjections(d));
  std::vector<ProjectionKind> kinds;
  for (const auto& kind : namesFromText("projection", arguments.text("projection", "orthogonal")))
    kinds.push_back(projectionNamed(kind));
  refuseUnreadNorms(arguments, kinds);
  FeatureOptions options;
  readStabiliser(arguments, options);
  Projection projection{ProjectionKind::Orthogonal, normsNamed(arguments.text("norms", "chi")), 1,
                        d, seedFrom(arguments, "projection-seed")};
  for (const FeatureMap map : maps) {
    options.map = map;
    FeatureMethod method{options, projection};
    if (!takesStabiliser(map))
      method.features.stabilize = Stabilize::Off;
    if (!takesProjections(map)) {
      methods.emplace_back(method);
      continue;
    }
    for (const ProjectionKind kind : kinds)
      for (const Index m : counts) {
        method.projection.kind = kind;
        method.projection.rows = m;
        methods.emplace_back(method);
      }
  }
}

void addLinformers(const Arguments& arguments, std::vector<ScoredMethod>& methods) {
  if (arguments.has("linformer"))
    for (const Index k : countsFrom(arguments, "linformer", 1))
      methods.emplace_back(LinformerMethod{k, seedFrom(arguments, "linformer-seed")});
  else
    refuse(arguments, {"linformer-seed"}, "without --linformer, which it belongs to");
}

std::vector<ScoredMethod> methodsFrom(const Arguments& arguments, const Input& input,
                                      const Run& run) {
  std::vector<ScoredMethod> methods;
  for (const Pattern& pattern : arguments.patterns())
    methods.emplace_back(resolveFiles(pattern, {}, run));
  addFeatures(arguments, input.d, methods);
  addLinformers(arguments, methods);
  return methods;
}

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

int run(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kEndings{".csv", ".json"};
  const std::string dtype = dtypeFrom(arguments);
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const auto input = inputFrom(arguments, partOf(context.run, 0, 0.05));
  input->requireSquare();
  const Run quiet = context.run.quiet();
  const std::vector<ScoredMethod> methods = methodsFrom(arguments, *input, quiet);
  const HeadSelection heads = selectionFrom(arguments, *input);
  ScoreReport report{methods, optionsFrom(arguments, *input), dtype, heads.planes(), {}};
  const Run working = partOf(context.run, 0.05, 1);
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
  const std::vector<Flag> own{
      {"output", "FILE", "the table as .csv or .json (also -o)"},
      {"features", "NAME,…", "random features too: elu1 (linear), positive (FAVOR+), trig, …",
       wordsOf(featureMapNames())},
      {"m", "V,V,…", "their numbers of projections, a row each (⌈d ln d⌉)"},
      {"projection", "NAME,…", "iid, orthogonal (orthogonal)", {"iid", "orthogonal"}},
      {"norms", "chi|sqrt_d", "lengths of orthogonal projections (chi)"},
      {"projection-seed", "S", "seed of the projections (0)"},
      {"stabilize", "off|reference|robust", "what is subtracted before exp (off)"},
      {"eps", "E", "added to every feature (0; relu 0.001)"},
      {"linformer", "K,K,…", "Linformer too, with these numbers of projected keys"},
      {"linformer-seed", "S", "seed of Linformer's E and F (0)"},
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
