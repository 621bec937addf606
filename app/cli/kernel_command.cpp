// attnx kernel: attention by a general kernel, or by random features in linear time.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/input_flags.h"
#include "app/cli/kernel_run.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/setting_flags.h"

#include "core/input/npy_writer.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace attention::cli {
namespace {

constexpr Index kErrorPairs = Index{1} << 28; // softmax attention is the default up to these

const SettingFlags<KernelsSpec>& estimateFlags() {
  static const SettingFlags<KernelsSpec> kFlags(
      kernelsSettings(),
      {{.setting = "projection"}, {.setting = "causal", .help = "only keys j ≤ i"}});
  return kFlags;
}

Projection projectionFrom(const Arguments& arguments, Index d) {
  return {estimateFlags().read(arguments).projection, drawFlags().read(arguments).norms,
          arguments.integer("m").value_or(defaultProjections(d)), d,
          seedFrom(arguments, "projection-seed")};
}

void readFeatures(const Arguments& arguments, const Input& input, KernelRunMethod& method) {
  FeatureOptions& options = method.features.emplace();
  options.map = featureMapNamed(arguments.text("features"));
  readStabiliser(arguments, options);
  if (!arguments.patterns().empty())
    throw Error(ErrorCode::Unsupported, "over",
                "a pattern is given with --features; random features attend to all keys or, with "
                "--causal, to j ≤ i; a pattern needs --kernel");
  refuseUnread(arguments, {&options.map, 1});
  if (!takesProjections(options.map))
    return;
  if (const std::string* path = arguments.find("w")) {
    refuse(arguments, kProjectionFlags, "with --w, which gives the projections");
    method.w = onlyMatrix("w", *path, "v × d");
    return;
  }
  const Projection projection = projectionFrom(arguments, input.d);
  refuseUnreadNorms(arguments, {&projection.kind, 1});
  method.w = drawProjection(projection);
}

// The patterns of --over: one for all planes, or one each where it depends on their data.
std::vector<std::shared_ptr<const Prepared>> preparedOver(const Arguments& arguments,
                                                          const Input& input,
                                                          const Lengths& lengths, const Run& run) {
  const HeadSelection heads = selectionFrom(arguments, input);
  const Pattern pattern = withOneMask(arguments, input, heads, run).patterns().front();
  if (!needsData(pattern))
    return {prepare(pattern, lengths, run)};
  std::vector<std::shared_ptr<const Prepared>> patterns;
  for (Index p = 0; p < heads.planes(); ++p)
    patterns.push_back(prepare(
        pattern, lengths, inputData(input, heads.batch(p), heads.head(p), input.keys, run), run));
  return patterns;
}

// The patterns of a kernel: --over, else full or causal.
std::vector<std::shared_ptr<const Prepared>>
patternsFrom(const Arguments& arguments, const Input& input, bool causal, const Run& run) {
  if (arguments.patterns().size() > 1)
    throw Error(ErrorCode::Type, "over", "several patterns are given; give one");
  if (causal && !arguments.patterns().empty())
    throw Error(ErrorCode::Type, "causal",
                "--causal and a pattern are given; give only one of them");
  if (causal || !arguments.patterns().empty())
    input.requireSquare();
  const Lengths lengths = input.queries == input.keys
                              ? squareLengths(input.keys)
                              : alignedLengths(input.queries, input.keys, Align::TopLeft);
  if (!arguments.patterns().empty())
    return preparedOver(arguments, input, lengths, run);
  return {baseOf(causal ? Base::Causal : Base::Full, lengths)};
}

KernelRunMethod methodFrom(const Arguments& arguments, const Input& input, const Run& run) {
  KernelRunMethod method;
  const bool features = arguments.has("features");
  if (features == arguments.has("kernel"))
    throw Error(ErrorCode::Type, "features",
                std::string(features ? "--features and --kernel are both given"
                                     : "neither --features nor --kernel is given") +
                    "; give exactly one of them");
  method.causal = estimateFlags().read(arguments).causal;
  method.normalized = arguments.on("normalized", true);
  method.threads = threadsFrom(arguments);
  if (features) {
    readFeatures(arguments, input, method);
    if (method.causal)
      input.requireSquare();
    return method;
  }
  const std::string because = "with --kernel; it belongs to --features";
  refuse(arguments, kProjectionFlags, because);
  refuse(arguments, {"w", "stabilize", "eps"}, because);
  method.kernel = kernelNamed(arguments.text("kernel"));
  method.patterns = patternsFrom(arguments, input, method.causal, run);
  if (!arguments.patterns().empty())
    method.causal =
        std::all_of(method.patterns.begin(), method.patterns.end(), [&](const auto& pattern) {
          return meaningfulBase(pattern, run) == Base::Causal;
        });
  return method;
}

Json methodJson(const Arguments& arguments, const KernelRunMethod& method, const Input& input) {
  Json json;
  if (!method.features) {
    json["kernel"] = name(method.kernel);
    if (!arguments.patterns().empty())
      json["pattern"] = shortText(arguments.patterns().front());
    return json;
  }
  json["features"] = name(method.features->map);
  if (method.w.rows() > 0)
    json["m"] = method.w.rows();
  json["m_features"] = featureCount(method.features->map, method.w.rows(), input.d);
  if (method.w.rows() > 0 && !arguments.has("w")) {
    const Projection projection = projectionFrom(arguments, input.d);
    json["projection"] = name(projection.kind);
    json["norms"] = name(projection.norms);
    json["projection_seed"] = projection.seed;
  }
  json["stabilize"] = name(method.features->stabilize);
  json["eps"] = jsonNumber(method.features->currentEps());
  return json;
}

template <class T>
Json resultJson(const KernelRunMethod& method, const KernelRunResult<T>& result) {
  Json json{{"normalized", method.normalized}, {"base", method.causal ? "causal" : "full"}};
  json["output_error"] = errorJson(result.error);
  if (result.flagged.size() == 1)
    json["flagged"] = result.flagged.front();
  else
    json["flagged"] = result.flagged; // one list per head
  json["zero_normalizers"] = result.zeroRows;
  json["negative_normalizers"] = result.negativeRows;
  json["non_finite_rows"] = result.nonFiniteRows;
  json["seconds"] = result.seconds;
  return json;
}

std::string plain(const Json& json) {
  if (json.is_string())
    return json.get<std::string>();
  return json.is_number_float() ? textNumber(json.get<double>()) : json.dump();
}

std::string someRows(const std::vector<Index>& rows) {
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const Index row : rows)
    texts.push_back(std::to_string(row));
  return someOf(texts);
}

