#include "app/gui/view/results.h"

namespace attention::gui {
namespace {

template <class T>
ShownState stateOf(const Latest<T>& latest) {
  return {latest.value != nullptr, latest.stale, latest.problem};
}

std::string titleOfTimings(const TimingsShown& shown) {
  const int threads = shown.options.threads;
  return "Time against n on this machine, " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads") + ", d = " + std::to_string(shown.options.d);
}

// The token is seen in the graph alone, as in files.
std::string titleOfLayers(const ReachLayers& layers, const ReachToken& token) {
  if (!token.graph.plot)
    return titleOfGrowth(layers.answer);
  return titleOfReach(layers.answer, token.facts.token, token.shown);
}

// A view of several parts: what hinders any of them hinders it.
template <class V>
ShownState stateOfParts(const V& view) {
  ShownState state = stateOf(view.shown);
  if (!state.problem)
    state.problem = view.problem;
  return state;
}

} // namespace

std::string titleOfPicture(View view, const Results& results) {
  const auto titleIn = [](const auto& shown) { return shown ? shown->title : std::string(); };
  switch (view) {
  case View::Reach:
    return results.reach && results.reachToken && !results.reach.problem
               ? titleOfLayers(*results.reach, *results.reachToken)
               : std::string();
  case View::Attention:
    return titleIn(results.attentionView.shown);
  case View::Kernels:
    return titleIn(results.kernels.shown);
  case View::Hashing:
    return titleIn(results.hashing.shown);
  case View::Timings:
    return results.timings ? titleOfTimings(*results.timings) : std::string();
  case View::Encodings:
    return results.encodings ? encodingsTitle(results.encodings->answer) : std::string();
  case View::Compare:
    return "Patterns compared";
  case View::Mask:
    break;
  }
  return {};
}

ShownState shownState(View view, const Results& results) {
  switch (view) {
  case View::Reach:
    return stateOf(results.reach);
  case View::Attention:
    return stateOfParts(results.attentionView);
  case View::Kernels:
    return stateOfParts(results.kernels);
  case View::Hashing:
    return stateOfParts(results.hashing);
  case View::Timings:
    return stateOf(results.timings);
  case View::Encodings:
    return stateOf(results.encodings);
  case View::Compare:
  case View::Mask:
    break;
  }
  return stateOf(results.masks);
}

} // namespace attention::gui
