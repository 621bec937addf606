// attnx kernel-error: the error of random features against the number of projections.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/table_file.h"

#include "core/analysis/kernel_error.h"
#include "core/figure/figure_file.h"
#include "core/input/assets.h"
#include "core/input/npy_writer.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <variant>

namespace attention::cli {
namespace {

std::vector<Estimator> curvesFrom(const Arguments& arguments) {
  const std::string maps = arguments.text("features", "trig,positive,hyperbolic");
  const std::string kinds = arguments.text("projection", "iid,orthogonal");
  const Norms norms = normsNamed(arguments.text("norms", "chi"));
  std::vector<Estimator> curves;
  for (const std::string& map : namesFromText("features", maps))
    for (const std::string& kind : namesFromText("projection", kinds)) {
      const ProjectionKind of = projectionNamed(kind);
      // Independent rows are Gaussian whatever the norms of orthogonal ones.
      curves.push_back({featureMapNamed(map), of, of == ProjectionKind::Iid ? Norms::Chi : norms});
    }
  return curves;
}

KernelErrorOptions optionsFrom(const Arguments& arguments) {
  KernelErrorOptions options;
  options.curves = curvesFrom(arguments);
  if (const std::string* text = arguments.find("m"))
    options.projections = integersFromText("m", *text);
  options.repeats = arguments.integer("repeats").value_or(options.repeats);
  options.seed = seedFrom(arguments, "seed");
  options.causal = arguments.on("causal");
  FeatureOptions stabiliser;
  readStabiliser(arguments, stabiliser);
  options.stabilize = stabiliser.stabilize;
  options.eps = stabiliser.eps.value_or(0.0);
  options.pairs = arguments.integer("pairs").value_or(options.pairs);
  options.allEntries = arguments.on("all-entries");
  options.threads = threadsFrom(arguments);
  return options;
}

// The input; --seed is that of the projections too, whatever the input is.
InputSpec specFrom(const Arguments& arguments) {
  static constexpr std::array<std::string_view, 1> kReadHere{"seed"};
  return inputSpecFrom(arguments, kReadHere);
}

// What the repeats were drawn from, with every parameter in force: sigma decides which features win
// (S7.6), so no result is without it.
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
                             const Run& run) {
  const InputSpec spec = specFrom(arguments);
  if (const auto* random = std::get_if<RandomInput>(&spec.source)) {
    RandomInput of = *random;
    of.heads = std::max<Index>(1, options.repeats); // heads are repeats (S7.6)
    checkRandom(of);
    return [of, threads = options.threads, run](Index repeat) {
      const auto draw = [&](Role role) {
        return randomMatrix<double>(of, role, repeat, threads, Run{run.stop, {}});
      };
      return KernelErrorInput{draw(Role::Query), draw(Role::Key), draw(Role::Value)};
    };
  }
  const auto input = loadInput(spec, samplePath, run);
  if (options.causal)
    input->requireSquare();
  options.sameInput = true;
  const HeadMatrices<double> in = matricesOf<double>(*input, input->head, input->batch, run);
  return [in](Index) { return KernelErrorInput{in.q, in.k, in.v}; };
}

// NaN, which JSON has not, is null.
Json numberOrNull(double value) {
  return std::isnan(value) ? Json(nullptr) : jsonNumber(value);
}

Json entriesJson(const EntryErrors& errors) {
  return {{"mse", numberOrNull(errors.mse)},
          {"mean_abs", numberOrNull(errors.meanAbs)},
          {"max_abs", numberOrNull(errors.maxAbs)}};
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
  json["kernel_mse"] = numberOrNull(row.theory);
  json["theorem_2_bound"] = numberOrNull(row.bound);
  return json;
}

Json resultJson(const KernelErrorResult& result, const KernelErrorOptions& options,
                const Json& input) {
  Json json{{"rows", Json::array()}, {"baseline", jsonNumber(result.baseline)}};
  json["theory"] = Json::array();
  for (const KernelErrorRow& row : result.rows) {
    json["rows"].push_back(rowJson(row));
    json["theory"].push_back(theoryJson(row));
  }
  json["input"] = input;
  json["repeats"] = options.repeats;
  json["seed"] = options.seed;
  json["causal"] = options.causal;
  json["stabilize"] = name(options.stabilize);
  json["eps"] = jsonNumber(options.eps);
  json["normalizers"] = result.rowsCompared;
  json["pairs"] = result.pairs;
  return json;
}

void writeTable(const std::string& path, const KernelErrorResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const KernelErrorRow& row : result.rows)
    rows.push_back({std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
                    std::to_string(row.projections), std::to_string(row.features),
                    csvNumber(row.output.mean), csvNumber(row.output.std),
                    csvNumber(row.output.median), csvNumber(row.output.q10),
                    csvNumber(row.output.q25), csvNumber(row.output.q75), csvNumber(row.output.q90),
                    std::to_string(row.negativeRows), std::to_string(row.zeroRows),
                    std::to_string(row.nonFiniteRows), csvNumber(row.kernel.mse),
                    csvNumber(row.theory), csvNumber(row.matrix.mse), csvNumber(result.baseline)});
  writeCsv(path,
           {"features", "projection", "m", "m_features", "mean", "std", "median", "q10", "q25",
            "q75", "q90", "negative_normalizers", "zero_normalizers", "overflow", "kernel_mse",
            "kernel_theory", "matrix_mse", "baseline"},
           rows);
}

