#include "core/plot/draw_plot.h"

#include "core/plot/cell_rects.h"
#include "core/plot/draw_marks.h"
#include "core/plot/mask_raster.h"
#include "core/plot/plot_margins.h"
#include "core/plot/resample.h"
#include "core/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attention {
namespace {

constexpr double kLeastWholeCell = 6;    // pixels: rounding smaller cells down would lose too much
constexpr double kLeastGridCell = 6;     // pixels: smaller cells have no grid
constexpr int kLeastSquare = 4;          // pixels: smaller cells are not all of one size
constexpr Index kMostRowsOfBoxes = 4096; // longer masks are pictures, without examining their rows
constexpr double kTickLength = 0.3;      // in sizes of type, as all that follow
constexpr double kTickText = 0.45;

// Columns and rows of cells or pixels of a matrix.
struct Extent {
  Index columns = 0;
  Index rows = 0;
};

template <class Mark>
concept OverCells = requires(const Mark& mark) {
  mark.cells;
};

Extent extentOf(const OverCells auto& mark) {
  return {mark.cells.keyEnd - mark.cells.keyBegin, mark.cells.rowEnd - mark.cells.rowBegin};
}
Extent extentOf(const ImageMark& mark) {
  return {mark.columns, mark.rows};
}

int pixelsOf(double length, const LayoutOptions& options) {
  return std::max(static_cast<int>(std::round(length * options.pixelsPerUnit)), 1);
}

Box cellBox(const Box& box, const Extent& extent) {
  const double cell = box.width / static_cast<double>(extent.columns);
  Size size{std::max(std::round(box.width), 1.0), std::max(std::round(box.height), 1.0)};
  // Where the box does not have the matrix's shape, cells are as high as it allows.
  const double down = box.height / static_cast<double>(extent.rows);
  const double high = std::abs(down - cell) < 0.5 ? cell : down;
  if (std::min(cell, high) >= kLeastWholeCell)
    size = {std::floor(cell) * static_cast<double>(extent.columns),
            std::floor(high) * static_cast<double>(extent.rows)};
  return {std::round(box.x + (box.width - size.width) / 2),
          std::round(box.y + (box.height - size.height) / 2), size.width, size.height};
}

// Now or later, as the options say.
void addMade(const Box& box, MakeImage make, const Drawing& drawing) {
  if (!drawing.options.later)
    return drawing.list.add(Picture{box, std::make_shared<const Image>(make(drawing.run.quiet()))});
  drawing.list.add(Picture{box, nullptr});
  drawing.options.later(std::move(make));
}

class MatrixPainter {
public:
  MatrixPainter(const Plot& plot, const Extent& extent, const Box& box, const PlotStyle& style,
                const Drawing& drawing)
      : plot_(plot), style_(style), drawing_(drawing), extent_(extent), box_(cellBox(box, extent)),
        axisTop_(box_.y),
        colors_(figureColors(style.theme)), unit_{box_.width / static_cast<double>(extent_.columns),
                                                  box_.height / static_cast<double>(extent_.rows)} {
  }

  template <class Mark>
  void run(const Mark& mark) {
    draw(mark);
    if (plot_.keys)
      drawKeys(*plot_.keys);
    if (plot_.queries && style_.queries)
      drawQueries(*plot_.queries);
  }

private:
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }

  // Where cell (0, 0) would lie.
  Point originOf(const Rect& cells) const {
    return {box_.x - static_cast<double>(cells.keyBegin) * unit_.width,
            box_.y - static_cast<double>(cells.rowBegin) * unit_.height};
  }

  void draw(const MaskMark& mark) {
    if (!drawBoxes(mark))
      drawPicture(mark);
    if (mark.tiles)
      drawTileLayer(*mark.tiles, originOf(mark.cells), unit_, box_, style_.theme, drawing_.list);
    drawOver(mark);
  }

