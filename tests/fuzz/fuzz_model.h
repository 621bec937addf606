// What the targets of models do with one that was read: its rows, and a forward on two tokens where
// it is small.
#pragma once

#include "core/model/forward.h"
#include "core/model/logits.h"

#include <memory>
#include <vector>

namespace attention::fuzz {

inline void readEnds(const WeightMatrix& matrix) {
  if (matrix.empty())
    return;
  std::vector<float> row(static_cast<std::size_t>(matrix.cols));
  readRow(matrix, 0, row);
  readRow(matrix, matrix.rows - 1, row);
}

// What the forward allocates does not follow from the bytes of the file alone.
inline bool isSmall(const Model& model) {
  constexpr Index kMost = 4096;
  return model.layers.size() <= 8 && model.width <= kMost && model.vocabulary <= kMost &&
         model.heads <= kMost && model.headWidth <= kMost &&
         model.heads * model.headWidth <= kMost && model.feedForwardWidth <= kMost;
}

inline void use(Model made) {
  readEnds(made.embedding);
  readEnds(made.positions);
  readEnds(made.logits.weight);
  for (const ModelLayer& layer : made.layers)
    for (const Linear* linear : {&layer.query, &layer.key, &layer.value, &layer.output, &layer.gate,
                                 &layer.up, &layer.down})
      readEnds(linear->weight);
  if (!isSmall(made))
    return;
  const auto model = std::make_shared<const Model>(std::move(made));
  const std::vector<Index> ids{0, model->vocabulary - 1};
  const std::vector finals{forward(model, ids).final};
  if (!model->encoder)
    predictions(*model, ids, finals);
}

} // namespace attention::fuzz
