#include "app/gui/views/mask/mask_screen.h"

#include "app/gui/pictures/mask_pointer.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/platform/imgui_input.h"

namespace attention::gui {
namespace {

bool contains(const Rect& r, float x, float y) {
  return r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1;
}

// The cell of a matrix under the pointer; where the minimap lies over it, the minimap gets the
// pointer.
std::optional<Cell> pointIn(const MaskScreen& screen, std::size_t tile,
                            const std::optional<Rect>& map, StrokesByHand& strokes) {
  const MaskFrame& f = screen.frames[tile];
  ImGui::SetCursorScreenPos(ImVec2(f.area.x0, f.area.y0));
  const CanvasInput input = canvas(screen.context.ui, canvasLabel(screen.masks, tile),
                                   ImVec2(widthOf(f.area), heightOf(f.area)),
                                   canvasValue(visibleCells(f, screen.lengths())), Wheel::Zooms);
  if (map && !input.dragging && !input.held && contains(*map, input.mouseX, input.mouseY))
    return std::nullopt;
  if (screen.drawsByHand()) {
    strokes.take(screen.context, input, tile, f, screen.lengths());
    moveByPointer(screen.context, input, f, screen.lengths());
    return input.hovered ? cellAt(f, screen.lengths(), input.mouseX, input.mouseY) : std::nullopt;
  }
  return pointAtMatrix(screen.context, input, f, screen.lengths());
}

// The token of an image under the pointer; a click pins it as the query.
std::optional<Index> pointAtImage(const MaskScreen& screen, std::size_t tile) {
  const ViewContext& context = screen.context;
  const Rect area = imagePlace(screen, tile);
  const CanvasInput input =
      imageInput(context.ui, canvasLabel(screen.masks, tile, "Image"), area, *screen.image);
  const auto token =
      input.hovered ? tokenAt(area, *screen.image, input.mouseX, input.mouseY) : std::nullopt;
  if (token && input.clicked)
    context.actions.push(SetPins{{*token, context.scene.pins.key}});
  return token;
}

} // namespace

void takeInput(const MaskScreen& screen, StrokesByHand& strokes) {
  const ViewContext& context = screen.context;
  strokes.beginFrame(screen.drawsByHand());
  const MaskFrame& first = screen.frames.front();
  Hover hover;
  const auto map = minimapArea(context.ui, first, screen.lengths());
  for (std::size_t k = 0; k < screen.frames.size(); ++k)
    if (const auto cell = pointIn(screen, k, map, strokes))
      hover = {cell->query, cell->key, k};
  if (map)
    pointAtMinimap(context, minimapInput(context.ui, *map), *map, first, screen.lengths());
  bool focused = ImGui::IsWindowFocused();
  for (std::size_t k = 0; k < screen.layout.images.size(); ++k) {
    const ImageGround ground(context.ui, screen.roomApart());
    focused = focused || ImGui::IsWindowFocused();
    if (const auto token = pointAtImage(screen, k))
      hover = {*token, std::nullopt, k};
  }
  if (context.blocked)
    return;
  if (hover != context.hover)
    context.actions.push(hover);
  if (focused && !typing())
    pressKeys(context, first, screen.lengths());
}

} // namespace attention::gui
