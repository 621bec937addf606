#include "app/gui/view/stopped.h"

namespace attention::gui {
namespace {

// As Slot says it of a job that was stopped.
constexpr const char* kStopped = "stopped";

template <class... T>
std::optional<StoppedPart> firstOf(const Latest<T>&... parts) {
  std::optional<StoppedPart> first;
  const auto look = [&](const auto& part) {
    if (!first && part.problem && part.problem->text == kStopped)
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
    return firstOf(results.reach, results.reachToken);
  case View::Attention: {
    const AttentionResults& of = results.attentionView;
    return firstOf(of.head, of.maps, of.sketches, of.shown);
  }
  case View::Kernels: {
    const KernelsResults& of = results.kernels;
    return firstOf(of.sweep, of.matrices, of.spectrum, of.shown);
  }
  case View::Hashing: {
    const HashingResults& of = results.hashing;
    return firstOf(of.tokens, of.curves, of.circle, of.sorting, of.shown);
  }
  case View::Timings:
    return firstOf(results.timings);
  case View::Encodings:
    return firstOf(results.encodings);
  case View::Compare:
    return firstOf(results.masks, results.difference, results.scores);
  }
  return firstOf(results.masks);
}

} // namespace attention::gui
