#include "app/gui/view/stopped.h"

namespace attention::gui {
namespace {

// Nothing of what is being made again, and where a problem hinders the picture that is told
// instead.
template <class... T>
std::optional<StoppedPart> firstOf(const std::optional<Problem>& hinders,
                                   const Latest<T>&... parts) {
  if ((parts.pending || ...) || (hinders && !isStopped(hinders)))
    return std::nullopt;
  std::optional<StoppedPart> first;
  const auto look = [&](const auto& part) {
    if (!first && isStopped(part.problem))
      first = {part.value != nullptr, part.stale};
  };
  (look(parts), ...);
  return first;
}

} // namespace

std::optional<StoppedPart> stoppedPart(View view, const Results& results) {
  switch (view) {
  case View::Mask:
    break;
  case View::Reach:
    return firstOf(results.reach.problem, results.reach, results.reachToken, results.reachHops);
  case View::Attention: {
    const AttentionResults& of = results.attentionView;
    return firstOf(of.problem, of.head, of.maps, of.sketches, of.shown);
  }
  case View::Kernels: {
    const KernelsResults& of = results.kernels;
    return firstOf(of.problem, of.sweep, of.matrices, of.spectrum, of.shown);
  }
  case View::Hashing: {
    const HashingResults& of = results.hashing;
    return firstOf(of.problem, of.tokens, of.curves, of.circle, of.sorting, of.shown);
  }
  case View::Timings:
    return firstOf({}, results.timings);
  case View::Encodings:
    return firstOf({}, results.encodings);
  case View::Compare:
    return firstOf({}, results.masks, results.difference, results.scores);
  }
  return firstOf({}, results.masks);
}

} // namespace attention::gui
