// What masks cost a model: the loss of its predictions, how far they move, pairs and bytes.
#pragma once

#include "core/model/forward.h"
#include "core/model/logits.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace attention {

// A row of `attnx model loss`. Nothing stands for a number that does not exist: an encoder predicts
// nothing and keeps no cache, one token has no prediction.
struct LossRow {
  std::string name;
  double pairs = 0;                 // mean over layers and heads
  std::optional<double> loss;       // mean over the n − 1 predictions, nats
  std::optional<double> perplexity; // e^loss
  std::optional<double> kl;         // from the model as it is to this one, mean, nats
  std::optional<double> top1;       // share of predictions with the same most likely token
  std::optional<double> change;     // of an encoder: ‖F' − F‖ / ‖F‖ of the final states
  double flops = 0;                 // of attention alone (S14)
  // Keys that must be kept (LayerCost::keptKeys) times the width of T11, 2 bytes per number, summed
  // over the layers.
  std::optional<Index> kvBytes;
};

// The rows and, of a decoder, what they are means of.
struct LossTable {
  std::vector<LossRow> rows;
  std::vector<Predictions> predictions; // one for each row; none for an encoder
};

// Rows from predictions that are complete, one for each of the states.
LossTable lossTable(std::span<const ForwardStates> states, std::vector<Predictions> predictions);

// The model as it is, then the variants, whose states are computed from the first layer on where
// they differ from it. Throws what forward() throws.
LossTable lossTable(const std::shared_ptr<const Model>& model, std::span<const Index> ids,
                    std::span<const ModelVariant> variants, const ForwardOptions& options = {},
                    const Run& run = {});

// {"tokens", "rows": [{"name", "pairs", "loss", "perplexity", "kl", "top1", "flops", "kv_bytes"}]};
// `change` where it exists; with `along` each row has "loss_by_position".
nlohmann::ordered_json toJson(const LossTable& table, Index tokens, bool along);

} // namespace attention
