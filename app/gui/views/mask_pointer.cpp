#include "app/gui/views/mask_pointer.h"

#include "app/gui/platform/imgui_input.h"
#include "app/gui/views/mask_minimap.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr double kZoomStep = 1.25; // a notch of the wheel

void setCamera(const ViewContext& context, std::optional<Camera> camera) {
  if (camera != context.scene.camera)
    context.actions.push(SetCamera{camera});
}

// The pin moves to `at`, or goes if it is there already.
void togglePin(std::optional<Index>& pin, Index at) {
  pin = pin == at ? std::nullopt : std::optional(at);
}

void clickCell(const ViewContext& context, const Cell& cell, bool shift) {
  Pins pins = context.scene.pins;
  togglePin(shift ? pins.key : pins.query, shift ? cell.key : cell.query);
  context.actions.push(SetPins{pins});
}

// The pin moved by `step`; without one, the middle of what is visible.
Index movedPin(const std::optional<Index>& pin, Index step, Index begin, Index end, Index n) {
  return std::clamp<Index>(pin ? *pin + step : (begin + end - 1) / 2, 0, n - 1);
}

// Steps of the arrow keys in this frame: down and right count up.
Cell arrows() {
  Cell steps;
  for (const bool shift : {false, true}) {
    const Index by = shift ? 10 : 1;
    const auto pressed = [&](Key key) {
      return chordPressed({key, false, shift, false}, true) ? by : Index{0};
    };
    steps.query += pressed(Key::Down) - pressed(Key::Up);
    steps.key += pressed(Key::Right) - pressed(Key::Left);
  }
  return steps;
}

void movePins(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths,
              const Cell& steps) {
  const CellRect seen = visibleCells(frame, lengths);
  Pins pins = context.scene.pins;
  CellRect wanted = seen;
  if (steps.query != 0) {
    pins.query = movedPin(pins.query, steps.query, seen.rowBegin, seen.rowEnd, lengths.queries);
    wanted.rowBegin = *pins.query;
    wanted.rowEnd = *pins.query + 1;
  }
  if (steps.key != 0) {
    pins.key = movedPin(pins.key, steps.key, seen.keyBegin, seen.keyEnd, lengths.keys);
    wanted.keyBegin = *pins.key;
    wanted.keyEnd = *pins.key + 1;
  }
  context.actions.push(SetPins{pins, "arrows"});
  setCamera(context, showing(frame, lengths, context.scene.camera, wanted));
}

} // namespace

std::optional<Cell> pointAtMatrix(const ViewContext& context, const CanvasInput& input,
                                  const MaskFrame& frame, const Lengths& lengths) {
  const std::optional<Cell> cell =
      input.hovered ? cellAt(frame, lengths, input.mouseX, input.mouseY) : std::nullopt;
  if (input.scroll != 0)
    setCamera(context,
              zoomed(frame, lengths, std::pow(kZoomStep, static_cast<double>(input.scroll)),
                     input.mouseX, input.mouseY));
  if (input.dragging && (input.dragX != 0 || input.dragY != 0))
    setCamera(context, panned(frame, lengths, input.dragX, input.dragY));
  if (input.clicked && cell)
    clickCell(context, *cell, input.shift);
  return cell;
}

void pointAtMinimap(const ViewContext& context, const CanvasInput& input, const Rect& map,
                    const MaskFrame& frame, const Lengths& lengths) {
  if (input.clicked || input.dragging) {
    const auto [query, key] = minimapCell(map, lengths, input.mouseX, input.mouseY);
    setCamera(context, centredOn(frame, lengths, query, key));
  }
  if (input.scroll != 0)
    setCamera(context,
              zoomed(frame, lengths, std::pow(kZoomStep, static_cast<double>(input.scroll)),
                     frame.area.centerX(), frame.area.centerY()));
}

void pressKeys(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths) {
  const Cell steps = context.presented ? Cell{} : arrows(); // there they step
  if (steps.query != 0 || steps.key != 0)
    movePins(context, frame, lengths, steps);
  const bool nearer = chordPressed({Key::Equal}, true);
  const bool farther = chordPressed({Key::Minus}, true);
  if (nearer != farther)
    setCamera(context, zoomed(frame, lengths, nearer ? kZoomStep : 1 / kZoomStep,
                              frame.area.centerX(), frame.area.centerY()));
}

} // namespace attention::gui
