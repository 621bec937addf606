#include "core/model/open_model.h"
#include "tests/fuzz/fuzz.h"

#include <vector>

using namespace attention;

namespace {

void readEnds(const WeightMatrix& matrix) {
  if (matrix.empty())
    return;
  std::vector<float> row(static_cast<std::size_t>(matrix.cols));
  readRow(matrix, 0, row);
  readRow(matrix, matrix.rows - 1, row);
}

} // namespace

ATTENTION_FUZZ_TARGET(gguf) {
  const GgufFile file = parseGguf(bytes, "a.gguf");
  const Model model = modelWithWeights(file);
  readEnds(model.embedding);
  readEnds(model.logits.weight);
  for (const ModelLayer& layer : model.layers)
    for (const Linear* linear :
         {&layer.query, &layer.key, &layer.value, &layer.output, &layer.up, &layer.down})
      readEnds(linear->weight);
}