// One line of flagged rows, or one per head where there are several.
void addFlagged(Lines& lines, const Json& flagged) {
  const bool heads = !flagged.empty() && flagged.front().is_array();
  for (std::size_t h = 0; h < (heads ? flagged.size() : 1); ++h) {
    const Json& rows = heads ? flagged[h] : flagged;
    if (!rows.empty())
      lines.emplace_back("flagged rows" + (heads ? " of head " + std::to_string(h) : std::string()),
                         someRows(rows.get<std::vector<Index>>()));
  }
}

std::string softmaxErrorText(const Json& error, const std::string& base) {
  const std::string of = " (of " + base + " softmax attention)";
  if (error["max_abs"].is_null())
    return "none, since outputs are not finite" + of;
  const bool zero = error["relative_frobenius"].is_null(); // infinite
  return (zero ? "relative to an exact output of zero"
               : plain(error["relative_frobenius"]) + " relative") +
         ", " + plain(error["max_abs"]) + " largest" + of;
}

void printLines(std::ostream& out, const Json& json) {
  Lines lines;
  for (const auto& [name, value] : json.items()) {
    if (name == "output_error" && !value.is_null())
      lines.emplace_back("output error", softmaxErrorText(value, json["base"].get<std::string>()));
    else if (name == "flagged")
      addFlagged(lines, value);
    else if (name != "output_error" && name != "base") {
      std::string words = name;
      std::replace(words.begin(), words.end(), '_', ' ');
      lines.emplace_back(words, plain(value));
    }
  }
  print(out, lines);
}

