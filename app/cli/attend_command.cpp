// attnx attend: attention outputs over a pattern on an input, and how much of dense attention they
// keep.
#include "app/cli/arguments.h"
#include "app/cli/attend_run.h"
#include "app/cli/commands.h"
#include "app/cli/input_flags.h"
#include "app/cli/masks.h"
#include "app/cli/one_head.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"

#include "core/input/npy_writer.h"
#include "core/pattern/heads.h"
#include "core/pattern/pattern.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <array>
#include <ostream>

namespace attention::cli {
namespace {

// One pattern for each attended batch and head, with the masks of that plane.
PreparedHeads masksOfPlanes(const Pattern& pattern, const Input& input,
                            const HeadSelection& selection, const Lengths& lengths,
                            const Run& run) {
  PreparedHeads planes(static_cast<std::size_t>(input.batches * input.heads));
  for (Index p = 0; p < selection.planes(); ++p) {
    const Index batch = selection.batch(p);
    const Index head = selection.head(p);
    const Pattern own = withMasksOf(pattern, {batch, head}, input, run);
    planes[static_cast<std::size_t>(batch * input.heads + head)] =
        prepare(resolveFiles(own, {}, run), lengths, stepOf(run, p, selection.planes()));
  }
  return planes;
}

// The patterns of the input's heads: one for all, or the mechanism's own heads (S4.17).
PreparedHeads patternsFor(const Arguments& arguments, const Input& input, const Run& run) {
  const Lengths lengths = lengthsOfInput(arguments, input);
  const Pattern& pattern = arguments.patterns().front();
  const HeadSelection selection = selectionFrom(arguments, input);
  if (hasMasksOfPlanes(pattern, run))
    return masksOfPlanes(pattern, input, selection, lengths, run);
  const std::optional<HeadOptions> options = headsOver(arguments, input);
  if (!options)
    return {prepare(pattern, lengths, run)};
  PreparedHeads heads;
  for (const Pattern& head : headPatterns(pattern, *options, lengths.keys))
    heads.push_back(prepare(head, lengths, run));
  return heads;
}

// Whatever --no-metrics leaves out is null.
Json reportJson(const AttendReport& report, const std::string& dtype, int threads) {
  Json json{{"captured_mass", nullptr},
            {"base", nullptr},
            {"output_error", nullptr},
            {"entropy", nullptr},
            {"empty_rows", report.emptyRows},
            {"seconds", report.seconds},
            {"threads", threads},
            {"dtype", dtype}};
  if (const auto& metrics = report.metrics) {
    json["captured_mass"] = jsonNumber(metrics->capturedMass);
    if (metrics->massOfAll)
      json["mass"] = jsonNumber(*metrics->massOfAll);
    json["base"] = name(metrics->base);
    json["output_error"] = errorJson(metrics->error);
    json["entropy"] = jsonNumber(metrics->entropy);
  }
  return json;
}

void printReport(std::ostream& out, const AttendReport& report) {
  Lines lines;
  if (const auto& metrics = report.metrics) {
    const std::string base = " (of " + wordOf(metrics->base) + " attention)";
    lines = {{"captured mass", textNumber(metrics->capturedMass) + base}};
    if (metrics->massOfAll)
      lines.emplace_back("captured mass, with sink", textNumber(*metrics->massOfAll));
    if (const auto& error = metrics->error)
      lines.emplace_back("output error", errorText(*error) + base);
    lines.emplace_back("row entropy, mean", textNumber(metrics->entropy) + " nats");
  }
  lines.emplace_back("empty rows", std::to_string(report.emptyRows.size()));
  lines.emplace_back("seconds", textNumber(report.seconds));
  print(out, lines);
}

// Results that need queries and keys, or values.
void requireWhatIsAsked(const Arguments& arguments, const Input& input) {
  if (input.hasQkv()) {
    if (arguments.has("output"))
      requireValuesForOutputs(input);
    return;
  }
  if (needsData(arguments.patterns().front()))
    throw Error(ErrorCode::Unsupported, "input",
                "input has attention weights without queries and keys; the pattern chooses keys by "
                "both, so it must have them");
  if (arguments.has("output") && !input.hasValues())
    throw input.valuesProblem
        ? *input.valuesProblem
        : Error(ErrorCode::Unsupported, "v",
                "v is missing; outputs of ready attention weights need values: an array v in the "
                "file of --input, or --v FILE (without outputs, --weights F or --json)");
  if (arguments.has("lse"))
    throw Error(ErrorCode::Unsupported, "lse",
                "lse is given with ready attention weights; it must be left out, since these have "
                "no scores");
}

template <class T>
AttendReport attendTo(const Arguments& arguments, const Input& input, const Context& context) {
  AttendJob<T> job{input, selectionFrom(arguments, input), {}, {}, partOf(context.run, 0.1, 1)};
  const Run preparing = partOf(context.run, 0.05, 0.1);
  if (needsData(arguments.patterns().front())) {
    job.fromData = withOneMask(arguments, input, job.heads, preparing).patterns().front();
    job.lengths = judgeLengths(std::span(&*job.fromData, 1)) ? lengthsOfInput(arguments, input)
                                                             : squareLengths(input.keys);
    job.align = alignOf(arguments, input.queries, input.keys).value_or(Align::TopLeft);
  } else
    job.patterns = patternsFor(arguments, input, preparing);
  job.threads = threadsFrom(arguments);
  job.base = baseFrom(arguments);
  job.metrics = !arguments.on("no-metrics");
  job.weights = arguments.text("weights");
  if (!job.weights.empty())
    weightsShape(job); // refuses what is too large before the work
  const AttendResult<T> result = runAttend(job);
  const auto write = [&](const char* flag, std::span<const Index> shape,
                         const std::vector<T>& values) {
    if (const std::string* path = arguments.find(flag))
      writeNpy<T>(*path, shape, std::span<const T>(values));
  };
  write("output", result.outShape, result.out);
  write("lse", result.lseShape, result.lse);
  return result.report;
}

int runAttend(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 3> kOutputs{"output", "lse", "weights"};
  const std::string dtype = arguments.text("dtype", "float32");
  const int threads = resolvedThreads(threadsFrom(arguments));
  requireArrayOutputs(arguments, kOutputs);
  const auto input = inputFrom(arguments, context.part(0, 0.05));
  requireWhatIsAsked(arguments, *input);
  const AttendReport report = dtype == "float64" ? attendTo<double>(arguments, *input, context)
                                                 : attendTo<float>(arguments, *input, context);
  if (arguments.on("json"))
    print(context.out, reportJson(report, dtype, threads));
  else
    printReport(context.out, report);
  return 0;
}

} // namespace

Command attendCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.patternFirst = false; // --k and --seed belong to the input
  grammar.flags = inputFlags();
  grammar.add({{"output", "out.npy", "outputs, of the input's shape (also -o)"},
               {"lse", "FILE", "log-sum-exp of every row, .npy"},
               {"weights", "FILE", "attention weights, .npy"},
               {"dtype", "float32|float64", "precision of the computation (float32)"},
               {"no-metrics", "", "only the outputs, without the comparison with dense attention"},
               {"align", "top-left|bottom-right",
                "which token query i acts as, where queries and keys differ in number"},
               {"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  grammar.add(sharedHeadFlags());
  grammar.add(scoreFlags());
  grammar.flags.push_back(baseFlag());
  return {"attend", "PATTERN INPUT -o out.npy", "attention outputs over a pattern, and metrics",
          grammar, runAttend};
}

} // namespace attention::cli
