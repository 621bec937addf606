#include "app/gui/views/attention_pointer.h"

#include "app/gui/views/mask_pointer.h"
#include "app/gui/views/paint.h"
#include "app/gui/views/plot_hover.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

MaskFrame frameOf(const ValuesMark& mark, const Rect& box) {
  return {box, static_cast<double>(mark.cells.rowBegin), static_cast<double>(mark.cells.keyBegin),
          static_cast<double>(widthOf(box)) /
              static_cast<double>(mark.cells.keyEnd - mark.cells.keyBegin)};
}

// Runs `point` with the cameras that it emits made whole.
template <class Point>
void emitWhole(const ViewContext& context, const ValuesMark& mark, const Point& point) {
  for (Action& action : context.actions.emittedBy(point)) {
    if (auto* camera = std::get_if<SetCamera>(&action)) {
      camera->camera = wholeCells(camera->camera, mark.cells, context.results.lengths);
      if (camera->camera == context.scene.camera)
        continue;
    }
    context.actions.push(std::move(action));
  }
}

} // namespace

float wholePart(float& rest, float moved, float cell) {
  rest += moved;
  const float whole = std::trunc(rest / cell) * cell;
  rest -= whole;
  return whole;
}

std::optional<Hover> WholeCellPointer::point(const ViewContext& context, CanvasInput input,
                                             const ValuesMark& mark, const Rect& box) {
  const MaskFrame frame = frameOf(mark, box);
  if (input.pressed)
    restX_ = restY_ = 0;
  if (input.dragging) {
    const auto cell = static_cast<float>(frame.scale);
    input.dragX = wholePart(restX_, input.dragX, cell);
    input.dragY = wholePart(restY_, input.dragY, cell);
  }
  emitWhole(context, mark, [&] { pointAtMatrix(context, input, frame, context.results.lengths); });
  return input.hovered ? cellUnder(mark, box, ImVec2(input.mouseX, input.mouseY)) : std::nullopt;
}

void WholeCellPointer::press(const ViewContext& context, const ValuesMark& mark,
                             const Rect& box) const {
  emitWhole(context, mark,
            [&] { pressKeys(context, frameOf(mark, box), context.results.lengths); });
}

std::optional<Camera> wholeCells(const std::optional<Camera>& wanted, const attention::Rect& before,
                                 const Lengths& lengths) {
  if (!wanted)
    return std::nullopt;
  const Index most = std::max(lengths.queries, lengths.keys);
  const Index old = std::max(before.rowEnd - before.rowBegin, before.keyEnd - before.keyBegin);
  Index cells = std::llround(wanted->cells);
  const double change = wanted->cells / static_cast<double>(old);
  if (change < 1 - 1e-6)
    cells = std::min(cells, old - 1);
  if (change > 1 + 1e-6)
    cells = std::max(cells, old + 1);
  cells = std::max<Index>(cells, 1);
  if (cells >= most)
    return std::nullopt;
  const auto begin = [&](double centre, Index n) {
    const Index wish = std::llround(centre - static_cast<double>(cells) / 2);
    return static_cast<double>(std::clamp<Index>(wish, 0, std::max<Index>(n - cells, 0)));
  };
  const double half = static_cast<double>(cells) / 2;
  return Camera{begin(wanted->query, lengths.queries) + half,
                begin(wanted->key, lengths.keys) + half, static_cast<double>(cells)};
}

} // namespace attention::gui
