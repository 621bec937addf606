#include "core/views/encodings/scene_encodings.h"

#include "core/support/number_text.h"
#include "core/support/stoppable.h"
#include "core/views/encodings/table_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

Matrix<float> rounded(const Matrix<double>& table) {
  Matrix<float> rounded(table.rows(), table.cols());
  std::transform(table.values().begin(), table.values().end(), rounded.data(),
                 [](double value) { return static_cast<float>(value); });
  return rounded;
}

std::shared_ptr<const Matrix<float>> tablePixels(const Matrix<float>& table, const Run& run) {
  const std::array parts{TablePart{table}};
  return pixelMeans(table.rows(), table.cols(), parts, run);
}

std::shared_ptr<const Matrix<float>> encodingPixels(const EncodingsAnswer& of, const Run& run) {
  const AxialShape& shape = of.shape;
  const bool docs = shape.reading == AxialReading::Docs;
  const std::array parts{TablePart{of.e1, docs ? 1 : shape.l2, 0},
                         TablePart{of.e2, docs ? shape.l1 : 1, shape.d1}};
  return pixelMeans(shape.length(), shape.width(), parts, run);
}

// Whether a pixel of the encoding or of a table holds more than one number.
bool hasMeans(const EncodingsAnswer& of) {
  const AxialShape& shape = of.shape;
  return std::max({shape.length(), shape.l1, shape.l2}) > kMostPixelRows ||
         shape.width() > kMostPixelColumns;
}

// Of a pixel's first pair of rows: numbers change evenly over them.
std::shared_ptr<const Matrix<float>> positionPixels(const AxialShape& shape) {
  Matrix<float> pixels(std::min(shape.l2, kMostPixelColumns),
                       std::min(shape.l1, kMostPixelColumns));
  for (Index y = 0; y < pixels.rows(); ++y)
    for (Index x = 0; x < pixels.cols(); ++x) {
      const Index j =
          axialPosition(shape, x * shape.l1 / pixels.cols(), y * shape.l2 / pixels.rows());
      pixels(y, x) = j < shape.length() ? static_cast<float>(j) : -1.0F;
    }
  return std::make_shared<const Matrix<float>>(std::move(pixels));
}

float largestSize(const Matrix<float>& table) {
  float top = 0;
  for (const float value : table.values())
    top = std::max(top, std::abs(value));
  return top;
}

NumberAxis overCells(std::string label, Index count, bool downwards) {
  NumberAxis axis{std::move(label), Scale::Linear, 0, static_cast<double>(count), true};
  axis.downwards = downwards;
  axis.cells = true;
  return axis;
}

Plot heatMap(NumberAxis x, NumberAxis y, Field field) {
  CurvesMark mark;
  mark.x = std::move(x);
  mark.y = std::move(y);
  mark.field = std::move(field);
  mark.aspect = 1;
  return {std::move(mark), {}, {}};
}

// A line through the middle of a row, over columns `from` to `to`.
void markRow(Plot& plot, Index row, Index from, Index to) {
  const double y = static_cast<double>(row) + 0.5;
  Curve line;
  line.kind = CurveKind::Level;
  line.points = {{static_cast<double>(from), y}, {static_cast<double>(to), y}};
  std::get<CurvesMark>(plot.mark).curves.push_back(std::move(line));
}

std::string sizes(const AxialShape& shape) {
  return groupedDigits(shape.l1) + " × " + groupedDigits(shape.d1) + " and " +
         groupedDigits(shape.l2) + " × " + groupedDigits(shape.d2);
}

std::string sized(const char* name, Index rows, Index cols) {
  return std::string(name) + ", " + groupedDigits(rows) + " × " + groupedDigits(cols);
}

// "positions 5, 21, 37 …": those with this row of E1.
std::string sharing(const AxialShape& shape, Index row1) {
  const std::vector<Index> positions = positionsOfRow1(shape, row1);
  std::string text = positions.size() == 1 ? "position " : "positions ";
  for (std::size_t k = 0; k < std::min<std::size_t>(positions.size(), 3); ++k)
    text += (k > 0 ? ", " : "") + groupedDigits(positions[k]);
  return text + (positions.size() > 3 ? " …" : ".");
}

} // namespace

std::pair<Matrix<float>, Matrix<float>> encodingTables(const EncodingsSpec& spec) {
  const AxialTablePair tables =
      axialTables(axialShape(spec), spec.tables, static_cast<std::uint64_t>(spec.seed));
  return {rounded(tables.e1), rounded(tables.e2)};
}

