#include "app/gui/pictures/plot_pointer.h"

#include "app/gui/pictures/mask_pointer.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/widgets/group_digits.h"
#include "core/plot/point_words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

bool inside(const Rect& box, ImVec2 p) {
  return p.x >= box.x0 && p.x < box.x1 && p.y >= box.y0 && p.y < box.y1;
}

// Bars are hit by their x only.
double distanceTo(CurveKind kind, ImVec2 place, ImVec2 pointer) {
  const auto x = static_cast<double>(place.x - pointer.x);
  const auto y = static_cast<double>(place.y - pointer.y);
  return kind == CurveKind::Bars ? std::abs(x) : std::hypot(x, y);
}

std::string fieldWords(const CurvesMark& mark, const Rect& box, ImVec2 pointer) {
  const Matrix<float>& values = *mark.field->values;
  const double across = static_cast<double>((pointer.x - box.x0) / widthOf(box));
  const double down = static_cast<double>((pointer.y - box.y0) / heightOf(box));
  const auto at = [](double share, Index count) {
    return std::clamp<Index>(static_cast<Index>(share * static_cast<double>(count)), 0, count - 1);
  };
  const float value = values(at(down, values.rows()), at(across, values.cols()));
  const auto number = static_cast<double>(value);
  return mark.field->across + " = " + shortNumber(valueAt(mark.x, across), 3) + ", " +
         mark.field->down + " = " + shortNumber(valueAt(mark.y, 1 - down), 3) + ": " +
         mark.field->number + " = " +
         shortNumber(mark.field->decades ? std::pow(10.0, number) : number, 3);
}

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

std::string wordsAt(const CurvesMark& mark, const Rect& box, ImVec2 pointer, float reach,
                    const std::string& number) {
  if (!inside(box, pointer))
    return {};
  if (mark.field)
    return fieldWords(mark, box, pointer);
  double least = static_cast<double>(reach);
  std::string words;
  const auto meet = [&](const std::string& label, const Point& point, CurveKind kind) {
    const ImVec2 place(box.x0 + static_cast<float>(shareOf(mark.x, point.x)) * widthOf(box),
                       box.y1 - static_cast<float>(shareOf(mark.y, point.y)) * heightOf(box));
    const double away = distanceTo(kind, place, pointer);
    if (away < least) { // not where it is NaN
      least = away;
      words = pointWords(mark, label, point, number);
    }
  };
  for (const NamedPoint& point : mark.named)
    meet(point.label, point.at, CurveKind::Points);
  for (const Curve& curve : mark.curves)
    for (const Point& point : curve.points)
      meet(nameOf(curve), point, curve.kind);
  return words;
}

std::optional<Hover> cellUnder(const ValuesMark& mark, const Rect& box, ImVec2 pointer) {
  if (!inside(box, pointer))
    return std::nullopt;
  const auto at = [](float share, Index begin, Index end) {
    return begin + std::clamp<Index>(static_cast<Index>(share * static_cast<float>(end - begin)), 0,
                                     end - begin - 1);
  };
  return Hover{at((pointer.y - box.y0) / heightOf(box), mark.cells.rowBegin, mark.cells.rowEnd),
               at((pointer.x - box.x0) / widthOf(box), mark.cells.keyBegin, mark.cells.keyEnd)};
}

const DiagramBox* boxUnder(const DiagramMark& mark, const Rect& box, ImVec2 pointer) {
  const auto x = static_cast<double>((pointer.x - box.x0) / widthOf(box)) * mark.width;
  const auto y = static_cast<double>((pointer.y - box.y0) / heightOf(box)) * mark.height;
  const auto found = std::find_if(mark.boxes.begin(), mark.boxes.end(), [&](const DiagramBox& of) {
    return x >= of.box.x && x < of.box.right() && y >= of.box.y && y < of.box.bottom();
  });
  return found == mark.boxes.end() ? nullptr : &*found;
}

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
