#include "core/model/model.h"

#include "core/input/mapped_file.h"
#include "core/support/error.h"

namespace attention {

void requireUnchanged(const Model& model) {
  const auto check = [](const WeightMatrix& matrix) {
    if (!matrix.empty())
      requireUnchanged(matrix.data);
  };
  check(model.embedding);
  check(model.positions);
  check(model.logits.weight);
  for (const ModelLayer& layer : model.layers)
    for (const Linear* linear : {&layer.query, &layer.key, &layer.value, &layer.output, &layer.gate,
                                 &layer.up, &layer.down})
      check(linear->weight);
}

void computeUnchanged(const Model& model, const std::function<void()>& compute) {
  try {
    compute();
  } catch (const Error&) {
    requireUnchanged(model);
    throw;
  }
  requireUnchanged(model);
}

} // namespace attention
