// attnx lsh: what hashing decides on an input (S6): buckets, order, margins, and how much of dense
// attention its rounds keep.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/setting_flags.h"
#include "core/pattern/mechanism/lsh.h"

#include "core/analysis/metrics.h"
#include "core/analysis/score/recall.h"
#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/pattern/mechanism/lsh_rounds.h"
#include "core/scene/choosing_spec.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/choosing/hashed_tokens.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace attention::cli {
namespace {

// Everything reported about one model head.
struct Hashing {
  HashedTokens tokens; // with the base that --base names, if it does
  LshRounds hashed;
  CapturedMass mass;
  std::vector<double> roundMass; // captured by the pairs of each round
  double recall = 0;
  Index recallKeys = 0;
  std::optional<OutputError> error; // where there are values
  Attention<double> result;
};

// What each round shows of the pattern, as in the window.
void addRounds(Hashing& h, MatrixView<const double> x, const AttendOptions& options,
               const Run& run) {
  const Prepared& pattern = *h.tokens.prepared;
  const auto parts = pattern.parts();
  for (std::size_t r = 0; r < parts.size(); ++r) {
    const Run step = stepOf(run, static_cast<Index>(r), std::ssize(parts));
    const auto round = std::make_shared<const Prepared>(pattern.lengths(), std::vector{parts[r]},
                                                        pattern.outputs(), Parts::Disjoint);
    h.roundMass.push_back(capturedMass(round, x, x, h.tokens.base, options, step).mean);
  }
}

const SettingFlags<ChoosingSpec>& recallFlag() {
  static const SettingFlags<ChoosingSpec> kFlags(
      choosingSettings(),
      {{.setting = "recall_keys",
        .help = "recall over the R closest keys, without the query's own unless self=allow",
        .bounds = FlagBounds::Least}});
  return kFlags;
}

Hashing hashingOf(const Arguments& arguments, const std::shared_ptr<const Input>& given,
                  const Run& run) {
  const Input& input = *given;
  Hashing h;
  h.recallKeys = recallFlag().read(arguments).recallKeys;
  const Pattern& pattern = arguments.patterns().front();
  check(pattern, squareLengths(input.keys));
  h.tokens =
      hashedTokens({pattern, input.keys}, {given, input.batch, input.head}, partOf(run, 0, 0.2));
  const auto& prepared = h.tokens.prepared;
  const Base& base = h.tokens.base = baseFrom(arguments).value_or(h.tokens.base);
  const PatternData& data = h.tokens.data;
  h.hashed = lshRounds(*pattern.as<Lsh>(), prepared->lengths(), data, run.quiet());
  const MatrixView<const double> x = data.q->view();
  const Matrix<double> v = valuesIfAny<double>(input, input.batch, input.head, run.quiet());
  const AttendOptions options = attendOptions(input, input.head, threadsFrom(arguments));
  h.result = attend(*prepared, x, x, v.view(), options, partOf(run, 0.2, 0.3));
  if (input.hasValues())
    h.error = outputError(
        h.result.out,
        attend(*baseOf(base, *prepared), x, x, v.view(), options, partOf(run, 0.3, 0.5)).out);
  h.mass = capturedMass(prepared, x, x, base, options, partOf(run, 0.5, 0.6));
  addRounds(h, x, options, partOf(run, 0.6, 0.9));
  // Hashing compares the queries with keys made from them, each with all others, and with itself
  // only if allowed.
  const auto closest =
      largestKeys({data.q, data.q}, prepared->outputs().keys, base, h.recallKeys,
                  {scoringOf(options, input.d, prepared->lengths()), leavesOwnKeyOut(pattern)},
                  partOf(run, 0.9, 0.95));
  h.recall = recallOf(*prepared, *closest, options.threads, partOf(run, 0.95, 1));
  return h;
}

double leastMargin(const LshRound& round) {
  return *std::min_element(round.margin.begin(), round.margin.end());
}

Json reportJson(const Hashing& h) {
  Json json{{"n", h.tokens.n()},
            {"n_buckets", h.hashed.buckets},
            {"n_rounds", h.hashed.rounds.size()},
            {"chunk", h.hashed.chunk},
            {"pairs", h.tokens.pairs},
            {"base", name(h.tokens.base)},
            {"captured_mass", jsonNumber(h.mass.mean)},
            {"recall", jsonNumber(h.recall)},
            {"recall_keys", h.recallKeys},
            {"output_error", errorJson(h.error)},
            {"empty_rows", h.result.emptyRows},
            {"buckets", Json::array()},
            {"order", Json::array()},
            {"margins", Json::array()},
            {"rounds", Json::array()}};
  if (h.mass.meanOfAll)
    json["mass"] = jsonNumber(*h.mass.meanOfAll);
  for (std::size_t r = 0; r < h.hashed.rounds.size(); ++r) {
    const LshRound& round = h.hashed.rounds[r];
    json["buckets"].push_back(round.bucket);
    json["order"].push_back(round.order);
    json["margins"].push_back(round.margin);
    json["rounds"].push_back({{"captured_mass", jsonNumber(h.roundMass[r])},
                              {"pairs", h.tokens.partPairs[r]},
                              {"least_margin", jsonNumber(leastMargin(round))}});
  }
  return json;
}

void printReport(std::ostream& out, const Hashing& h) {
  const std::string base = " (of " + wordOf(h.tokens.base) + " attention)";
  Lines lines{
      {"buckets, chunk", std::to_string(h.hashed.buckets) + ", " + std::to_string(h.hashed.chunk)},
      {"pairs", std::to_string(h.tokens.pairs)},
      {"captured mass", textNumber(h.mass.mean) + base},
      {"recall of the " + std::to_string(h.recallKeys) +
           (leavesOwnKeyOut(h.tokens.pattern) ? " closest others" : " closest"),
       textNumber(h.recall)}};
  if (h.mass.meanOfAll)
    lines.emplace_back("captured mass, with sink", textNumber(*h.mass.meanOfAll));
  if (h.error)
    lines.emplace_back("output error", errorText(*h.error) + base);
  for (std::size_t r = 0; r < h.hashed.rounds.size(); ++r)
    lines.emplace_back("round " + std::to_string(r),
                       "captured mass " + textNumber(h.roundMass[r]) + ", " +
                           countText(h.tokens.partPairs[r], "pair") + ", least margin " +
                           textNumber(leastMargin(h.hashed.rounds[r])));
  print(out, lines);
}

void writeTo(const std::string& path, const Hashing& h) {
  if (endingOf(path) == ".json") {
    const std::string text = reportJson(h).dump() + "\n";
    replaceFile(path, [&](std::ostream& to) { to << text; });
    return;
  }
  writeNpy<double>(path, h.result.out);
}

int runLsh(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kEndings{".npy", ".json"};
  threadsFrom(arguments);
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const auto input = inputFrom(arguments, context.part(0, 0.1));
  sayOneHead(arguments, *input, context.notes);
  if (endingOf(path) == ".npy")
    requireValuesForOutputs(*input);
  const Hashing h = hashingOf(arguments, input, partOf(context.run, 0.1, 1));
  if (!path.empty())
    writeTo(path, h);
  if (arguments.on("json"))
    print(context.out, reportJson(h));
  else
    printReport(context.out, h);
  return 0;
}

} // namespace

Command lshCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.mechanism = "lsh";
  grammar.patternFirst = false; // --seed is for the input, --p.seed for the rotations
  grammar.flags = queryKeyFlags();
  grammar.add(
      {{"output", "FILE", "outputs of the head as .npy, or this report as .json (also -o)"}});
  grammar.add(recallFlag().flags());
  grammar.add({{"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  grammar.add(scoreFlags());
  grammar.flags.push_back(baseFlag());
  return {"lsh", "INPUT [--n-buckets B …] [-o FILE]",
          "buckets, order and margins of hashing, and what its rounds keep", grammar, runLsh};
}

} // namespace attention::cli