  void draw(const ValuesMark& mark) {
    if (showsWeights(mark.ramp))
      addWeights(mark);
    else
      addPicture(box_, mark.values, {mark.ramp, mark.top, style_.theme},
                 needsPixels(box_, *mark.values, drawing_.options), drawing_);
    if (mark.tiles)
      drawTileMasses({*mark.tiles, mark.tileMasses, mark.ramp == Ramp::Changes},
                     originOf(mark.cells), unit_, box_, style_, drawing_);
    drawOver(mark);
    drawCuts(mark.cuts);
    const BarScale scale{mark.ramp, static_cast<double>(mark.top)};
    if (mark.bar)
      drawRampBar(*mark.bar, scale, box_, style_.type, style_.theme, drawing_.measure,
                  drawing_.list);
    if (!mark.sums)
      return;
    const double beyond = mark.bar && !mark.bar->below
                              ? barWidth(*mark.bar, scale, style_.type, drawing_.measure)
                              : 0;
    drawColumnSums(*mark.sums, box_, beyond, style_.type, style_.theme, drawing_.measure,
                   drawing_.list);
    axisTop_ = sumsBox(box_, style_.type).y;
  }

  // The keys that the strip above names are wide enough to be seen from afar.
  void addWeights(const ValuesMark& mark) {
    std::vector<Index> wide;
    if (mark.sums && static_cast<Index>(mark.sums->shares.size()) == mark.values->cols())
      for (const ColumnLabel& label : mark.sums->labels)
        wide.push_back(label.column);
    attention::addWeights(box_, mark.values, {mark.ramp, mark.top, style_.theme}, wide, drawing_);
  }

  void drawCuts(const std::vector<Index>& cuts) {
    for (const Index cut : cuts) {
      const double x = box_.x + static_cast<double>(cut) * unit_.width;
      const double y = box_.y + static_cast<double>(cut) * unit_.height;
      add(Polyline{{{x, box_.y}, {x, box_.bottom()}}, colors_.dim, 1, Dash::Dotted});
      add(Polyline{{{box_.x, y}, {box_.right(), y}}, colors_.dim, 1, Dash::Dotted});
    }
  }

  // Grid, frame, and frames around a query and a key of a matrix.
  template <class Matrix>
  void drawOver(const Matrix& mark) {
    drawGrid(colors_.line);
    add(StrokeBox{box_, colors_.frame, 1});
    if (mark.query && *mark.query >= mark.cells.rowBegin && *mark.query < mark.cells.rowEnd)
      frame({0, static_cast<double>(*mark.query - mark.cells.rowBegin),
             static_cast<double>(extent_.columns), 1});
    if (mark.key && *mark.key >= mark.cells.keyBegin && *mark.key < mark.cells.keyEnd)
      frame({static_cast<double>(*mark.key - mark.cells.keyBegin), 0, 1,
             static_cast<double>(extent_.rows)});
  }

  void draw(const ImageMark& mark) {
    std::map<int, std::vector<Box>> boxes; // by hue, to be drawn in one go each
    for (Index pixel = 0; pixel < mark.rows * mark.columns; ++pixel)
      if (pixel != mark.query)
        boxes[mark.hueOfPixel[static_cast<std::size_t>(pixel)]].push_back(pixelBox(mark, pixel));
    for (auto& [hue, of] : boxes)
      fill(std::move(of), hue < 0 ? colors_.empty : colors_.series[static_cast<std::size_t>(hue)]);
    fill({pixelBox(mark, mark.query)}, colors_.query);
    drawGrid(colors_.ground);
    add(StrokeBox{box_, colors_.frame, 1});
  }

  static Box pixelBox(const ImageMark& mark, Index pixel) {
    const Index row = pixel / mark.columns;
    return {static_cast<double>(pixel % mark.columns), static_cast<double>(row), 1, 1};
  }

  void fill(std::vector<Box> boxes, const Color& color) {
    if (!boxes.empty())
      add(FillBoxes{std::move(boxes), color, {box_.x, box_.y}, unit_});
  }

