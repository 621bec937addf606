// Curves of kind Points: hollow squares at their places and no line.
#include "core/plot/curves.h"
#include "core/plot/layout.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <cmath>

using namespace attention;

namespace {

Figure figureOf(CurvesMark mark) {
  Figure figure;
  figure.panels.push_back({"a panel", {{std::move(mark), std::nullopt, std::nullopt}}, {}});
  return figure;
}

CurvesMark markOf(CurveKind kind) {
  CurvesMark mark;
  mark.x = {"x", Scale::Linear, 0, 10};
  mark.y = {"y", Scale::Linear, 0, 4};
  Curve line;
  line.label = "measured";
  line.points = {{0, 0.5}, {5, 1}, {10, 1.5}};
  Curve points;
  points.label = "bound";
  points.hue = 1;
  points.kind = kind;
  points.points = {{2, 3}, {4, 2}, {7, 3.5}, {8, 9}, {12, 1}, {6, std::nan("")}};
  mark.curves = {line, points};
  return mark;
}

} // namespace

TEST_CASE("points are squares around their places, only inside the axes, and have no line") {
  const CurvesMark mark = markOf(CurveKind::Points);
  const DisplayList list = layout(figureOf(mark), Size{600, 400}, kMeasure);
  const FigureColors& colors = figureColors(FigureTheme::Light);
  std::optional<Box> frame;
  std::vector<Box> squares;
  for (const StrokeBox& stroke : all<StrokeBox>(list)) {
    if (stroke.color == colors.frame)
      frame = stroke.box;
    if (stroke.color == colors.series[1])
      squares.push_back(stroke.box);
  }
  REQUIRE(frame.has_value());
  REQUIRE(squares.size() == 3); // not those above the axes, right of them, and without a number
  for (std::size_t k = 0; k < 3; ++k) {
    const Point& at = mark.curves[1].points[k];
    CHECK(squares[k].width == squares[k].height);
    CHECK(squares[k].width > 4);
    CHECK(squares[k].width < 12);
    CHECK(squares[k].x + squares[k].width / 2 ==
          Approx(frame->x + at.x / 10 * frame->width).margin(1e-6));
    CHECK(squares[k].y + squares[k].height / 2 ==
          Approx(frame->bottom() - at.y / 4 * frame->height).margin(1e-6));
  }
  const auto longLine = [&](const Polyline& line) {
    return line.color == colors.series[1] && line.points.size() > 2;
  };
  const auto lines = all<Polyline>(list);
  CHECK(std::none_of(lines.begin(), lines.end(), longLine));
  for (const Markers& markers : all<Markers>(list))
    CHECK_FALSE(markers.color == colors.series[1]);
}

TEST_CASE("points lie over lines, and their name stands beside the last one") {
  const DisplayList list = layout(figureOf(markOf(CurveKind::Points)), Size{600, 400}, kMeasure);
  const FigureColors& colors = figureColors(FigureTheme::Light);
  std::ptrdiff_t line = -1;
  std::ptrdiff_t square = -1;
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    const auto* stroke = std::get_if<StrokeBox>(&list.items[k]);
    const auto* polyline = std::get_if<Polyline>(&list.items[k]);
    if (stroke && stroke->color == colors.series[1] && square < 0)
      square = static_cast<std::ptrdiff_t>(k);
    if (polyline && polyline->color == colors.series[0])
      line = std::max(line, static_cast<std::ptrdiff_t>(k));
  }
  CHECK(line >= 0);
  CHECK(square > line - 2);
  const auto texts = all<Text>(list);
  const auto name = std::find_if(texts.begin(), texts.end(),
                                 [](const Text& text) { return text.text == "bound"; });
  REQUIRE(name != texts.end());
  CHECK(name->at.x < 600 * 0.95); // not at the right end, where the measured curve has its name
}

TEST_CASE("each kind of curve has its own width, markers and dashes") {
  const FigureColors& colors = figureColors(FigureTheme::Light);
  double widths[3] = {};
  std::size_t at = 0;
  for (const CurveKind kind : {CurveKind::Data, CurveKind::Theory, CurveKind::Level}) {
    CurvesMark mark = markOf(kind);
    mark.curves[1].points.resize(3);
    mark.curves[1].dash = Dash::Dashed;
    const DisplayList list = layout(figureOf(mark), Size{600, 400}, kMeasure);
    std::vector<Polyline> dashed;
    for (const Polyline& line : all<Polyline>(list))
      if (line.dash == Dash::Dashed)
        dashed.push_back(line);
    REQUIRE(dashed.size() == 1);
    CHECK(dashed[0].points.size() == 3);
    widths[at++] = dashed[0].width;
    CHECK((dashed[0].color == colors.series[1]) == (kind != CurveKind::Level));
    const auto dots = all<Markers>(list);
    const auto ofCurve = std::count_if(
        dots.begin(), dots.end(), [&](const Markers& m) { return m.color == colors.series[1]; });
    CHECK(ofCurve == (kind == CurveKind::Data ? 1 : 0));
  }
  CHECK(widths[0] > widths[1]);
  CHECK(widths[1] == widths[2]);
}
