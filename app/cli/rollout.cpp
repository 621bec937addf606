// attnx reach --rollout.

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/head_selection.h"
#include "app/cli/input_flags.h"
#include "app/cli/report.h"

#include "core/analysis/reach/rollout.h"
#include "core/analysis/ready_weights.h"
#include "core/attention/implied_matrix.h"
#include "core/export/csv_table.h"
#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/pattern/prepared.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

constexpr Index kMostTokens = 4096;    // n³ per layer, and three matrices of 8 n² bytes
constexpr Index kMostCsvTokens = 3162; // 10^7 lines
constexpr Index kRowsPerChunk = 64;

struct RolloutQuestion {
  std::vector<Pattern> patterns; // in turn
  Index layers = 1;
  Index firstHead = 0;
  Index heads = 1; // the weights are their mean
  double residual = 0.5;
  std::optional<std::vector<Index>> path; // i, j
  std::optional<Index> token;
  int threads = 0;
};

void refuseFlagsOfReach(const Arguments& arguments) {
  refuse(arguments, {"sweep", "size", "standalone", "theme", "text"},
         "with --rollout, which draws no picture");
  for (const char* flag : {"no-residual", "what"})
    if (arguments.has(flag))
      throw Error(
          ErrorCode::Type, flag,
          "--" + std::string(flag) +
              " is given with --rollout, where --residual-share sets the residual connection");
}

Index tokenIn(const char* flag, Index token, Index n) {
  if (token < 0 || token >= n)
    throwRange(flag, std::to_string(token), "an integer from 0 to " + std::to_string(n - 1));
  return token;
}

// Each item of the leading axis is one layer; fewer layers means the lowest ones.
Index layersFrom(const Arguments& arguments, const Input& input) {
  if (arguments.has("batch"))
    throw Error(ErrorCode::Type, "batch",
                "--batch is given with --rollout, which goes through all layers of the input");
  const Index layers = arguments.integer("layers").value_or(input.batches);
  if (layers < 1 || layers > input.batches)
    throwRange("layers", std::to_string(layers),
               "an integer from 1 to the input's " + std::to_string(input.batches));
  return layers;
}

RolloutQuestion questionFrom(const Arguments& arguments, const Input& input) {
  refuseFlagsOfReach(arguments);
  input.requireSquare();
  if (input.keys > kMostTokens)
    throwRange("n", std::to_string(input.keys), "at most 4096 tokens for --rollout");
  RolloutQuestion q;
  q.layers = layersFrom(arguments, input);
  const HeadSelection all = selectionFrom(arguments, input);
  q.patterns = withOneMask(arguments, input, all, {}).patterns();
  const bool oneHead = arguments.has("head-index");
  q.firstHead = oneHead ? input.head : 0;
  q.heads = oneHead ? 1 : input.heads;
  q.residual = arguments.real("residual-share").value_or(q.residual);
  if (!(q.residual >= 0 && q.residual <= 1))
    throwRange("residual-share", textNumber(q.residual), "a number from 0 to 1");
  q.threads = threadsFrom(arguments);
  if (arguments.has("path")) {
    q.path = integersFromText("path", arguments.text("path"));
    if (q.path->size() != 2)
      throw Error(ErrorCode::Type, "path",
                  "path has " + countText(q.path->size(), "number") + "; it must be i,j");
    for (const Index token : *q.path)
      tokenIn("path", token, input.keys);
  }
  if (const auto token = arguments.integer("token"))
    q.token = tokenIn("token", *token, input.keys);
  return q;
}

// Adds the rows of `matrix`, times `share`, to `sum`.
void addRows(Matrix<double>& sum, const ImpliedMatrix<double>& matrix, double share, int threads,
             const Run& run) {
  parallelFor(ceilDiv(matrix.rows, kRowsPerChunk), threads, run, [&](Index chunk) {
    const Index begin = chunk * kRowsPerChunk;
    const Matrix<double> rows = matrix.rowsAt(begin, std::min(matrix.rows, begin + kRowsPerChunk));
    double* to = sum.data() + begin * sum.cols();
    for (const double x : rows.values())
      *to++ += share * x;
  });
}

using Prepareds = std::vector<std::shared_ptr<const Prepared>>;

// The patterns that read no data, once for all layers and heads; the others are null.
Prepareds preparedWithoutData(const RolloutQuestion& q, Index n, const Run& run) {
  Prepareds ready;
  for (const Pattern& pattern : q.patterns)
    ready.push_back(needsData(pattern) ? nullptr : prepare(pattern, squareLengths(n), run));
  return ready;
}

// The mean over the heads of the layer's weights.
Matrix<double> layerWeights(const RolloutQuestion& q, const Prepareds& ready, const Input& input,
                            Index layer, const Run& run) {
  const Index n = input.keys;
  const auto turn = static_cast<std::size_t>(layer) % q.patterns.size();
  const Run quiet = run.quiet();
  const double share = 1 / static_cast<double>(q.heads);
  Matrix<double> mean(n, n);
  for (Index h = q.firstHead; h < q.firstHead + q.heads; ++h) {
    const Run step = stepOf(run, h - q.firstHead, q.heads);
    auto prepared = ready[turn];
    if (!prepared)
      prepared =
          prepare(q.patterns[turn], squareLengths(n), inputData(input, layer, h, n, quiet), quiet);
    if (!input.hasQkv()) {
      const Matrix<double> weights = input.attention<double>(h, layer, quiet);
      addRows(mean, cutWeights(weights, *prepared), share, q.threads, step);
      continue;
    }
    const Matrix<double> queries = input.q<double>(h, layer, quiet);
    const Matrix<double> keys = input.k<double>(h, layer, quiet);
    addRows(mean,
            impliedByPattern(*prepared, queries.view(), keys.view(),
                             attendOptions(input, h, q.threads)),
            share, q.threads, step);
  }
  return mean;
}