EncodingsAnswer encodingsAnswer(const EncodingsSpec& spec, const Run& run) {
  EncodingsAnswer answer;
  answer.spec = spec;
  answer.shape = axialShape(spec);
  std::tie(answer.e1, answer.e2) = stoppable([spec] { return encodingTables(spec); }, run);
  run.check();
  answer.distinct1 = rowsDistinct(std::as_const(answer.e1).view());
  run.check();
  answer.distinct2 = rowsDistinct(std::as_const(answer.e2).view());
  answer.top = std::max(largestSize(answer.e1), largestSize(answer.e2));
  answer.pixels1 = tablePixels(answer.e1, run);
  answer.pixels2 = tablePixels(answer.e2, run);
  answer.pixels = encodingPixels(answer, run);
  answer.positions = positionPixels(answer.shape);
  return answer;
}

EncodingsPlots encodingsPlots(const EncodingsAnswer& of) {
  const AxialShape& shape = of.shape;
  const auto values = [&](const std::shared_ptr<const Matrix<float>>& pixels) {
    return Field{pixels, Ramp::Diverging, of.top, "feature", "row"};
  };
  EncodingsPlots plots{heatMap(overCells("feature", shape.d1, false),
                               overCells("row of E1", shape.l1, true), values(of.pixels1)),
                       heatMap(overCells("feature", shape.d2, false),
                               overCells("row of E2", shape.l2, true), values(of.pixels2)),
                       heatMap(overCells("feature", shape.width(), false),
                               overCells("position j", shape.length(), true), values(of.pixels)),
                       heatMap(overCells("row of E1", shape.l1, false),
                               overCells("row of E2", shape.l2, true),
                               {of.positions, Ramp::Hops, static_cast<float>(shape.length())})};
  std::get<CurvesMark>(plots.e.mark).uprights.push_back({static_cast<double>(shape.d1), ""});
  return plots;
}

std::string encodingsTitle(const EncodingsAnswer& of) {
  return "Axial positional encoding of " + counted(of.shape.length(), "position") +
         " from tables of " + sizes(of.shape);
}

std::vector<LegendEntry> encodingsLegend(const EncodingsAnswer& of, FigureTheme theme) {
  std::vector<LegendEntry> legend;
  const auto top = static_cast<double>(of.top);
  for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0})
    legend.push_back(
        {rampColor(Ramp::Diverging, share * top, top, theme), readableNumber(share * top)});
  return legend;
}

std::string traceText(const AxialShape& shape, Index position) {
  const auto [a, b] = axialRows(shape, position);
  return "position " + groupedDigits(position) + " is row " + groupedDigits(a) +
         " of E1 beside row " + groupedDigits(b) + " of E2";
}

std::string rowText(const AxialShape& shape, bool first, Index row) {
  const std::vector<Index> positions =
      first ? positionsOfRow1(shape, row) : positionsOfRow2(shape, row);
  std::string few;
  for (std::size_t k = 0; k < std::min<std::size_t>(positions.size(), 3); ++k)
    few += (k > 0 ? ", " : "") + groupedDigits(positions[k]);
  return "row " + groupedDigits(row) + " of " + (first ? "E1" : "E2") + " belongs to " +
         counted(std::ssize(positions), "position") + ": " + few +
         (positions.size() > 3 ? " …" : "");
}

namespace {

// What the tables save; of a grid that is not all encoded, of what.
std::string savingText(const EncodingsAnswer& of) {
  const AxialShape& shape = of.shape;
  const AxialParameters numbers = axialParameters(shape);
  const double factor = static_cast<double>(numbers.full) / static_cast<double>(numbers.axial);
  const bool whole = shape.length() == shape.l1 * shape.l2;
  std::string text =
      counted(numbers.axial, "number") + agreeing(numbers.axial, " is ", " are ") +
      (of.spec.tables == AxialTables::Sinusoidal ? "stored" : "learnt") + " instead of " +
      groupedDigits(numbers.full) +
      (whole ? "" : " for all " + counted(shape.l1 * shape.l2, "position") + " of the grid") +
      (factor > 1    ? ", " + readableNumber(factor) + " times fewer."
       : factor == 1 ? ": as many as one row per position takes."
                     : ": more than one row per position takes.");
  return whole ? text
               : text + " One row for each of the " + counted(shape.length(), "position") +
                     " here would take " + groupedDigits(shape.length() * shape.width()) + ".";
}

// Which table changes from one position to the next.
std::string neighboursText(const AxialShape& shape) {
  const bool docs = shape.reading == AxialReading::Docs;
  const char* const fast = docs ? "E1" : "E2";
  const char* const slow = docs ? "E2" : "E1";
  const std::string of = docs ? "ℓ1" : "ℓ2";
  if (shape.length() == 1)
    return "There is one position: ";
  if ((docs ? shape.l1 : shape.l2) == 1)
    return std::string("Neighbours share ") + fast + ", which has one row, and differ in " + slow +
           ": ";
  return std::string("Neighbours differ in ") + fast + " and share " + slow + " for " + of +
         " positions: ";
}

} // namespace

