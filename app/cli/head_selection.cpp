#include "app/cli/head_selection.h"

#include "core/input/projection.h"

#include <utility>

namespace attention::cli {

HeadSelection selectionFrom(const Arguments& arguments, const Input& input) {
  HeadSelection of;
  const bool oneBatch = arguments.has("batch");
  of.oneHead = arguments.has("head-index");
  of.firstHead = of.oneHead ? input.head : 0;
  of.heads = of.oneHead ? 1 : input.heads;
  of.firstBatch = oneBatch ? input.batch : 0;
  of.batches = oneBatch ? 1 : input.batches;
  if (input.batchAxis && !oneBatch)
    of.leading.push_back(input.batches);
  if (input.headAxis && !of.oneHead)
    of.leading.push_back(input.heads);
  return of;
}

template <class T>
void joinHeads(const Input& input, const HeadSelection& heads, std::vector<T>& out,
               std::vector<Index>& shape, const Run& run) {
  if (!input.isEmbedded() || heads.oneHead)
    return;
  const Index n = input.queries;
  const Index dv = input.dv;
  Matrix<double> beside(n, input.heads * dv);
  for (Index h = 0; h < input.heads; ++h)
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < dv; ++c)
        beside(i, h * dv + c) =
            static_cast<double>(out[static_cast<std::size_t>((h * n + i) * dv + c)]);
  const Matrix<double>* wo = input.outputProjection();
  const Matrix<double> joined = wo ? product(beside, *wo, run) : std::move(beside);
  out.assign(joined.values().begin(), joined.values().end());
  shape = {n, joined.cols()};
}

template void joinHeads(const Input&, const HeadSelection&, std::vector<float>&,
                        std::vector<Index>&, const Run&);
template void joinHeads(const Input&, const HeadSelection&, std::vector<double>&,
                        std::vector<Index>&, const Run&);

} // namespace attention::cli
