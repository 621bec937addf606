#include "core/analysis/reach/reach.h"

#include "core/c/border.h"
#include "core/support/error.h"

#include <algorithm>
#include <string>

namespace {

using namespace attention;
using namespace attention::c;

void copyBits(const BitMatrix& matrix, uint64_t* bits) {
  const Index words = ceilDiv(matrix.cols(), kWordBits);
  for (Index i = 0; i < matrix.rows(); ++i)
    std::copy_n(matrix.row(i).data(), words, bits + i * words);
}

} // namespace

int32_t attnx_reach(const attnx_stack* stack, uint64_t* bits, int64_t* pairs, attnx_error* error) {
  return guarded(error, [&] {
    const attnx_stack& asked = required(stack, "stack");
    if (asked.no_residual != 0 && asked.no_residual != 1)
      throwRange("no_residual", std::to_string(asked.no_residual), "0 or 1");
    const LayerStack layers{preparedOf(asked.patterns, asked.count), asked.no_residual == 0};
    const ReceptiveField field = receptiveField(layers, asked.layers, threadsOf(asked.threads));
    if (bits != nullptr)
      copyBits(field.reach, bits);
    if (pairs != nullptr)
      std::transform(field.layers.begin(), field.layers.end(), pairs,
                     [](const LayerReach& layer) { return layer.pairs; });
  });
}
