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

// Logits [first, first + z.cols) of the vocabulary for the rows of `states`, which are those of
// tokens token, token + 1, …; z: a row per state. E_NONFINITE names token and vocabulary id.
void logitsOf(const Model& model, MatrixView<const float> states, Index first, MatrixView<float> z,
              LinearRoom& room, const Run& run, Index token = 0);

// All logits of the rows of `states`, the final states of a text, row by row. Memory: 32 MiB, or a
// row.
class LogitRows {
public:
  LogitRows(const Model& model, MatrixView<const float> states, const Run& run);

  Index rows() const { return states_.rows; }
  Index vocabulary() const { return model_.logits.weight.rows; }
  // It stays until a row is asked for that was not made together with it: ask for them in their
  // order. E_NONFINITE as above; E_IO where a file of the model was rewritten; Stopped.
  std::span<const float> row(Index i);

private:
  const Model& model_;
  MatrixView<const float> states_;
  Run run_;
  Index together_;
  Index begin_ = 0;
  Matrix<float> z_;
  LinearRoom room_;
};

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
// first, and a part of the vocabulary at a time. `ready` may be empty. Memory beyond what is
// returned: 64 MiB, and 0.5 MiB for each of more than 128 states. The model has logits.
// E_NONFINITE; E_IO where a file of the model was rewritten; Stopped.
std::vector<Predictions> predictions(const Model& model, std::span<const Index> ids,
                                     std::span<const std::shared_ptr<const Matrix<float>>> states,
                                     const PredictionsReady& ready = {}, const Run& run = {});

} // namespace attention
