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

} // namespace

std::string titleOfPicture(View view, const Results& results) {
  const auto titleIn = [](const auto& shown) { return shown ? shown->title : std::string(); };
  switch (view) {
  case View::Reach:
    if (results.reach && results.reachToken && !results.reach.problem)
      return titleOfReach(results.reach->answer, results.reachToken->facts.token,
                          results.reachToken->shown);
    return {};
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
  case View::Attention: {
    ShownState state = stateOf(results.attentionView.shown);
    if (!state.problem)
      state.problem = results.attentionView.problem;
    return state;
  }
  case View::Kernels: {
    ShownState state = stateOf(results.kernels.shown);
    if (!state.problem)
      state.problem = results.kernels.problem;
    return state;
  }
  case View::Hashing: {
    ShownState state = stateOf(results.hashing.shown);
    if (!state.problem)
      state.problem = results.hashing.problem;
    return state;
  }
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
