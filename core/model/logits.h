// Logits from final states: W x + b, capped where the model says so. They are never held for all
// tokens and the whole vocabulary at once.
#pragma once

#include "core/model/linear.h"
#include "core/model/model.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace attention {

// Logits [first, first + z.cols) of the vocabulary for the rows of `states`; z: a row per state.
void logitsOf(const Model& model, MatrixView<const float> states, Index first, MatrixView<float> z,
              LinearRoom& room, const Run& run);

// How a model predicts the tokens behind the first one: of row i the token i + 1.
struct Predictions {
  std::vector<double> loss;  // −ln p of the token that comes, nats
  std::vector<Index> top;    // the most likely token
  std::vector<double> share; // its probability
  std::vector<double> kl; // Σ p ln(p / p'), p of the first ones, nats; 0 for the first themselves
  bool operator==(const Predictions&) const = default;
};

// Rows [begin, end) of all predictions are there; the others are not yet.
using PredictionsReady = std::function<void(Index begin, Index end, std::span<const Predictions>)>;

// Of several states of the same text, n × width after the final norm, the first ones those of the
// model as it is: n − 1 predictions each. Logits are made for blocks of rows, the first tokens
// first, and a part of the vocabulary at a time. `ready` may be empty. Memory O(states · rows of a
// block · part). The model has logits. Throws Stopped.
std::vector<Predictions> predictions(const Model& model, std::span<const Index> ids,
                                     std::span<const std::shared_ptr<const Matrix<float>>> states,
                                     const PredictionsReady& ready = {}, const Run& run = {});

} // namespace attention