  // Whether the cells are few enough to be boxes; then they are drawn.
  bool drawBoxes(const MaskMark& mark) {
    const LayoutOptions& options = drawing_.options;
    if (!options.smallBoxes && (unit_.width < 1 || extent_.rows > kMostRowsOfBoxes))
      return false;
    const auto rects = cellRects(*mark.pattern, mark.cells, options.mostBoxes, drawing_.run);
    if (!rects)
      return false;
    const MaskPalette palette = maskPalette(*mark.pattern, style_.theme);
    std::vector<std::vector<Box>> boxes(palette.hues.size());
    for (const CellRect& rect : *rects) {
      const Rect& r = rect.cells;
      boxes[rect.part].push_back({static_cast<double>(r.keyBegin - mark.cells.keyBegin),
                                  static_cast<double>(r.rowBegin - mark.cells.rowBegin),
                                  static_cast<double>(r.keyEnd - r.keyBegin),
                                  static_cast<double>(r.rowEnd - r.rowBegin)});
    }
    for (std::size_t part = 0; part < boxes.size(); ++part)
      fill(std::move(boxes[part]), palette.hues[part]);
    return true;
  }

  void drawPicture(const MaskMark& mark) {
    const auto pixels = [&](double length, Index cells) {
      return std::clamp<Index>(std::llround(length * drawing_.options.pixelsPerUnit), 1, cells);
    };
    const PixelSize size{pixels(box_.width, extent_.columns), pixels(box_.height, extent_.rows)};
    Image image{static_cast<int>(size.width), static_cast<int>(size.height), {}};
    rasterMask(
        *mark.pattern, mark.cells, size, maskPalette(*mark.pattern, style_.theme),
        [&](Index, std::span<const Color> row) {
          image.pixels.insert(image.pixels.end(), row.begin(), row.end());
        },
        drawing_.options.threads, drawing_.run);
    add(Picture{box_, std::make_shared<const Image>(std::move(image))});
    if (samplesRows(*mark.pattern, mark.cells, size))
      saySampled();
  }

  void saySampled() {
    drawing_.list.exact = false;
    add(Text{{box_.right() - style_.type / 2, box_.y + 1.4 * style_.type},
             "sampled",
             style_.type,
             colors_.text,
             TextAlign::Right,
             true,
             false});
  }

  void drawGrid(const Color& color) {
    if (std::min(unit_.width, unit_.height) < kLeastGridCell)
      return;
    for (Index k = 1; k < extent_.columns; ++k) {
      const double x = box_.x + static_cast<double>(k) * unit_.width;
      add(Polyline{{{x, box_.y}, {x, box_.bottom()}}, color, 1});
    }
    for (Index k = 1; k < extent_.rows; ++k) {
      const double y = box_.y + static_cast<double>(k) * unit_.height;
      add(Polyline{{{box_.x, y}, {box_.right(), y}}, color, 1});
    }
  }

  // A frame around cells, in units of cells.
  // Around what is small with room to see it.
  void frame(const Box& cells) {
    constexpr double kLeast = 4;
    const auto grown = [](double from, double length) {
      const double more = std::max(kLeast - length, 0.0);
      return std::pair(from - more / 2, length + more);
    };
    const auto [x, width] = grown(box_.x + cells.x * unit_.width, cells.width * unit_.width);
    const auto [y, height] = grown(box_.y + cells.y * unit_.height, cells.height * unit_.height);
    add(StrokeBox{
        {x, y, width, height}, colors_.query, width == kLeast || height == kLeast ? 1 : 1.5});
  }

  // In low or narrow masks the cells are smaller than labels require.
  bool namesOf(const Axis& axis, double length) const {
    return style_.names && !axis.names.empty() && namesFit(axis, length, style_.type);
  }

  double labelExtent(const Axis& axis, bool across) const {
    if (namesOf(axis, across ? box_.width : box_.height))
      return widestName(axis, style_.type, drawing_.measure);
    return across ? style_.type : widestNumber(axis, style_.type, drawing_.measure);
  }

  // The same along both axes, so that equal axes have equal ticks.
  double numberGap(const Axis& axis) const {
    return widestNumber(axis, style_.type, drawing_.measure) + 1.2 * style_.type;
  }

