#include "app/gui/pictures/mask_camera.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

double spanOfKeys(const Rect& area) {
  return std::max<double>(area.x1 - area.x0, 1);
}
double spanOfRows(const Rect& area) {
  return std::max<double>(area.y1 - area.y0, 1);
}

double nearestScale(const Lengths& lengths, const Rect& area) {
  return std::max(fitScale(lengths, area),
                  std::min(spanOfKeys(area), spanOfRows(area)) / kFewestCells);
}

// The first of `shown` cells that start near `start`: inside [0, n], or with n centred.
double limitedStart(double start, double shown, double n) {
  return shown >= n ? (n - shown) / 2 : std::clamp(start, 0.0, n - shown);
}

MaskFrame limited(MaskFrame frame, const Lengths& lengths) {
  const double fit = fitScale(lengths, frame.area);
  frame.scale = std::clamp(frame.scale, fit, nearestScale(lengths, frame.area));
  frame.query0 = limitedStart(frame.query0, spanOfRows(frame.area) / frame.scale,
                              static_cast<double>(lengths.queries));
  frame.key0 = limitedStart(frame.key0, spanOfKeys(frame.area) / frame.scale,
                            static_cast<double>(lengths.keys));
  return frame;
}

// What the Scene keeps of a frame.
std::optional<Camera> cameraOf(const MaskFrame& asked, const Lengths& lengths) {
  const MaskFrame frame = limited(asked, lengths);
  constexpr double kSame = 1 + 1e-9;
  if (frame.scale <= fitScale(lengths, frame.area) * kSame)
    return std::nullopt;
  const double width = spanOfKeys(frame.area) / frame.scale;
  const double height = spanOfRows(frame.area) / frame.scale;
  return Camera{frame.query0 + height / 2, frame.key0 + width / 2, std::min(width, height)};
}

// The start that brings [begin, end) into [start, start + shown) with the least movement.
double startShowing(double start, double shown, double begin, double end) {
  if (end - begin > shown)
    return start;
  return std::clamp(start, end - shown, begin);
}

} // namespace

double fitScale(const Lengths& lengths, const Rect& area) {
  return std::min(spanOfKeys(area) / static_cast<double>(lengths.keys),
                  spanOfRows(area) / static_cast<double>(lengths.queries));
}

MaskFrame frameOf(const Lengths& lengths, const std::optional<Camera>& camera, const Rect& area) {
  MaskFrame frame{area, 0, 0, fitScale(lengths, area)};
  if (camera && camera->cells > 0) {
    frame.scale = std::min(spanOfKeys(area), spanOfRows(area)) / camera->cells;
    frame.query0 = camera->query - spanOfRows(area) / frame.scale / 2;
    frame.key0 = camera->key - spanOfKeys(area) / frame.scale / 2;
  }
  return limited(frame, lengths);
}

std::optional<Camera> zoomed(const MaskFrame& frame, const Lengths& lengths, double factor, float x,
                             float y) {
  MaskFrame next = frame;
  next.scale = std::clamp(frame.scale * factor, fitScale(lengths, frame.area),
                          nearestScale(lengths, frame.area));
  next.query0 = frame.queryAt(y) - (y - frame.area.y0) / next.scale;
  next.key0 = frame.keyAt(x) - (x - frame.area.x0) / next.scale;
  return cameraOf(next, lengths);
}

std::optional<Camera> panned(const MaskFrame& frame, const Lengths& lengths, float dx, float dy) {
  MaskFrame next = frame;
  next.query0 -= dy / frame.scale;
  next.key0 -= dx / frame.scale;
  return cameraOf(next, lengths);
}

std::optional<Camera> centredOn(const MaskFrame& frame, const Lengths& lengths, double query,
                                double key) {
  MaskFrame next = frame;
  next.query0 = query - spanOfRows(frame.area) / frame.scale / 2;
  next.key0 = key - spanOfKeys(frame.area) / frame.scale / 2;
  return cameraOf(next, lengths);
}

std::optional<Camera> showing(const MaskFrame& frame, const Lengths& lengths,
                              const std::optional<Camera>& camera, const CellRect& cells) {
  MaskFrame next = frame;
  next.query0 =
      startShowing(frame.query0, spanOfRows(frame.area) / frame.scale,
                   static_cast<double>(cells.rowBegin), static_cast<double>(cells.rowEnd));
  next.key0 = startShowing(frame.key0, spanOfKeys(frame.area) / frame.scale,
                           static_cast<double>(cells.keyBegin), static_cast<double>(cells.keyEnd));
  return next == frame ? camera : cameraOf(next, lengths);
}

std::optional<Cell> cellAt(const MaskFrame& frame, const Lengths& lengths, float x, float y) {
  const Rect& a = frame.area;
  if (x < a.x0 || x >= a.x1 || y < a.y0 || y >= a.y1)
    return std::nullopt;
  const auto query = static_cast<Index>(std::floor(frame.queryAt(y)));
  const auto key = static_cast<Index>(std::floor(frame.keyAt(x)));
  if (query < 0 || query >= lengths.queries || key < 0 || key >= lengths.keys)
    return std::nullopt;
  return Cell{query, key};
}

CellRect visibleCells(const MaskFrame& frame, const Lengths& lengths) {
  const auto first = [](double at) {
    return std::max<Index>(static_cast<Index>(std::floor(at + 1e-6)), 0);
  };
  const auto last = [](double at, Index n) {
    return std::min(static_cast<Index>(std::ceil(at - 1e-6)), n);
  };
  return {first(frame.query0),
          last(frame.query0 + spanOfRows(frame.area) / frame.scale, lengths.queries),
          first(frame.key0), last(frame.key0 + spanOfKeys(frame.area) / frame.scale, lengths.keys)};
}

Rect maskOutline(const MaskFrame& frame, const Lengths& lengths) {
  const Rect& a = frame.area;
  return {std::max(a.x0, frame.x(0)), std::max(a.y0, frame.y(0)),
          std::min(a.x1, frame.x(static_cast<double>(lengths.keys))),
          std::min(a.y1, frame.y(static_cast<double>(lengths.queries)))};
}

MaskFrame cutToMask(const MaskFrame& frame, const Lengths& lengths) {
  const Rect outline = maskOutline(frame, lengths);
  return {outline, frame.queryAt(outline.y0), frame.keyAt(outline.x0), frame.scale};
}

} // namespace attention::gui
