// A figure's display list taken apart: lines, cells and words by their places, so that a test can
// name each one and know that there are no others.
#pragma once

#include "core/plot/layout.h"
#include "core/views/scene_figure.h"
#include "tests/core/figure/measured.h"

#include <cmath>
#include <string>
#include <vector>

namespace attention {

inline DisplayList drawn(const Scene& scene, const SceneFigureOptions& options = {}) {
  return layout(figureOfScene(scene, options), Size{900, 600}, kMeasure);
}

inline std::vector<std::string> wordsOf(const DisplayList& list) {
  std::vector<std::string> words;
  for (const Text& text : all<Text>(list))
    words.push_back(text.text);
  return words;
}

inline bool near(double a, double b) {
  return std::abs(a - b) < 0.01;
}
inline bool near(const Box& a, const Box& b) {
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}

// Where a line of two points goes.
struct DrawnLine {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;
};

// How many lines of two points go there, in either direction.
inline int linesAt(const DisplayList& list, const DrawnLine& at) {
  int count = 0;
  for (const Polyline& line : all<Polyline>(list)) {
    if (line.points.size() != 2)
      continue;
    const Point& p = line.points[0];
    const Point& q = line.points[1];
    const bool along = near(p.x, at.x0) && near(p.y, at.y0) && near(q.x, at.x1) && near(q.y, at.y1);
    const bool back = near(q.x, at.x0) && near(q.y, at.y0) && near(p.x, at.x1) && near(p.y, at.y1);
    count += along || back ? 1 : 0;
  }
  return count;
}

// A matrix of rows × cols cells in a frame.
struct Lattice2D {
  Box frame;
  Index rows = 0;
  Index cols = 0;

  double width() const { return frame.width / static_cast<double>(cols); }
  double height() const { return frame.height / static_cast<double>(rows); }
  double x(double col) const { return frame.x + col * width(); }
  double y(double row) const { return frame.y + row * height(); }
};

// The lines between its cells, each once; returns how many there are.
inline int checkGrid(const DisplayList& list, const Lattice2D& of) {
  for (Index k = 1; k < of.cols; ++k) {
    const double x = of.x(static_cast<double>(k));
    CHECK(linesAt(list, {x, of.frame.y, x, of.frame.bottom()}) == 1);
  }
  for (Index k = 1; k < of.rows; ++k) {
    const double y = of.y(static_cast<double>(k));
    CHECK(linesAt(list, {of.frame.x, y, of.frame.right(), y}) == 1);
  }
  return static_cast<int>(of.cols + of.rows - 2);
}

// The colours of its cells, row by row, drawn as boxes; opacity 0 if there is none. No cell is
// drawn twice.
inline std::vector<Color> cellColors(const DisplayList& list, const Lattice2D& of) {
  std::vector<Color> cells(static_cast<std::size_t>(of.rows * of.cols), Color{0, 0, 0, 0});
  for (const FillBoxes& fill : all<FillBoxes>(list)) {
    if (!near(fill.origin.x, of.frame.x) || !near(fill.origin.y, of.frame.y) ||
        !near(fill.unit.width, of.width()))
      continue;
    for (const Box& box : fill.boxes)
      for (double y = box.y; y < box.bottom() - 0.5; ++y)
        for (double x = box.x; x < box.right() - 0.5; ++x) {
          Color& cell = cells.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(of.cols) +
                                 static_cast<std::size_t>(x));
          CHECK(cell.a == 0);
          cell = fill.color;
        }
  }
  return cells;
}

// The colour of the swatch to the left of a legend's words.
inline Color swatchOf(const DisplayList& list, const std::string& words) {
  for (const Text& text : all<Text>(list))
    if (text.text == words)
      for (const FillBoxes& fill : all<FillBoxes>(list)) {
        const double right = fill.origin.x + fill.unit.width;
        const double bottom = fill.origin.y + fill.unit.height;
        if (fill.boxes.size() == 1 && right < text.at.x && text.at.x - right < 10 &&
            std::abs(bottom - text.at.y) < 4)
          return fill.color;
      }
  FAIL("no swatch beside " << words);
  return {};
}

// The words whose middle, left or right end is there.
inline const Text* textAt(const std::vector<Text>& texts, double x, double y, double within = 6) {
  for (const Text& text : texts)
    if (std::abs(text.at.x - x) < within && std::abs(text.at.y - y) < within)
      return &text;
  return nullptr;
}

using Words = std::vector<std::string>;

} // namespace attention