  // Keys run along the top, labels of tokens upwards.
  void drawKeys(const Axis& axis) {
    const double type = style_.type;
    const bool names = namesOf(axis, box_.width);
    const auto ticks = names ? nameTicks(axis, box_.width, type, drawing_.measure)
                             : numberTicks(axis, box_.width, numberGap(axis));
    for (const Tick& tick : ticks) {
      const double x = box_.x + (tick.at - static_cast<double>(axis.begin)) * unit_.width;
      if (!names)
        add(Polyline{{{x, axisTop_ - kTickLength * type}, {x, axisTop_}}, colors_.frame, 1});
      const Point at{names ? x + 0.35 * type : x, axisTop_ - kTickText * type};
      add(Text{at, tick.text, type, colors_.dim, names ? TextAlign::Left : TextAlign::Center, false,
               names});
    }
    addAxisLabel(
        axis,
        {box_.x + box_.width / 2, axisTop_ - (kTickText + 0.25) * type - labelExtent(axis, true)},
        box_.width, false);
  }

  void drawQueries(const Axis& axis) {
    const double type = style_.type;
    const bool names = namesOf(axis, box_.height);
    auto ticks = names ? nameTicks(axis, box_.height, type, drawing_.measure)
                       : numberTicks(axis, box_.height, numberGap(axis));
    if (box_.height < kLineHeight * type && ticks.size() > 1)
      ticks.resize(1); // of a row that is lower than a line
    for (const Tick& tick : ticks) {
      const double y = box_.y + (tick.at - static_cast<double>(axis.begin)) * unit_.height;
      if (!names)
        add(Polyline{{{box_.x - kTickLength * type, y}, {box_.x, y}}, colors_.frame, 1});
      add(Text{{box_.x - kTickText * type, y + 0.35 * type},
               tick.text,
               type,
               colors_.dim,
               TextAlign::Right,
               false,
               false});
    }
    addAxisLabel(
        axis,
        {box_.x - (kTickText + 0.5) * type - labelExtent(axis, false), box_.y + box_.height / 2},
        box_.height, true);
  }

  // "keys, sorted" is "keys" where there is little room, "key j" is "j"; nothing along an axis
  // shorter than two lines, where a letter would look like a stroke.
  std::string shortLabel(const std::string& label, double room) const {
    if (room < 2 * style_.type)
      return {};
    for (const std::string& form :
         {label, label.substr(0, label.find(',')), label.substr(label.find_last_of(' ') + 1)})
      if (drawing_.measure(form, style_.type, false) <= room)
        return form;
    return {};
  }

  void addAxisLabel(const Axis& axis, Point at, double room, bool upwards) {
    const std::string text = shortLabel(axis.label, room);
    if (!text.empty())
      add(Text{at, text, style_.type, colors_.dim, TextAlign::Center, false, upwards});
  }

  const Plot& plot_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  Extent extent_;
  Box box_;
  double axisTop_; // where the axis of the keys stands: above a strip of sums
  const FigureColors& colors_;
  Size unit_;
};

double aspectOf(const auto& mark) {
  const Extent extent = extentOf(mark);
  return static_cast<double>(extent.rows) / static_cast<double>(extent.columns);
}
double aspectOf(const CurvesMark& mark) {
  return mark.aspect;
}
double aspectOf(const DiagramMark& mark) {
  return mark.height / mark.width;
}
double aspectOf(const LayersMark& mark) {
  constexpr double kTokensPerLayer = 3; // as far as a layer lies above the next
  return std::clamp(kTokensPerLayer * static_cast<double>(mark.layers) /
                        static_cast<double>(mark.tokens),
                    0.2, 0.6);
}

Box boxOf(const auto& mark, const Box& box) {
  return cellBox(box, extentOf(mark));
}
Box boxOf(const CurvesMark&, const Box& box) {
  return box;
}
Box boxOf(const LinksMark&, const Box& box) {
  return box;
}
Box boxOf(const TilesMark&, const Box& box) {
  return box;
}
Box boxOf(const RunningTextMark&, const Box& box) {
  return box;
}
Box boxOf(const LayersMark&, const Box& box) {
  return box;
}
// The largest box of its shape in the middle.
Box boxOf(const DiagramMark& mark, const Box& box) {
  const double unit = std::min(box.width / mark.width, box.height / mark.height);
  const Size size{unit * mark.width, unit * mark.height};
  return {box.x + (box.width - size.width) / 2, box.y + (box.height - size.height) / 2, size.width,
          size.height};
}

