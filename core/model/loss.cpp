#include "core/model/loss.h"

#include "core/analysis/cost.h"
#include "core/analysis/stack/kv_cache.h"
#include "core/support/part_of_run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double agreement(const Predictions& a, const Predictions& b) {
  Index same = 0;
  for (std::size_t i = 0; i < a.top.size(); ++i)
    same += a.top[i] == b.top[i] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(a.top.size());
}

double relativeChange(const Matrix<float>& of, const Matrix<float>& base) {
  double apart = 0;
  double size = 0;
  for (std::size_t i = 0; i < base.values().size(); ++i) {
    const auto x = static_cast<double>(base.values()[i]);
    const double by = static_cast<double>(of.values()[i]) - x;
    apart += by * by;
    size += x * x;
  }
  return apart == 0 ? 0 : std::sqrt(apart / size);
}

void addCost(LossRow& row, const ForwardStates& states) {
  const Model& model = *states.model;
  const auto n = static_cast<Index>(states.ids.size());
  KvLayer widths{"full_attention"};
  widths.kvHeads = model.kvHeads;
  widths.headDim = model.headWidth;
  Index pairs = 0;
  Index kept = 0;
  for (const LayerCost& cost : states.costs) {
    pairs += cost.pairs;
    kept += cost.keptKeys;
  }
  const auto heads = static_cast<Index>(states.costs.size()) * model.heads;
  row.pairs = static_cast<double>(pairs) / static_cast<double>(heads);
  // Every head has n rows of output.
  row.flops = sparseCost(n * heads, model.headWidth, model.headWidth, pairs).flops;
  if (!model.encoder)
    row.kvBytes = kept * bytesPerToken(widths, KvQuestion{}.bytes);
}

void addPredictions(LossRow& row, const Predictions& own, const Predictions& base) {
  if (own.loss.empty())
    return;
  row.loss = meanOf(own.loss);
  row.perplexity = std::exp(*row.loss);
  row.kl = meanOf(own.kl);
  row.top1 = agreement(own, base);
}

template <class T>
nlohmann::ordered_json numberOrNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

} // namespace

LossTable lossTable(std::span<const ForwardStates> states, std::vector<Predictions> predictions) {
  LossTable table;
  for (std::size_t s = 0; s < states.size(); ++s) {
    LossRow row;
    row.name = s == 0 ? kAsItIs : states[s].variant.name;
    addCost(row, states[s]);
    if (!predictions.empty())
      addPredictions(row, predictions[s], predictions[0]);
    else
      row.change = relativeChange(*states[s].final, *states[0].final);
    table.rows.push_back(std::move(row));
  }
  table.predictions = std::move(predictions);
  return table;
}

LossTable lossTable(const std::shared_ptr<const Model>& model, std::span<const Index> ids,
                    std::span<const ModelVariant> variants, const ForwardOptions& options,
                    const Run& run) {
  const auto steps = static_cast<Index>(variants.size()) + 2;
  std::vector<ForwardStates> states{forward(
      model, ids, {}, variants.empty() ? ForwardOptions{0} : options, stepOf(run, 0, steps))};
  for (std::size_t v = 0; v < variants.size(); ++v)
    states.push_back(forward(states[0], variants[v], ForwardOptions{0},
                             stepOf(run, static_cast<Index>(v) + 1, steps)));
  if (model->encoder)
    return lossTable(states, {});
  std::vector<std::shared_ptr<const Matrix<float>>> finals;
  finals.reserve(states.size());
  for (const ForwardStates& each : states)
    finals.push_back(each.final);
  return lossTable(states, predictions(*model, ids, finals, {}, stepOf(run, steps - 1, steps)));
}

nlohmann::ordered_json toJson(const LossTable& table, Index tokens, bool along) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const LossRow& row = table.rows[r];
    nlohmann::ordered_json json{{"name", row.name},
                                {"pairs", row.pairs},
                                {"loss", numberOrNull(row.loss)},
                                {"perplexity", numberOrNull(row.perplexity)},
                                {"kl", numberOrNull(row.kl)},
                                {"top1", numberOrNull(row.top1)}};
    if (row.change)
      json["change"] = *row.change;
    json["flops"] = row.flops;
    json["kv_bytes"] = numberOrNull(row.kvBytes);
    if (along)
      json["loss_by_position"] = table.predictions.empty()
                                     ? nlohmann::ordered_json(nullptr)
                                     : nlohmann::ordered_json(table.predictions[r].loss);
    rows.push_back(std::move(json));
  }
  return {{"tokens", tokens}, {"rows", std::move(rows)}};
}

} // namespace attention
