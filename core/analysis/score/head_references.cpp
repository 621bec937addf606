#include "core/analysis/score/head_references.h"

#include "core/analysis/score/recall.h"
#include "core/support/part_of_run.h"

#include <utility>

namespace attention {

template <class T>
const ScoredHead<T>& HeadReferences<T>::head(Index h) {
  if (h != loaded_)
    head_ = input_.load(h);
  loaded_ = h;
  return head_;
}

template <class T>
const HeadReference<T>& HeadReferences<T>::of(Index h, const Against& against, const Run& run) {
  const auto& [base, keys, others] = against;
  for (const auto& known : known_)
    if (known->head == h && known->base == base && known->keys == keys && known->others == others)
      return *known;
  const ScoredHead<T>& in = head(h);
  const AttendOptions attending = attendOptions(in, options_);
  auto made = std::make_unique<HeadReference<T>>();
  made->head = h;
  made->base = base;
  made->keys = keys;
  made->others = others;
  const auto pattern = baseOf(base, squareLengths(input_.n))->asUnion(keys);
  made->dense =
      attend(*pattern, in.q.view(), in.k.view(), in.v.view(), attending, partOf(run, 0, 0.5));
  made->largest = largestKeys(in.data, keys, base, options_.recallKeys,
                              {scoringOf(attending, in.q.cols(), squareLengths(input_.n)), others},
                              partOf(run, 0.5, 1));
  return *known_.emplace_back(std::move(made));
}

template class HeadReferences<float>;
template class HeadReferences<double>;

} // namespace attention
