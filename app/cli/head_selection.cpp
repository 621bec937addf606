#include "app/cli/head_selection.h"

#include "core/input/projection.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"

#include <utility>

namespace attention::cli {
namespace {

// [.., heads, n, dv] becomes [.., n, heads, dv].
template <class T>
void putTokensFirst(const HeadSelection& heads, std::vector<T>& out, std::vector<Index>& shape) {
  const std::size_t dims = shape.size();
  const Index n = shape[dims - 2];
  const Index dv = shape[dims - 1];
  std::vector<T> turned;
  turned.reserve(out.size());
  for (Index b = 0; b < heads.batches; ++b)
    for (Index i = 0; i < n; ++i)
      for (Index h = 0; h < heads.heads; ++h) {
        const auto row = out.begin() + ((b * heads.heads + h) * n + i) * dv;
        turned.insert(turned.end(), row, row + dv);
      }
  out = std::move(turned);
  std::swap(shape[dims - 3], shape[dims - 2]);
}

} // namespace

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

void requireValuesForOutputs(const Input& input) {
  if (input.hasQkv() && !input.hasValues())
    throw Error(ErrorCode::Type, "v",
                "v is missing; outputs need values: an array v in the file of --input (or the one "
                "that --v-name names), or --v FILE beside --q and --k");
}

Arguments withOneMask(const Arguments& arguments, const Input& input,
                      const HeadSelection& selection, const Run& run) {
  std::vector<Pattern> patterns = arguments.patterns();
  for (Pattern& pattern : patterns) {
    if (!hasMasksOfPlanes(pattern, run))
      continue;
    if (selection.planes() > 1)
      throw Error(
          ErrorCode::Unsupported, "mask",
          "mask is a file of several masks, and this takes one for all heads; the layer and "
          "head must be chosen by --batch and --head-index");
    const MaskPlane plane{selection.firstBatch, selection.firstHead};
    pattern = resolveFiles(withMasksOf(std::move(pattern), plane, input, run), {}, run);
  }
  return arguments.withPatterns(std::move(patterns));
}

template <class T>
void joinHeads(const Input& input, const HeadSelection& heads, std::vector<T>& out,
               std::vector<Index>& shape, const Run& run) {
  if (input.headsAfterTokens && !heads.oneHead)
    putTokensFirst(heads, out, shape);
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