// Layer by layer, so that no more than two layers' weights are held.
Matrix<double> rolloutOf(const RolloutQuestion& q, const Input& input, const Run& run) {
  const Prepareds ready = preparedWithoutData(q, input.keys, run.quiet());
  Matrix<double> rollout;
  for (Index t = 0; t < q.layers; ++t) {
    const Run step = stepOf(run, t, q.layers);
    rollout =
        rolloutThrough(layerWeights(q, ready, input, t, partOf(step, 0, 0.7)),
                       t > 0 ? &rollout : nullptr, q.residual, q.threads, partOf(step, 0.7, 1));
  }
  return rollout;
}

// Means over the outputs: of each token's own share, and of the entropy of the inputs' shares.
struct Summary {
  double self = 0;
  double entropy = 0; // nats
};

Summary summaryOf(const Matrix<double>& rollout) {
  Summary summary;
  const auto n = static_cast<double>(rollout.rows());
  for (Index i = 0; i < rollout.rows(); ++i) {
    summary.self += rollout(i, i) / n;
    for (const double p : rollout.view().row(i))
      summary.entropy -= p > 0 ? p * std::log(p) / n : 0;
  }
  return summary;
}

Json answerJson(const RolloutQuestion& q, const Matrix<double>& rollout) {
  const Summary summary = summaryOf(rollout);
  Json json{{"n", rollout.cols()},
            {"layers_in_stack", q.layers},
            {"heads", q.heads},
            {"residual_share", jsonNumber(q.residual)},
            {"mean_self", jsonNumber(summary.self)},
            {"mean_entropy", jsonNumber(summary.entropy)},
            {"of", nullptr},
            {"weight", nullptr}};
  if (q.path) {
    json["of"] = *q.path;
    json["weight"] = jsonNumber(rollout((*q.path)[0], (*q.path)[1]));
  }
  if (!q.token)
    return json;
  json["token"] = *q.token;
  json["influenced_by"] = Json::array();
  json["influences"] = Json::array();
  for (Index j = 0; j < rollout.cols(); ++j) {
    json["influenced_by"].push_back(jsonNumber(rollout(*q.token, j)));
    json["influences"].push_back(jsonNumber(rollout(j, *q.token)));
  }
  return json;
}

// The inputs with the largest shares of one output.
std::string largestShares(const Matrix<double>& rollout, Index token) {
  std::vector<std::pair<double, Index>> shares;
  for (Index j = 0; j < rollout.cols(); ++j)
    shares.emplace_back(-rollout(token, j), j);
  std::sort(shares.begin(), shares.end());
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(shares.size(), 5); ++k)
    text += (text.empty() ? "" : ", ") + std::to_string(shares[k].second) + " (" +
            textNumber(-shares[k].first) + ")";
  return text;
}

void printAnswer(std::ostream& out, const RolloutQuestion& q, const Json& json,
                 const Matrix<double>& rollout) {
  const Summary summary = summaryOf(rollout);
  Lines lines{{"layers, heads", std::to_string(q.layers) + ", " + json["heads"].dump()},
              {"share of a token's own input, mean", textNumber(summary.self)},
              {"entropy of the shares, mean", textNumber(summary.entropy) + " nats"}};
  if (q.path)
    lines.emplace_back("share of input " + std::to_string((*q.path)[1]) + " in output " +
                           std::to_string((*q.path)[0]),
                       textNumber(rollout((*q.path)[0], (*q.path)[1])));
  if (q.token)
    lines.emplace_back("largest inputs of output " + std::to_string(*q.token),
                       largestShares(rollout, *q.token));
  print(out, lines);
}

void write(const std::string& path, const Matrix<double>& rollout, const Run& run) {
  const Index n = rollout.rows();
  if (path.ends_with(".npy")) {
    const Index shape[] = {n, n};
    return writeNpy<double>(path, shape, std::span<const double>(rollout.values()));
  }
  replaceFile(path, [&](std::ostream& out) {
    out << "i,j,weight\n";
    for (Index i = 0; i < n; ++i) {
      run.check();
      for (Index j = 0; j < n; ++j)
        out << i << ',' << j << ',' << csvNumber(rollout(i, j)) << '\n';
    }
  });
}

std::string outputOf(const Arguments& arguments) {
  static constexpr std::array<std::string_view, 2> kEndings{".npy", ".csv"};
  return arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
}

void requireFewLines(const std::string& path, const Input& input) {
  if (path.ends_with(".csv") && input.keys > kMostCsvTokens)
    throwRange("n", std::to_string(input.keys), "at most 3162 tokens in a .csv file (10^7 lines)");
}

} // namespace

int printRollout(const Arguments& arguments, const Context& context) {
  const std::string path = outputOf(arguments);
  const auto input = inputFrom(arguments, context.part(0, 0.05));
  const RolloutQuestion q = questionFrom(arguments, *input);
  requireFewLines(path, *input);
  const Matrix<double> rollout = rolloutOf(q, *input, partOf(context.run, 0.05, 1));
  if (!path.empty())
    write(path, rollout, context.run);
  const Json json = answerJson(q, rollout);
  if (arguments.on("json"))
    print(context.out, json);
  else
    printAnswer(context.out, q, json, rollout);
  return 0;
}

} // namespace attention::cli