// " of batch 1, head 3", as far as the input has several of them.
std::string planeText(const Input& input, const HeadSelection& heads, Index plane) {
  const bool batches = input.batches > 1;
  std::string text;
  if (batches)
    text += " of batch " + std::to_string(heads.batch(plane));
  if (input.heads > 1)
    text += (batches ? ", head " : " of head ") + std::to_string(heads.head(plane));
  return text;
}

// Nothing is written of outputs that are not finite.
void requireFinite(const std::vector<std::vector<Index>>& notFinite, const Input& input,
                   const HeadSelection& heads) {
  for (std::size_t h = 0; h < notFinite.size(); ++h)
    if (!notFinite[h].empty())
      throw Error(ErrorCode::NonFinite, "out",
                  "the output is not finite in " +
                      std::string(notFinite[h].size() == 1 ? "row " : "rows ") +
                      someRows(notFinite[h]) + planeText(input, heads, static_cast<Index>(h)) +
                      "; it must be finite numbers (smaller queries and keys, or float64)");
}

template <class T>
Json compute(const Arguments& arguments, const KernelRunMethod& method, const Input& input,
             const Context& context) {
  const HeadSelection heads = selectionFrom(arguments, input);
  const bool error = arguments.on("error", method.normalized && input.hasValues() &&
                                               input.queries * input.keys <= kErrorPairs);
  if (error && !method.normalized)
    throwRange("error", "true", "false where the output is not normalised");
  const KernelRunResult<T> result = runKernel<T>(method, input, heads, error, context.run);
  requireFinite(result.notFinite, input, heads);
  if (const std::string* path = arguments.find("output"))
    writeNpy<T>(*path, result.shape, std::span<const T>(result.out));
  if (const std::string* path = arguments.find("weights"))
    writeImplied<T>(method, input, heads, *path, context.run);
  return resultJson(method, result);
}

int runKernel(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kOutputs{"output", "weights"};
  const std::string dtype = dtypeFrom(arguments);
  requireArrayOutputs(arguments, kOutputs);
  const auto input = inputFrom(arguments, context);
  if (arguments.has("output") || arguments.on("error") || !arguments.has("weights"))
    requireValuesForOutputs(*input);
  requirePlainScores(*input);
  const KernelRunMethod method = methodFrom(arguments, *input, context.run);
  Json json = methodJson(arguments, method, *input);
  json.update(dtype == "float64" ? compute<double>(arguments, method, *input, context)
                                 : compute<float>(arguments, method, *input, context));
  json["threads"] = resolvedThreads(method.threads);
  json["dtype"] = dtype;
  if (arguments.on("json"))
    print(context.out, json);
  else
    printLines(context.out, json);
  return 0;
}

} // namespace

Command kernelCommand() {
  Grammar grammar;
  grammar.patternFirst = false; // --k and --seed belong to the input
  grammar.morePatterns = "over";
  grammar.flags = queryKeyFlags();
  grammar.add(
      {{"output", "out.npy", "outputs, of the input's shape (also -o)"},
       {"features", "NAME", "trig, gaussian_trig, positive, hyperbolic, relu or elu1",
        wordsOf(featureMapNames())},
       {"kernel", "NAME", "softmax, gaussian, elu1 or relu", wordsOf(kernelNames())},
       {"normalized", "true|false", "D⁻¹ A V, or A V (true)"},
       {"over", "PATTERN", "with --kernel: only over the keys of this pattern; its flags follow"},
       {"m", "V", "projections (⌈d ln d⌉)"},
       {"projection-seed", "S", "seed of the projections (0); S + 1 redraws them"},
       {"w", "FILE", "projections, .npy, v × d"}});
  grammar.add(estimateFlags().flags());
  grammar.add(drawFlags().flags());
  grammar.add({{"weights", "FILE", "the implied n × n matrix, .npy"},
               {"error", "true|false", "compare with softmax attention (true up to 2^28 pairs)"},
               {"dtype", "float32|float64", "precision of the computation (float32)"},
               {"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  grammar.add(scoreFlags());
  return {"kernel", "--features NAME | --kernel NAME INPUT -o out.npy",
          "attention by a kernel, or by random features in linear time", grammar, runKernel};
}

} // namespace attention::cli
