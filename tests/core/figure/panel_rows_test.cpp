// Rows of panels: laws over random panels, in all numbers of columns.
#include "core/plot/panel_rows.h"
#include "core/plot/ticks.h"
#include "tests/catch.h"

#include <algorithm>
#include <random>

using namespace attention;

namespace {

constexpr double kType = 13;

// Matrices and curves, with and without axes of their own, one to three plots each.
std::vector<PanelSpace> randomPanels(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::size_t>(random() % end); };
  const auto pixels = [&] { return static_cast<double>(below(900)) / 10; };
  std::vector<PanelSpace> panels(1 + below(9));
  for (PanelSpace& panel : panels) {
    panel.ownLeft = below(2) > 0 ? pixels() : 0;
    panel.left = panel.ownLeft > 0 ? panel.ownLeft : pixels();
    panel.right = pixels();
    panel.curves = below(3) > 0;
    panel.alone = below(6) == 0;
    panel.legendLines = below(4);
    panel.titleLines = below(3);
    for (std::size_t plots = 1 + below(3); plots > 0; --plots)
      panel.plots.push_back({{0, pixels(), 0, pixels()}, 1, 0.2 + pixels() / 90});
  }
  return panels;
}

// A panel where its row is placed.
struct Placed {
  double left = 0; // of its plots
  double right = 0;
};

std::vector<Placed> placed(const PanelRows& rows, const PanelRow& row, double plotWidth) {
  std::vector<Placed> panels;
  double x = rows.left();
  for (std::size_t k = 0; k < row.count; ++k) {
    panels.push_back({x, x + row.width.at(plotWidth)});
    x = panels.back().right + (k < row.gaps.size() ? row.gaps[k] : 0);
  }
  return panels;
}

template <class Check>
void overRandomRows(Check check) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::vector<PanelSpace> panels = randomPanels(seed);
    for (std::size_t columns = 1; columns <= panels.size(); ++columns)
      for (const double spread : {0.0, 17.0}) {
        CAPTURE(seed, columns, spread);
        check(PanelRows(panels, columns, kType, spread), columns);
      }
  }
}

bool isInColumns(const PanelRow& row) {
  return row.width.fixed == 0 && row.width.share == 1;
}

} // namespace

TEST_CASE("Rows hold every panel once, in order, with no more panels than columns", "[rows]") {
  overRandomRows([](const PanelRows& rows, std::size_t columns) {
    std::size_t next = 0;
    for (const PanelRow& row : rows.rows()) {
      CHECK(row.first == next);
      CHECK(row.count >= 1);
      CHECK(row.count <= columns);
      CHECK(row.gaps.size() == row.count - 1);
      for (std::size_t k = row.first; k < row.first + row.count; ++k)
        CHECK((row.count == 1 || !rows.panels()[k].alone));
      next += row.count;
    }
    CHECK(next == rows.panels().size());
    next = 0;
    rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      CHECK(k == next++);
      CHECK((k >= row.first && k < row.first + row.count));
    });
  });
}

TEST_CASE("Axes, labels, titles and legends of neighbours do not touch", "[rows]") {
  overRandomRows([](const PanelRows& rows, std::size_t) {
    for (const PanelRow& row : rows.rows()) {
      const std::vector<Placed> at = placed(rows, row, 400);
      for (std::size_t k = row.first; k + 1 < row.first + row.count; ++k) {
        const PanelSpace& panel = rows.panels()[k];
        const PanelSpace& next = rows.panels()[k + 1];
        const double end = at[k - row.first].right;
        const double begin = at[k + 1 - row.first].left;
        CHECK(end + panel.right < begin - next.ownLeft);
        CHECK(end + rows.titleRoom(row, k).right < begin - rows.titleRoom(row, k + 1).left);
        CHECK(end + rows.legendRoom(row, k) < begin - next.ownLeft);
      }
    }
  });
}

TEST_CASE("Every row with its axes and labels fits the width at all widths of plots", "[rows]") {
  overRandomRows([](const PanelRows& rows, std::size_t) {
    for (const double plotWidth : {0.0, 50.0, 333.0})
      for (const PanelRow& row : rows.rows()) {
        CHECK(rows.left() >= rows.panels()[row.first].left);
        CHECK(row.right >= rows.panels()[row.first + row.count - 1].right);
        const double end = placed(rows, row, plotWidth).back().right + row.right;
        const double whole = rows.width().at(plotWidth);
        if (isInColumns(row))
          CHECK(end <= whole + 1e-9);
        else
          CHECK(end == Approx(whole));
      }
  });
}

TEST_CASE("Panels of a column are aligned", "[rows]") {
  overRandomRows([](const PanelRows& rows, std::size_t) {
    std::vector<Placed> columns;
    for (const PanelRow& row : rows.rows()) {
      if (!isInColumns(row))
        continue;
      const std::vector<Placed> at = placed(rows, row, 100);
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (k == columns.size())
          columns.push_back(at[k]);
        CHECK(at[k].left == Approx(columns[k].left));
      }
    }
  });
}

TEST_CASE("The height is that of titles, plots, axes and legends at all widths of plots",
          "[rows]") {
  overRandomRows([](const PanelRows& rows, std::size_t) {
    for (const double plotWidth : {0.0, 50.0, 333.0}) {
      double height = (static_cast<double>(rows.rows().size()) - 1) * kFigureGap * kType;
      for (const PanelRow& row : rows.rows()) {
        std::size_t plots = 0;
        for (std::size_t k = row.first; k < row.first + row.count; ++k)
          plots = std::max(plots, rows.panels()[k].plots.size());
        double of = rows.titleHeight(row) + rows.legendHeight(row);
        for (std::size_t k = 0; k < plots; ++k)
          of += rows.above(row, k) + rows.heightOfPlot(row, k).at(plotWidth) + rows.below(row, k);
        CHECK(row.height.at(plotWidth) == Approx(of));
        height += of;
      }
      CHECK(rows.height().at(plotWidth) == Approx(height));
    }
  });
}

TEST_CASE("Titles and legends have the height of all their lines", "[rows]") {
  overRandomRows([](const PanelRows& rows, std::size_t) {
    rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const PanelSpace& panel = rows.panels()[k];
      const double line = kLineHeight * kType;
      CHECK(rows.titleHeight(row) >= static_cast<double>(panel.titleLines) * line);
      CHECK(rows.legendHeight(row) >= static_cast<double>(panel.legendLines) * line);
    });
  });
}

TEST_CASE("A growing length reaches its value at a width", "[rows]") {
  const Growing length{12, 3};
  for (const double plotWidth : {0.0, 50.0, 333.0})
    CHECK(length.plotWidthFor(length.at(plotWidth)) == Approx(plotWidth));
}
