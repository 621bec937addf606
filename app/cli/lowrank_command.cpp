// attnx lowrank: singular values of an attention matrix, the best errors by rank, and Linformer.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/lowrank_report.h"
#include "app/cli/score_flags.h"

#include "core/analysis/low_rank.h"
#include "core/analysis/metrics.h"
#include "core/analysis/ready_weights.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/linformer.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>

namespace attention::cli {
namespace {

constexpr Index kExactLength = 2048; // up to which all singular values are computed by default

bool exactFrom(const Arguments& arguments, Index n) {
  return arguments.text("method", n <= kExactLength ? "exact" : "randomized") == "exact";
}

std::vector<Index> ranksFrom(const Arguments& arguments, Index n) {
  std::vector<Index> ranks;
  if (const std::string* text = arguments.find("ranks"))
    ranks = integersFromText("ranks", *text);
  else
    for (Index m = 1; m <= n; m *= 2)
      ranks.push_back(m);
  if (ranks.empty())
    throwRange("ranks", "an empty list", "at least one rank");
  for (const Index m : ranks)
    if (m < 0 || m > n)
      throw Error(ErrorCode::Range, "ranks",
                  "ranks " + std::string(ranks.size() == 1 ? "is " : "has ") + std::to_string(m) +
                      (ranks.size() == 1 ? "; it must be" : "; each must be") +
                      " an integer from 0 to " + std::to_string(n));
  return ranks;
}

LowRankQuestion askedFrom(const Arguments& arguments, const Input& input) {
  LowRankQuestion asked;
  const Index n = std::min(input.queries, input.keys);
  asked.object = lowRankObjectNamed(arguments.text("matrix", "softmax"));
  asked.causal = arguments.on("causal");
  if (asked.causal)
    input.requireSquare();
  asked.exact = exactFrom(arguments, std::max(input.queries, input.keys));
  asked.ranks = ranksFrom(arguments, n);
  if (!asked.exact && !arguments.has("ranks"))
    std::erase_if(asked.ranks, [](Index m) { return m > 256; });
  asked.scoring = scoringOf(attendOptions(input, input.head), std::max<Index>(1, input.d), {});
  asked.sketch.rank = std::max<Index>(1, *std::max_element(asked.ranks.begin(), asked.ranks.end()));
  asked.sketch.oversampling = arguments.integer("oversampling").value_or(10);
  asked.sketch.powers = arguments.integer("powers").value_or(2);
  asked.sketch.seed = seedFrom(arguments, "sketch-seed");
  asked.sketch.threads = threadsFrom(arguments);
  asked.linformer = arguments.on("linformer", !asked.causal && input.hasQkv() &&
                                                  input.hasValues() && !input.modifiers.hasBias());
  if (asked.linformer && input.modifiers.hasBias())
    throw Error(ErrorCode::Unsupported, "linformer",
                "linformer is true with a bias in the scores; it must be false, since Linformer's "
                "keys mix all positions");
  if (!asked.linformer)
    refuse(arguments, {"e", "f", "linformer-seed"}, "without Linformer, which it belongs to");
  if (arguments.has("e"))
    refuse(arguments, {"linformer-seed"}, "with --e, which gives Linformer's matrices");
  asked.linformerSeed = seedFrom(arguments, "linformer-seed");
  return asked;
}

std::vector<RankLine> exactLines(const LowRankQuestion& asked, const std::vector<double>& values) {
  const RankErrors errors = rankErrors(values);
  std::vector<RankLine> lines;
  for (const Index m : asked.ranks) {
    const auto at = static_cast<std::size_t>(m);
    lines.push_back({m, errors.frobenius[at], errors.frobenius[at], errors.spectral[at], {}});
  }
  return lines;
}

LowRankAnswer spectrumOf(const ImpliedMatrix<double>& matrix, const LowRankQuestion& asked,
                         const Run& run) {
  LowRankAnswer answer;
  answer.n = matrix.rows;
  if (asked.exact) {
    answer.values = singularValues(wholeMatrix(matrix, asked.sketch.threads, run), run);
    answer.norm = rankErrors(answer.values).frobenius.front();
    answer.lines = exactLines(asked, answer.values);
    return answer;
  }
  const RandomizedSpectrum sketch = randomizedSpectrum(matrix, asked.sketch, run);
  answer.values = sketch.values;
  answer.norm = sketch.frobenius;
  answer.residual = sketch.residual;
  for (const Index m : asked.ranks)
    answer.lines.push_back({m, sketch.least(m), sketch.most(m), {}, {}});
  return answer;
}

Matrix<double> matrixFile(const char* flag, const std::string& path) {
  return onlyMatrix(flag, path, "k × n");
}

// Linformer's output error with drawn E, F of every rank, or with the given ones.
void addLinformer(const Arguments& arguments, const LowRankQuestion& asked,
                  const HeadMatrices<double>& in, LowRankAnswer& answer, const Run& run) {
  LinformerOptions options;
  options.scale = asked.scoring.scale;
  options.softcap = asked.scoring.softcap;
  options.temperature = asked.scoring.temperature;
  options.sink = asked.scoring.sink;
  options.causal = asked.causal;
  options.threads = asked.sketch.threads;
  const Matrix<double> exact = denseSoftmaxAttention(in.qView(), in.kView(), in.vView(),
                                                     asked.scoring, options.threads, run);
  const auto errorWith = [&](const Matrix<double>& e, const Matrix<double>& f) {
    return outputError(
        linformer(in.qView(), in.kView(), in.vView(), e.view(), f.view(), options, run).out, exact);
  };
  if (arguments.has("e")) {
    const Matrix<double> e = matrixFile("e", arguments.text("e"));
    answer.given = errorWith(e, arguments.has("f") ? matrixFile("f", arguments.text("f")) : e);
    return;
  }
  for (RankLine& line : answer.lines)
    if (line.rank > 0)
      line.linformer = errorWith(
          drawLinformer(line.rank, in.k.rows(), asked.linformerSeed, LinformerSide::Keys),
          drawLinformer(line.rank, in.k.rows(), asked.linformerSeed, LinformerSide::Values));
}

// Ready weights unchanged, or cut to j ≤ i and normalised again.
LowRankAnswer spectrumOfWeights(const Arguments& arguments, const Input& input,
                                const LowRankQuestion& asked, const Run& run) {
  for (const char* flag : {"matrix", "e", "f"})
    if (arguments.has(flag))
      throw Error(ErrorCode::Unsupported, flag,
                  std::string(flag) +
                      " is given with ready attention weights; it must be left out, "
                      "since these have no queries and keys");
  if (asked.linformer)
    throw Error(ErrorCode::Unsupported, "linformer",
                "linformer is true; with ready attention weights it must be false, since Linformer "
                "needs queries, keys and values");
  const Matrix<double> ready = asked.causal
                                   ? input.attention<double>(input.head, {}, run.quiet())
                                   : input.attentionOfAnySign<double>(input.head, {}, run.quiet());
  if (asked.causal) {
    const auto causal = baseOf(Base::Causal, squareLengths(ready.rows()));
    return spectrumOf(cutWeights(ready, *causal), asked, run);
  }
  return spectrumOf({ready.rows(), ready.cols(),
                     [&ready](Index begin, Index end) {
                       Matrix<double> part(end - begin, ready.cols());
                       std::copy_n(ready.data() + begin * ready.cols(),
                                   (end - begin) * ready.cols(), part.data());
                       return part;
                     }},
                    asked, run);
}

LowRankAnswer compute(const Arguments& arguments, const Input& input, const LowRankQuestion& asked,
                      const Run& run) {
  if (!input.hasQkv())
    return spectrumOfWeights(arguments, input, asked, run);
  const auto in = matricesOf<double>(input, input.head, input.batch, run);
  if (asked.linformer && asked.causal)
    throw Error(ErrorCode::Unsupported, "causal",
                "causal is true; Linformer is not defined for causal masks, since E mixes all "
                "positions");
  if (asked.linformer)
    requireValuesForOutputs(input);
  LowRankAnswer answer = spectrumOf(
      attentionRows(in.qView(), in.kView(), asked.scoring, asked.object, asked.causal), asked, run);
  if (asked.linformer)
    addLinformer(arguments, asked, in, answer, run);
  return answer;
}

int runLowrank(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 3> kEndings{".csv", ".json", ".npy"};
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  if (arguments.has("f") && !arguments.has("e"))
    throw Error(ErrorCode::Type, "e", "e is missing; give --e with --f");
  const auto input = loadedInput(inputSpecFrom(arguments), arguments, context.run);
  sayNotes(arguments, *input, context.notes, arguments.on("causal"));
  sayOneHead(arguments, *input, context.notes);
  const LowRankQuestion asked = askedFrom(arguments, *input);
  if (asked.exact)
    noteUnread(arguments, context.notes, {"oversampling", "powers", "sketch-seed"},
               "where all singular values are computed and nothing is drawn");
  const LowRankAnswer answer = compute(arguments, *input, asked, context.run);
  const Json json = answerJson(answer, asked, *input);
  if (!path.empty())
    write(path, answer, json);
  if (arguments.on("json"))
    print(context.out, json);
  else
    printAnswer(context.out, answer, json);
  return 0;
}

} // namespace

Command lowrankCommand() {
  Grammar grammar;
  grammar.flags = inputFlags();
  grammar.add(
      {{"output", "FILE", ".csv .json, or .npy of the singular values (also -o)"},
       calledInCore("rank", {"ranks", "M,M,…", "ranks to report the best error for (1, 2, 4, …)"}),
       {"matrix", "softmax|exp", "softmax rows, or exp(s) not normalised (softmax)"},
       {"causal", "", "only keys j ≤ i"},
       {"method", "exact|randomized", "all singular values, or a sketch (exact up to 2048)"},
       checkedBy(needsIndex,
                 {"oversampling", "P", "columns of the sketch beyond the largest rank (10)"}),
       checkedBy(needsIndex, {"powers", "Q", "passes that sharpen the sketch (2)"}),
       {"sketch-seed", "S", "seed of the sketch (0)"},
       {"linformer", "true|false", "output error of Linformer with k = rank (true)"},
       {"linformer-seed", "S", "seed of Linformer's E and F (0)"},
       {"e", "FILE", "Linformer's E, .npy, k × n"},
       {"f", "FILE", "Linformer's F (the same as E), .npy, k × n"},
       {"threads", "T", "number of threads; 0 uses all"},
       {"json", "", "one JSON object instead of lines"}});
  grammar.add(scoreFlags());
  return {"lowrank", "INPUT --ranks 1,2,4", "singular values, best errors by rank, Linformer",
          grammar, runLowrank};
}

} // namespace attention::cli
