// attnx kernel-error: the error of random features against the number of projections.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/picture_flags.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/setting_flags.h"

#include "core/analysis/kernel_error.h"
#include "core/export/figure_file.h"
#include "core/scene/input_data.h"
#include "core/scene/kernels_spec.h"
#include "core/support/error.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/kernels_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

namespace attention::cli {
namespace {

Json entriesJson(const EntryErrors& errors) {
  return {{"mse", jsonNumber(errors.mse)},
          {"mean_abs", jsonNumber(errors.meanAbs)},
          {"max_abs", jsonNumber(errors.maxAbs)}};
}

Json curveJson(const KernelErrorRow& row) {
  return {{"features", name(row.curve.map)},
          {"projection", name(row.curve.projection)},
          {"norms", name(row.curve.norms)},
          {"m", row.projections}};
}

Json rowJson(const KernelErrorRow& row) {
  Json json = curveJson(row);
  json["m_features"] = row.features;
  json["mean"] = jsonNumber(row.output.mean);
  json["std"] = jsonNumber(row.output.std);
  json["median"] = jsonNumber(row.output.median);
  json["quantiles"] = {{"0.1", jsonNumber(row.output.q10)},
                       {"0.25", jsonNumber(row.output.q25)},
                       {"0.75", jsonNumber(row.output.q75)},
                       {"0.9", jsonNumber(row.output.q90)}};
  Json errors = Json::array();
  for (const double error : row.errors)
    errors.push_back(jsonNumber(error));
  json["errors"] = errors;
  json["negative_normalizers"] = row.negativeRows;
  json["zero_normalizers"] = row.zeroRows;
  json["overflow"] = row.nonFiniteRows;
  json["kernel"] = entriesJson(row.kernel);
  json["matrix"] = entriesJson(row.matrix);
  return json;
}

Json theoryJson(const KernelErrorRow& row) {
  Json json = curveJson(row);
  json["kernel_mse"] = jsonNumber(row.theory);
  json["theorem_2_bound"] = jsonNumber(row.bound);
  return json;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

void printRow(std::ostream& out, const std::vector<std::string>& cells) {
  constexpr std::size_t kWidths[] = {12, 13, 6, 10, 14, 14, 14, 14, 10, 7, 1};
  for (std::size_t c = 0; c < cells.size(); ++c)
    out << padded(cells[c], kWidths[c]);
  out << '\n';
}

// `input` says what the repeats were drawn from.
Json json(const KernelErrorResult& result, const KernelErrorOptions& options, const Json& input) {
  Json object{{"rows", Json::array()}, {"baseline", jsonNumber(result.baseline)}};
  object["theory"] = Json::array();
  for (const KernelErrorRow& row : result.rows) {
    object["rows"].push_back(rowJson(row));
    object["theory"].push_back(theoryJson(row));
  }
  object["input"] = input;
  object["repeats"] = options.repeats;
  object["seed"] = options.seed;
  object["causal"] = options.causal;
  object["stabilize"] = name(options.stabilize);
  object["eps"] = jsonNumber(options.eps);
  object["normalizers"] = result.rowsCompared;
  object["pairs"] = result.pairs;
  return object;
}

// A table, the JSON, or every repeat's error [m, curves, repeats]. E_IO.
void write(const std::string& path, const KernelErrorResult& result,
           const KernelErrorOptions& options, const Json& input) {
  const std::string ending = endingOf(path);
  if (ending == ".csv")
    writeCsv(path, errorTable(result));
  else if (ending == ".json")
    writeJson(path, json(result, options, input));
  else
    writeErrorsNpy(result, options, path);
}

// A line per row after a heading, and the baseline.
void printTable(std::ostream& out, const KernelErrorResult& result) {
  printRow(out, {"features", "projection", "m", "features", "mean", "std", "median", "kernel MSE",
                 "negative", "zero", "overflow"});
  for (const KernelErrorRow& row : result.rows)
    printRow(out, {std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
                   std::to_string(row.projections), std::to_string(row.features),
                   textNumber(row.output.mean), textNumber(row.output.std),
                   textNumber(row.output.median),
                   std::isnan(row.kernel.mse) ? "-" : textNumber(row.kernel.mse),
                   std::to_string(row.negativeRows), std::to_string(row.zeroRows),
                   std::to_string(row.nonFiniteRows)});
  out << "baseline (all-zero output): " << textNumber(result.baseline) << '\n';
}

// The command takes more repeats and projections than the view has time for.
const SettingFlags<KernelsSpec>& curveFlags() {
  static const SettingFlags<KernelsSpec> kFlags(
      kernelsSettings(),
      {{.setting = "m", .help = "numbers of projections", .bounds = FlagBounds::Least},
       {.setting = "repeats",
        .help = "draws of the input and of the projections",
        .bounds = FlagBounds::Least},
       {.setting = "causal", .help = "only keys j ≤ i"}});
  return kFlags;
}

std::vector<Estimator> curvesFrom(const Arguments& arguments) {
  const std::string maps = arguments.text("features", "trig,positive,hyperbolic");
  const std::string kinds = arguments.text("projection", "iid,orthogonal");
  const Norms norms = drawFlags().read(arguments).norms;
  std::vector<FeatureMap> named;
  for (const std::string& map : namesFromText("features", maps))
    named.push_back(featureMapNamed(map));
  refuseUnread(arguments, named);
  std::vector<ProjectionKind> drawn;
  for (const std::string& kind : namesFromText("projection", kinds))
    drawn.push_back(projectionNamed(kind));
  refuseUnreadNorms(arguments, drawn);
  std::vector<Estimator> curves;
  for (const FeatureMap map : named)
    for (const ProjectionKind kind : drawn) // iid rows are Gaussian whatever the norms of others
      curves.push_back({map, kind, kind == ProjectionKind::Iid ? Norms::Chi : norms});
  return curves;
}

KernelErrorOptions kernelErrorOptions(const Arguments& arguments) {
  KernelErrorOptions options;
  options.curves = curvesFrom(arguments);
  const KernelsSpec spec = curveFlags().read(arguments);
  options.projections = spec.projections;
  options.repeats = spec.repeats;
  options.causal = spec.causal;
  options.seed = seedFrom(arguments, "seed") + seedFrom(arguments, "redraws");
  FeatureOptions stabiliser;
  readStabiliser(arguments, stabiliser);
  options.stabilize = stabiliser.stabilize;
  options.eps = stabiliser.eps.value_or(0.0);
  options.pairs = arguments.integer("pairs").value_or(options.pairs);
  options.allEntries = arguments.on("all-entries");
  options.threads = threadsFrom(arguments);
  return options;
}

// The input; --seed also seeds the projections, whatever the input.
InputSpec specFrom(const Arguments& arguments) {
  static constexpr std::array<std::string_view, 1> kReadHere{"seed"};
  return inputSpecFrom(arguments, kReadHere);
}

// What the repeats were drawn from, with every parameter, given or default: sigma decides which
// features win (S7.6), so every result states it.
Json inputJson(const Arguments& arguments) {
  const InputSpec spec = specFrom(arguments);
  const auto* random = std::get_if<RandomInput>(&spec.source);
  if (!random)
    return {{"kind", "given"}, {"head", spec.head}, {"batch", spec.batch}};
  Json json{{"kind", "random"},
            {"generator", random->generator},
            {"n", random->n},
            {"d", random->d},
            {"seed", random->seed}};
  for (const GeneratorParameter& parameter : generatorInfo(random->generator).parameters) {
    const GeneratorValues values = parameterValues(*random, parameter.name);
    if (values.size() == 1)
      json[std::string(parameter.name)] = jsonNumber(values.front());
    else
      json[std::string(parameter.name)] = values;
  }
  if (const auto scale = withScoreFlags(arguments, Input()).modifiers.scale)
    json["scale"] = jsonNumber(*scale);
  return json;
}

// "random, gaussian, n 4096, d 16, seed 0, sigma 1".
std::string inputText(const Json& json) {
  std::string text;
  for (const auto& [name, value] : json.items()) {
    const bool word = value.is_string();
    text += (text.empty() ? "" : ", ") + (word ? std::string() : name + " ") +
            (word ? value.get<std::string>() : value.dump());
  }
  return text;
}

// Repeats are fresh draws of a random input, or fresh projections of one that is given.
KernelErrorSource sourceFrom(const Arguments& arguments, KernelErrorOptions& options,
                             const Context& context) {
  const Run& run = context.run;
  const InputSpec spec = specFrom(arguments);
  if (const auto* random = std::get_if<RandomInput>(&spec.source)) {
    refuse(arguments, {"tokens"}, "with a random input, which has no tokens");
    for (const char* flag : {"heads", "batch", "head-index"})
      if (arguments.has(flag))
        context.notes << "attnx: note: every repeat draws one head; --" << flag << " is not used\n";
    RandomInput of = *random;
    of.heads = std::max<Index>(1, options.repeats); // heads are repeats (S7.6)
    checkRandom(of);
    Input scores; // how those of every draw are made
    scores.d = of.d;
    scores = withScoreFlags(arguments, std::move(scores));
    requirePlainScores(scores);
    const auto drawAll = [of, scores, threads = options.threads, run](Index repeat) {
      const auto draw = [&](Role role) {
        return randomMatrix<double>(of, role, repeat, threads, run.quiet());
      };
      KernelErrorInput in{draw(Role::Query), draw(Role::Key), draw(Role::Value)};
      takeScale(in, scores);
      return in;
    };
    return {of.n, of.keyCount(), of.d, of.d, drawAll};
  }
  const auto input = loadedInput(spec, arguments, run);
  sayNotes(arguments, *input, context.notes);
  sayOneHead(arguments, *input, context.notes);
  if (options.causal)
    input->requireSquare();
  options.sameInput = true;
  requireValuesForOutputs(*input);
  requirePlainScores(*input);
  HeadMatrices<double> in = matricesOf<double>(*input, input->head, input->batch, run);
  takeScale(in, *input);
  return givenSource({std::move(in.q), std::move(in.k), std::move(in.v)});
}

// "trig iid m 8".
std::string rowName(const KernelErrorRow& row) {
  return std::string(name(row.curve.map)) + " " + std::string(name(row.curve.projection)) + " m " +
         std::to_string(row.projections);
}

// A mean over repeats of which one is infinite says nothing; nothing is written of such results.
void requireFinite(const KernelErrorResult& result) {
  std::vector<std::string> rows;
  for (const KernelErrorRow& row : result.rows)
    if (!std::isfinite(row.output.mean))
      rows.push_back(rowName(row));
  if (rows.empty())
    return;
  const bool all = rows.size() == result.rows.size() && rows.size() > 1;
  const std::string where = all ? "all " + std::to_string(rows.size()) + " rows"
                                : (rows.size() == 1 ? "row " : "rows ") + someOf(rows);
  throw Error(ErrorCode::NonFinite, "out",
              "the mean squared error is not finite in " + where +
                  "; it must be finite (smaller queries, keys and values, "
                  "--stabilize robust, or other features)");
}

int runKernelError(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 8> kEndings{".csv", ".json", ".npy", ".png",
                                                            ".svg", ".pdf",  ".tex", ".html"};
  KernelErrorOptions options = kernelErrorOptions(arguments);
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  requirePictureFlags(arguments, path);
  const KernelErrorSource source = sourceFrom(arguments, options, context);
  const Json input = inputJson(arguments);
  const KernelErrorResult result = kernelError(source, options, {}, context.run);
  requireFinite(result);
  if (isPictureEnding(path)) {
    const PictureOptions how = pictureFrom(arguments);
    writeFigure(kernelErrorFigure(result, options, {inputText(input), how.theme}), path, how.file,
                context.run);
  }
  if (!path.empty() && !isPictureEnding(path))
    write(path, result, options, input);
  if (arguments.on("json")) {
    print(context.out, json(result, options, input));
    return 0;
  }
  printTable(context.out, result);
  context.out << "input: " << inputText(input) << "; " << options.repeats << " repeats\n";
  return 0;
}

} // namespace

Command kernelErrorCommand() {
  Grammar grammar;
  grammar.flags = queryKeyFlags();
  grammar.add(curveFlags().flags());
  grammar.add(drawFlags().flags());
  grammar.add({{"output", "FILE",
                ".csv .json, .npy of every repeat's error, or the curves: .png .svg .pdf .tex "
                ".html (also -o)"},
               {"redraws", "R", "how often projections are redrawn: R is added to their seed (0)"},
               {"features",
                "NAME,…",
                "trig, positive, hyperbolic (all three)",
                {"trig", "positive", "hyperbolic"}},
               {"projection", "NAME,…", "iid, orthogonal (both)", {"iid", "orthogonal"}},
               {"pairs", "P", "pairs (i, j) per repeat for the errors of entries (4096)"},
               {"all-entries", "", "all entries instead of pairs"},
               sizeFlag("pixels of a picture"),
               {"standalone", "", "a .tex that is a complete document"},
               themeFlag(),
               svgWordsFlag(),
               {"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  grammar.add(scoreFlags());
  for (Flag& flag : grammar.flags)
    if (flag.name == "repeats")
      flag.inCore = "heads"; // which repeats of a random input are
  return {"kernel-error", "INPUT --m 16,32,64 --repeats 15 [-o FILE]",
          "error of random features against the number of projections", grammar, runKernelError};
}

} // namespace attention::cli