std::vector<std::string> readingOf(const EncodingsAnswer& of) {
  const AxialShape& shape = of.shape;
  const Index row1 = axialRows(shape, positionOf(of.spec)).first;
  std::vector<std::string> sentences{
      savingText(of), neighboursText(shape) + traceText(shape, positionOf(of.spec)) + ".",
      "Row " + groupedDigits(row1) + " of E1 serves " + sharing(shape, row1)};
  if (of.distinct1 && of.distinct2)
    sentences.emplace_back("Every position has a different encoding.");
  else
    sentences.push_back(std::string("Two rows of ") + (of.distinct1 ? "E2" : "E1") +
                        " are the same, so some positions cannot be told apart.");
  if (hasMeans(of))
    sentences.emplace_back(
        "There are more numbers than pixels, so each pixel shows the mean of several.");
  return sentences;
}

namespace {

constexpr Index kMostTold = 4096; // rows, or cells of the grid

// Every row of a plot over so many features tells `wordsOf` it.
void tellRows(Plot& plot, Index rows, Index features,
              const std::function<std::string(Index)>& wordsOf) {
  if (rows > kMostTold)
    return;
  plot.told = [=] {
    std::vector<PlaceWords> all;
    for (Index row = 0; row < rows; ++row)
      all.push_back(
          {{0, static_cast<double>(row), static_cast<double>(features), 1}, wordsOf(row)});
    return all;
  };
}

// Every cell of the grid tells its position, where it has one.
void tellGrid(Plot& plot, const AxialShape& shape) {
  if (shape.l1 * shape.l2 > kMostTold)
    return;
  plot.told = [shape] {
    std::vector<PlaceWords> all;
    for (Index b = 0; b < shape.l2; ++b)
      for (Index a = 0; a < shape.l1; ++a)
        if (const Index j = axialPosition(shape, a, b); j < shape.length())
          all.push_back(
              {{static_cast<double>(a), static_cast<double>(b), 1, 1}, traceText(shape, j)});
    return all;
  };
}

void tell(EncodingsPlots& plots, const AxialShape& shape) {
  tellRows(plots.e1, shape.l1, shape.d1, [shape](Index a) { return rowText(shape, true, a); });
  tellRows(plots.e2, shape.l2, shape.d2, [shape](Index b) { return rowText(shape, false, b); });
  tellRows(plots.e, shape.length(), shape.width(),
           [shape](Index j) { return traceText(shape, j); });
  tellGrid(plots.positions, shape);
}

} // namespace

Figure encodingsFigure(const EncodingsAnswer& of, FigureTheme theme) {
  EncodingsPlots plots = encodingsPlots(of);
  const AxialShape& shape = of.shape;
  tell(plots, shape);
  const Index position = positionOf(of.spec);
  const auto [a, b] = axialRows(shape, position);
  markRow(plots.e1, a, 0, shape.d1);
  markRow(plots.e2, b, 0, shape.d2);
  markRow(plots.e, position, 0, shape.width());
  markRow(plots.positions, b, a, a + 1);
  Figure figure;
  figure.title = encodingsTitle(of);
  figure.theme = theme;
  figure.panels = {
      {sized("E1", shape.l1, shape.d1), {std::move(plots.e1)}, {}},
      {sized("E2", shape.l2, shape.d2), {std::move(plots.e2)}, {}},
      {"position of each pair of rows", {std::move(plots.positions)}, {}},
      {sized("E = [E1 | E2]", shape.length(), shape.width()), {std::move(plots.e)}, {}}};
  figure.legend = encodingsLegend(of, theme);
  const std::string tables =
      of.spec.tables == AxialTables::Sinusoidal
          ? "Sinusoidal tables"
          : "Tables drawn from N(0, 1), seed " + std::to_string(of.spec.seed);
  figure.caption = tables + "; " + traceText(shape, position) + " (lines)." +
                   (hasMeans(of) ? " Each pixel shows the mean of several numbers." : "");
  return figure;
}

} // namespace attention
