#include "app/gui/pictures/mask_pointer.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/platform/imgui_input.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr double kZoomStep = 1.25; // per notch of the wheel

void setCamera(const ViewContext& context, std::optional<Camera> camera) {
  if (camera != context.scene.camera)
    context.actions.push(SetCamera{camera});
}

void zoomByWheel(const ViewContext& context, const CanvasInput& input, const MaskFrame& frame,
                 const Lengths& lengths) {
  if (input.scroll != 0)
    setCamera(context,
              zoomed(frame, lengths, std::pow(kZoomStep, static_cast<double>(input.scroll)),
                     input.mouseX, input.mouseY));
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

void moveByPointer(const ViewContext& context, const CanvasInput& input, const MaskFrame& frame,
                   const Lengths& lengths) {
  zoomByWheel(context, input, frame, lengths);
  if (input.dragsMiddle && (input.dragX != 0 || input.dragY != 0))
    setCamera(context, panned(frame, lengths, input.dragX, input.dragY));
}

std::optional<Cell> pointAtMatrix(const ViewContext& context, const CanvasInput& input,
                                  const MaskFrame& frame, const Lengths& lengths) {
  const std::optional<Cell> cell =
      input.hovered ? cellAt(frame, lengths, input.mouseX, input.mouseY) : std::nullopt;
  zoomByWheel(context, input, frame, lengths);
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

std::optional<Rect> minimapArea(const Ui& ui, const MaskFrame& frame, const Lengths& lengths) {
  const Rect& a = frame.area;
  if (frame.scale <= fitScale(lengths, a) * 1.001 || widthOf(a) < ui.px(240) ||
      heightOf(a) < ui.px(200))
    return std::nullopt;
  const auto aspect = static_cast<float>(std::clamp(
      static_cast<double>(lengths.keys) / static_cast<double>(lengths.queries), 0.2, 5.0));
  const float longer = ui.px(112);
  const float width = std::round(aspect >= 1 ? longer : longer * aspect);
  const float height = std::round(aspect >= 1 ? longer / aspect : longer);
  const float x = std::round(a.x1 - ui.px(12));
  const float y = std::round(a.y1 - ui.px(12));
  return Rect{x - width, y - height, x, y};
}

CanvasInput minimapInput(const Ui& ui, const Rect& area) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  return canvas(ui, "Minimap", ImVec2(widthOf(area), heightOf(area)), {}, Wheel::Zooms);
}

std::pair<double, double> minimapCell(const Rect& area, const Lengths& lengths, float x, float y) {
  const auto share = [](float at, float from, float to) {
    return std::clamp(static_cast<double>((at - from) / (to - from)), 0.0, 1.0);
  };
  return {share(y, area.y0, area.y1) * static_cast<double>(lengths.queries),
          share(x, area.x0, area.x1) * static_cast<double>(lengths.keys)};
}

void drawMinimap(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
                 const Rect& area, float density, RasterPicture& picture) {
  const Ui& ui = context.ui;
  const Lengths& lengths = tile.prepared->lengths();
  const auto pixels = [&](float points) {
    return std::max<Index>(std::lround(points * density), 1);
  };
  const TexelAxes axes{wholeAxis(lengths.queries, pixels(heightOf(area))),
                       wholeAxis(lengths.keys, pixels(widthOf(area)))};
  picture.show(context.rasters.coverage("minimap", {tile.prepared, axes.lattice()}), axes,
               figureTheme(ui.theme));
  box(area, color(ui.colors().view), ui.px(3));
  fill(area, color(ui.colors().view));
  picture.drawOver(area);
  box(area, color(ui.colors().dim, 0.6F), 1);
  const CellRect cells = visibleCells(frame, lengths);
  const auto at = [](float from, float length, Index cell, Index n) {
    return std::round(from + length * static_cast<float>(cell) / static_cast<float>(n));
  };
  const Clip clip({area.x0 - 2, area.y0 - 2, area.x1 + 2, area.y1 + 2});
  Rect seen{at(area.x0, widthOf(area), cells.keyBegin, lengths.keys),
            at(area.y0, heightOf(area), cells.rowBegin, lengths.queries),
            at(area.x0, widthOf(area), cells.keyEnd, lengths.keys),
            at(area.y0, heightOf(area), cells.rowEnd, lengths.queries)};
  seen.x1 = std::max(seen.x1, seen.x0 + 3);
  seen.y1 = std::max(seen.y1, seen.y0 + 3);
  fill(seen, color(ui.colors().crosshair, 0.16F));
  box(seen, color(ui.colors().crosshair), 1);
}

} // namespace attention::gui