struct Manner {
  const PlotStyle& style;
  const Drawing& drawing;
};
void drawMark(const auto& mark, const Plot& plot, const Box& box, const Manner& how) {
  MatrixPainter(plot, extentOf(mark), box, how.style, how.drawing).run(mark);
}
void drawMark(const CurvesMark& mark, const Plot&, const Box& box, const Manner& how) {
  drawCurves(mark, box, how.style, how.drawing);
}
void drawMark(const DiagramMark& mark, const Plot&, const Box& box, const Manner& how) {
  drawDiagram(mark, box, how.style, how.drawing);
}
void drawMark(const LinksMark& mark, const Plot&, const Box& box, const Manner& how) {
  drawLinks(mark, box, how.style, how.drawing);
}
void drawMark(const RunningTextMark& mark, const Plot&, const Box& box, const Manner& how) {
  drawRunningText(mark, box, how.style, how.drawing);
}
void drawMark(const TilesMark& mark, const Plot&, const Box& box, const Manner& how) {
  drawTiles(mark, box, how.style, how.drawing);
}
void drawMark(const LayersMark& mark, const Plot& plot, const Box& box, const Manner& how) {
  drawLayers(mark, plot.keys, box, how.style, how.drawing);
}

} // namespace

double aspect(const Plot& plot) {
  return std::visit([](const auto& mark) { return aspectOf(mark); }, plot.mark);
}

Box markBox(const Plot& plot, const Box& box) {
  return std::visit([&](const auto& mark) { return boxOf(mark, box); }, plot.mark);
}

Box fittedTo(const Plot& plot, const Box& box) {
  const bool matrix =
      std::holds_alternative<ValuesMark>(plot.mark) || std::holds_alternative<MaskMark>(plot.mark);
  const bool square = matrix && aspect(plot) == 1;
  if (!sharesQueries(plot) && !square)
    return box;
  const double width = std::min(box.width, box.height / aspect(plot));
  return {box.x, box.y, width, width * aspect(plot)};
}

bool showsWeights(Ramp ramp) {
  return ramp == Ramp::Attention || ramp == Ramp::Changes;
}

void addWeights(const Box& box, std::shared_ptr<const Matrix<float>> values, const RampScale& scale,
                const std::vector<Index>& wide, const Drawing& drawing) {
  const auto pixels = [&](double length) {
    return static_cast<Index>(pixelsOf(length, drawing.options));
  };
  const Index width = pixels(box.width);
  const Index height = pixels(box.height);
  const bool several = values->cols() > width || values->rows() > height;
  if (!several && !needsPixels(box, *values, drawing.options))
    return addPicture(box, std::move(values), scale, false, drawing);
  const WideColumns seen{wide, pixels(static_cast<double>(kLeastSeen))};
  addMade(
      box,
      [values = std::move(values), scale, width, height, seen](const Run& run) {
        return rampImage(strongest(*values, height, width, seen, run), scale, run);
      },
      drawing);
}

void addPicture(const Box& box, std::shared_ptr<const Matrix<float>> values, const RampScale& scale,
                bool atPixels, const Drawing& drawing) {
  const auto pixels = [&](double length) { return pixelsOf(length, drawing.options); };
  auto make = [values = std::move(values), scale, atPixels, width = pixels(box.width),
               height = pixels(box.height)](const Run& run) {
    Image image = rampImage(*values, scale, run);
    return atPixels ? resampled(image, width, height, run) : image;
  };
  addMade(box, std::move(make), drawing);
}

void addRow(const Box& box, Image row, const Drawing& drawing) {
  if (drawing.options.atPixels && pixelsOf(box.width / row.width, drawing.options) < kLeastSquare)
    row = resampled(row, pixelsOf(box.width, drawing.options), 1);
  drawing.list.add(Picture{box, std::make_shared<const Image>(std::move(row))});
}

bool needsPixels(const Box& box, const Matrix<float>& values, const LayoutOptions& options) {
  return options.atPixels &&
         pixelsOf(box.width / static_cast<double>(values.cols()), options) < kLeastSquare;
}

void drawPlot(const Plot& plot, const Box& box, const PlotStyle& style, const Drawing& drawing) {
  std::visit([&](const auto& mark) { drawMark(mark, plot, box, {style, drawing}); }, plot.mark);
}

} // namespace attention