// Every repeat's error: [m, curves, repeats].
void writeErrors(const std::string& path, const KernelErrorResult& result,
                 const KernelErrorOptions& options) {
  std::vector<double> errors;
  for (const KernelErrorRow& row : result.rows)
    errors.insert(errors.end(), row.errors.begin(), row.errors.end());
  const std::array shape{static_cast<Index>(options.projections.size()),
                         static_cast<Index>(options.curves.size()), options.repeats};
  writeNpy<double>(path, shape, std::span<const double>(errors));
}

void requireEnding(const std::string& path) {
  const std::string ending = endingOf(path);
  if (ending != ".csv" && ending != ".json" && ending != ".npy")
    throwEnding(path, ".csv, .json and .npy");
}

void write(const std::string& path, const KernelErrorResult& result,
           const KernelErrorOptions& options, const Json& input) {
  const std::string ending = endingOf(path);
  if (ending == ".csv")
    writeTable(path, result);
  else if (ending == ".json")
    writeJson(path, resultJson(result, options, input));
  else
    writeErrors(path, result, options);
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

void printRow(std::ostream& out, const std::vector<std::string>& cells) {
  constexpr std::size_t kWidths[] = {12, 13, 6, 10, 14, 14, 14, 14, 10, 7, 1};
  for (std::size_t c = 0; c < cells.size(); ++c)
    out << padded(cells[c], kWidths[c]);
  out << std::endl; // a line a row, as it comes
}

class Printer {
public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void operator()(const KernelErrorRow& row) {
    if (!headed_)
      printRow(out_, {"features", "projection", "m", "features", "mean", "std", "median",
                      "kernel MSE", "negative", "zero", "overflow"});
    headed_ = true;
    printRow(out_, {std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
                    std::to_string(row.projections), std::to_string(row.features),
                    textNumber(row.output.mean), textNumber(row.output.std),
                    textNumber(row.output.median),
                    std::isnan(row.kernel.mse) ? "-" : textNumber(row.kernel.mse),
                    std::to_string(row.negativeRows), std::to_string(row.zeroRows),
                    std::to_string(row.nonFiniteRows)});
  }

private:
  std::ostream& out_;
  bool headed_ = false;
};

int run(const Arguments& arguments, const Context& context) {
  KernelErrorOptions options = optionsFrom(arguments);
  if (const std::string* path = arguments.find("output"))
    requireEnding(*path);
  const KernelErrorSource source = sourceFrom(arguments, options, context.run);
  const Json input = inputJson(arguments);
  const bool json = arguments.on("json");
  Printer printer(context.out);
  const KernelErrorResult result = kernelError(
      source, options,
      [&](const KernelErrorRow& row) {
        if (!json)
          printer(row);
      },
      context.run);
  if (const std::string* path = arguments.find("output"))
    write(*path, result, options, input);
  if (json)
    print(context.out, resultJson(result, options, input));
  else
    context.out << "baseline (answering zero): " << textNumber(result.baseline)
                << "\ninput: " << inputText(input) << "; " << options.repeats << " repeats\n";
  return 0;
}

} // namespace

Command kernelErrorCommand() {
  Grammar grammar;
  grammar.flags = inputFlags();
  const std::vector<Flag> own{
      {"output", "FILE", ".csv .json, or .npy of every repeat's error (also -o)"},
      {"m", "V,V,…", "numbers of projections (8,16,32,64,128,256)"},
      {"repeats", "R", "draws of the input and of the projections (15)"},
      {"features", "NAME,…", "trig, positive, hyperbolic (all three)"},
      {"projection", "NAME,…", "iid, orthogonal (both)"},
      {"norms", "chi|sqrt_d", "lengths of orthogonal projections (chi)"},
      {"stabilize", "off|reference|robust", "what is subtracted before exp (off)"},
      {"eps", "E", "added to every feature (0)"},
      {"causal", "", "j ≤ i alone"},
      {"pairs", "P", "pairs (i, j) a repeat for the errors of entries (4096)"},
      {"all-entries", "", "all entries instead of pairs"},
      {"threads", "T", "threads; 0 takes all"},
      {"json", "", "one JSON object instead of lines"}};
  grammar.flags.insert(grammar.flags.end(), own.begin(), own.end());
  return {"kernel-error", "INPUT --m 16,32,64 --repeats 15 [-o FILE]",
          "error of random features against the number of projections", grammar, run};
}

} // namespace attention::cli
