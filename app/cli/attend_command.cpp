// attnx attend: attention outputs over a pattern on an input, and how much of dense attention they
// keep.
#include "app/cli/attend_run.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/report.h"

#include "core/input/npy_writer.h"
#include "core/pattern/heads.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <chrono>
#include <ostream>

namespace attention::cli {
namespace {

// The patterns of the input's heads: one for all, or the mechanism's own heads (S4.17).
PreparedHeads patternsFor(const Arguments& arguments, const Input& input, const Run& run) {
  const bool square = input.queries == input.keys && !arguments.has("align");
  if (!square && !arguments.has("align"))
    throw Error(ErrorCode::Shape, "align",
                "the input has " + std::to_string(input.queries) + " queries and " +
                    std::to_string(input.keys) +
                    " keys; different lengths need --align top-left or bottom-right");
  const Lengths lengths = square ? squareLengths(input.queries)
                                 : alignedLengths(input.queries, input.keys, alignFrom(arguments));
  const Pattern pattern = resolveFiles(arguments.patterns().front());
  if (!hasHeadFlags(arguments))
    return {prepare(pattern, lengths, run)};
  HeadOptions options = headsFrom(arguments);
  options.heads = input.heads;
  PreparedHeads heads;
  for (const Pattern& head : headPatterns(pattern, options, lengths.keys))
    heads.push_back(prepare(head, lengths, run));
  return heads;
}

Json reportJson(const AttendReport& report, const std::string& dtype, int threads) {
  return {{"captured_mass", jsonNumber(report.capturedMass)},
          {"base", report.base},
          {"output_error",
           {{"relative_frobenius", jsonNumber(report.error.relativeFrobenius)},
            {"max_abs", jsonNumber(report.error.maxAbs)}}},
          {"entropy", jsonNumber(report.entropy)},
          {"empty_rows", report.emptyRows},
          {"seconds", report.seconds},
          {"threads", threads},
          {"dtype", dtype}};
}

void printReport(std::ostream& out, const AttendReport& report) {
  const std::string base = " (of " + report.base + " attention)";
  print(out, Lines{{"captured mass", textNumber(report.capturedMass) + base},
                   {"output error", textNumber(report.error.relativeFrobenius) + " relative, " +
                                        textNumber(report.error.maxAbs) + " largest" + base},
                   {"row entropy, mean", textNumber(report.entropy) + " nats"},
                   {"empty rows", std::to_string(report.emptyRows.size())},
                   {"seconds", textNumber(report.seconds)}});
}

template <class T>
AttendReport attendTo(const Arguments& arguments, const Input& input, const Context& context) {
  AttendJob<T> job{input, {}, {}, context.run};
  if (needsData(arguments.patterns().front()))
    job.fromData = resolveFiles(arguments.patterns().front());
  else
    job.patterns = patternsFor(arguments, input, context.run);
  job.options.scale = arguments.real("scale");
  if (!job.options.scale)
    job.options.scale = input.scale;
  job.options.threads = threadsFrom(arguments);
  if (arguments.has("head-index"))
    job.head = input.head;
  if (arguments.has("batch"))
    job.batch = input.batch;
  const AttendResult<T> result = runAttend(job);
  const auto write = [&](const char* flag, std::span<const Index> shape,
                         const std::vector<T>& values) {
    if (const std::string* path = arguments.find(flag))
      writeNpy<T>(*path, shape, std::span<const T>(values));
  };
  write("output", result.outShape, result.out);
  write("lse", result.lseShape, result.lse);
  if (const std::string* path = arguments.find("weights"))
    writeWeights(job, result, *path);
  return result.report;
}

int run(const Arguments& arguments, const Context& context) {
  const std::string dtype = arguments.text("dtype", "float32");
  if (dtype != "float32" && dtype != "float64")
    throwRange("dtype", dtype, "float32 or float64");
  if (!arguments.has("output") && !arguments.on("json"))
    throw Error(ErrorCode::Type, "output", "-o is missing; allowed is -o out.npy (or --json)");
  const auto input = inputFrom(arguments, context.run);
  const AttendReport report = dtype == "float64" ? attendTo<double>(arguments, *input, context)
                                                 : attendTo<float>(arguments, *input, context);
  const int threads = resolvedThreads(threadsFrom(arguments));
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
  grammar.patternFirst = false; // --k and --seed are the input's
  grammar.flags = inputFlags();
  const std::vector<Flag> own{
      {"output", "out.npy", "outputs, of the input's shape (also -o)"},
      {"lse", "FILE", "log-sum-exp of every row, .npy"},
      {"weights", "FILE", "attention weights, .npy"},
      {"scale", "X", "multiplier of q·k (1/√d, or what the file states)"},
      {"dtype", "float32|float64", "precision of the computation (float32)"},
      {"align", "top-left|bottom-right", "where queries and keys differ in number"},
      {"head-mode", "merged|alternate", "the mechanism's own heads over the input's"},
      {"num-subblocks", "K", "fixed: distinct sub-blocks over the heads"},
      {"dilations", "R,R,…", "longformer: the dilation of each head"},
      {"threads", "T", "threads; 0 takes all"},
      {"json", "", "one JSON object instead of lines"}};
  grammar.flags.insert(grammar.flags.end(), own.begin(), own.end());
  return {"attend", "PATTERN INPUT -o out.npy", "attention outputs over a pattern, and metrics",
          grammar, run};
}

} // namespace attention::cli
