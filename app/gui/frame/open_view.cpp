#include "app/gui/frame/open_view.h"

#include "app/gui/interface/window_view.h"

namespace attention::gui {
namespace {

// Unless it was chosen, or belongs to another input.
void giveBack(Scene& scene, const HeldLength& held) {
  if (scene.view != held.view || scene.length != held.few || scene.input.source != held.source)
    return;
  scene.length = held.length;
  if (scene.pins == held.fewPins)
    scene.pins = held.pins;
}

// A late token, and an earlier one as the other end of a path.
Pins pinsAmong(Index n) {
  return {5 * n / 6, n / 3};
}

} // namespace

void openIn(Scene& scene, View view, Index tokens, std::optional<HeldLength>& held) {
  if (view == scene.view)
    return;
  if (held)
    giveBack(scene, *held);
  scene.view = view;
  const WindowView& opened = windowView(view);
  if (opened.prepareToOpen)
    opened.prepareToOpen(scene);
  const Index few = opened.tokensAtFirst;
  if (few == 0 || scene.length != LengthSpec() || tokens <= few)
    return;
  held = HeldLength{view, scene.input.source, scene.length, scene.pins, {few, {}, {}}, {}};
  scene.length = held->few;
  scene.pins = held->fewPins = pinsAmong(few);
}

} // namespace attention::gui
