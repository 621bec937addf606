#include "core/plot/draw_marks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kGapAcross = 0.1; // between two tiles, of a tile's width
constexpr double kGapDown = 0.35;
constexpr double kGroupGap = 3;   // between groups of rows, of columns: room for the names of rows
constexpr double kMostAcross = 4; // times these gaps, where there is more room
constexpr double kMostTilesDown = 3;
constexpr double kNoteRoom = 1.35; // below a tile, in sizes of type: words are nearer to it than
                                   // to the next one
constexpr double kSmallestNote = 0.65; // type of notes where there is less room, in sizes of type
constexpr double kTileNameGap = 0.5;   // beside a row, in sizes of type
constexpr double kBesideLast = 0.9;    // that the name of the last column may reach beyond it
constexpr double kBetweenNames = 0.4;  // of columns, likewise

const std::string kKeys = "key j";
const std::string kQueries = "query i";

// Tiles with words, where these do not take the line of the axis' name.
bool namesAxes(const TilesMark& mark) {
  return mark.columnName.empty() &&
         std::any_of(mark.tiles.begin(), mark.tiles.end(),
                     [](const HeadTile& tile) { return !tile.note.empty(); });
}

// Between two rows, of a tile's width.
double gapDown(const TilesMark& mark) {
  return mark.dense ? kGapAcross : kGapDown;
}

// The columns with much of all weight.
std::vector<Index> sinksOf(const Matrix<float>& values) {
  constexpr double kMuch = 0.1;
  std::vector<double> sums(static_cast<std::size_t>(values.cols()));
  double all = 0;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) {
      sums[static_cast<std::size_t>(j)] += static_cast<double>(values(i, j));
      all += static_cast<double>(values(i, j));
    }
  std::vector<Index> sinks;
  for (std::size_t j = 0; j < sums.size(); ++j)
    if (all > 0 && sums[j] > kMuch * all)
      sinks.push_back(static_cast<Index>(j));
  return sinks;
}

class TilesPainter {
public:
  TilesPainter(const TilesMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing)
      : mark_(mark), box_(box), style_(style), drawing_(drawing),
        colors_(figureColors(style.theme)) {}

  void run() {
    for (std::size_t k = 0; k < mark_.tiles.size(); ++k)
      drawTile(mark_.tiles[k], tileBox(mark_, box_, k));
    for (std::size_t row = 0; row < mark_.rowNames.size(); ++row) {
      const Box at = tileBox(mark_, box_, row * static_cast<std::size_t>(mark_.columns));
      addText({at.x - kTileNameGap * style_.type, at.y + at.height / 2 + 0.35 * style_.type},
              mark_.rowNames[row], TextAlign::Right);
    }
    drawColumnNames();
    if (namesAxes(mark_))
      drawAxisNames(tileBox(mark_, box_, 0));
  }

private:
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }
  void addText(Point at, const std::string& text, TextAlign align) {
    add(Text{at, text, style_.type, colors_.dim, align, false, false});
  }
  double widthOf(const std::string& text) const {
    return drawing_.measure(text, style_.type, false);
  }

  // Once, at the first tile.
  void drawAxisNames(const Box& first) {
    const double gap = kTileNameGap * style_.type;
    if (widthOf(kKeys) <= first.width)
      addText({first.x + first.width / 2, first.y - gap}, kKeys, TextAlign::Center);
    if (widthOf(kQueries) <= first.height)
      add(Text{{first.x - gap, first.y + first.height / 2},
               kQueries,
               style_.type,
               colors_.dim,
               TextAlign::Center,
               false,
               true});
  }

  // Of every column, "head 3" or "3" alone where that is too wide, with "head" over the names of
  // rows; else of every second and so on.
  void drawColumnNames() {
    const auto count = static_cast<std::size_t>(mark_.columnName.empty() ? 0 : mark_.columns);
    for (std::size_t step = 1; step <= count; ++step)
      for (const bool whole : {true, false}) {
        if (!columnNamesFit(step, whole))
          continue;
        const double y = box_.y - kTileNameGap * style_.type;
        for (Index group = 0; group < mark_.groups(); ++group)
          for (std::size_t k = 0; k < count; k += step)
            addText({middleOf(firstOf(group) + k), y}, columnName(k, whole), TextAlign::Center);
        if (!whole && !mark_.rowNames.empty())
          addText({tileBox(mark_, box_, 0).x - kTileNameGap * style_.type, y}, mark_.columnName,
                  TextAlign::Right);
        return;
      }
  }

  std::size_t firstOf(Index group) const {
    return static_cast<std::size_t>(group * mark_.rowsOfGroup() * mark_.columns);
  }
  double middleOf(std::size_t tile) const {
    const Box at = tileBox(mark_, box_, tile);
    return at.x + at.width / 2;
  }
  std::string columnName(std::size_t column, bool whole) const {
    const std::string number = std::to_string(column);
    return whole ? mark_.columnName + " " + number : number;
  }
  bool columnNamesFit(std::size_t step, bool whole) const {
    for (std::size_t k = step; k < static_cast<std::size_t>(mark_.columns); k += step) {
      const double words =
          (widthOf(columnName(k - step, whole)) + widthOf(columnName(k, whole))) / 2;
      if (words + kBetweenNames * style_.type > middleOf(k) - middleOf(k - step))
        return false;
    }
    const auto last = static_cast<std::size_t>(mark_.columns - 1) / step * step;
    return middleOf(last) + widthOf(columnName(last, whole)) / 2 <=
           box_.right() + kBesideLast * style_.type;
  }

  void drawTile(const HeadTile& tile, const Box& at) {
    if (tile.values)
      drawMatrix(tile, at);
    add(StrokeBox{at, tile.chosen ? colors_.query : colors_.frame, tile.chosen ? 2.0 : 1.0});
    if (tile.note.empty())
      return;
    const double type =
        std::min(noteType(), style_.type * at.width * (1 + kGapAcross) / widthOf(tile.note));
    if (type >= kSmallestNote * style_.type)
      add(Text{{at.x + at.width / 2, at.bottom() + 0.88 * type},
               tile.note,
               type,
               colors_.dim,
               TextAlign::Center,
               false,
               false});
  }

  // Whether a line of words fits below a tile.
  double noteType() const {
    if (mark_.rowsOfGroup() < 2)
      return style_.type;
    const Box first = tileBox(mark_, box_, 0);
    const Box below = tileBox(mark_, box_, static_cast<std::size_t>(mark_.columns));
    return std::min(style_.type, (below.y - first.bottom()) / kNoteRoom);
  }

  void drawMatrix(const HeadTile& tile, const Box& at) {
    const RampScale scale{mark_.ramp, tile.top, style_.theme};
    if (showsWeights(mark_.ramp))
      return addWeights(at, tile.values, scale, sinksOf(*tile.values), drawing_);
    addPicture(at, tile.values, scale, drawing_.options.atPixels, drawing_);
  }

  const TilesMark& mark_;
  Box box_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  const FigureColors& colors_;
};

} // namespace

void drawTiles(const TilesMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing) {
  TilesPainter(mark, box, style, drawing).run();
}

PlotMargins marginsOf(const TilesMark& mark, double type, const TextMeasure& measure) {
  PlotMargins margins;
  for (const std::string& name : mark.rowNames)
    margins.left = std::max(margins.left, measure(name, type, false));
  if (!mark.rowNames.empty())
    margins.left =
        std::max(margins.left, measure(mark.columnName, type, false)) + kTileNameGap * type;
  margins.top = type / 4;
  if (namesAxes(mark))
    margins.left += (1 + kTileNameGap) * type;
  if (!mark.columnName.empty())
    margins.right = kBesideLast * type;
  if (namesAxes(mark) || !mark.columnName.empty())
    margins.top = (1 + kTileNameGap) * type;
  margins.bottom = kNoteRoom * type;
  return margins;
}

Index TilesMark::groups() const {
  constexpr double kHighest = 1.5; // rows of a group, times all columns
  Index groups = 1;
  while (!rowNames.empty() && static_cast<double>(ceilDiv(rows(), groups)) >
                                  kHighest * static_cast<double>(groups * columns))
    ++groups;
  return groups;
}

namespace {

// Of all groups, in widths of a column.
double columnsAcross(const TilesMark& mark) {
  const auto groups = static_cast<double>(mark.groups());
  return groups * static_cast<double>(mark.columns) + (groups - 1) * kGroupGap;
}

} // namespace

double aspectOf(const TilesMark& mark) {
  const double columns = columnsAcross(mark);
  const auto rows = static_cast<double>(mark.rowsOfGroup());
  return (rows * mark.cellAspect + (rows - 1) * gapDown(mark)) /
         (columns + (columns - 1) * kGapAcross);
}

Box tileBox(const TilesMark& mark, const Box& box, std::size_t tile) {
  const double columns = columnsAcross(mark);
  const auto rows = static_cast<double>(mark.rowsOfGroup());
  const double across = box.width / (columns + (columns - 1) * kGapAcross);
  const double down = box.height / (rows * mark.cellAspect + (rows - 1) * gapDown(mark));
  const double width = std::max(std::floor(std::min(across, down)), 1.0);
  const double height = std::max(std::round(width * mark.cellAspect), 1.0);
  const auto step = [](double room, double side, double count, double most) {
    return count > 1 ? std::min((room - side) / (count - 1), side + most) : 0;
  };
  const Index line = static_cast<Index>(tile) / mark.columns;
  const Index group = line / mark.rowsOfGroup();
  const auto row = static_cast<double>(line % mark.rowsOfGroup());
  const double column =
      static_cast<double>(static_cast<Index>(tile) % mark.columns) +
      static_cast<double>(group) * (static_cast<double>(mark.columns) + kGroupGap);
  const double apart = step(box.width, width, columns, kMostAcross * kGapAcross * width);
  const double free = box.width - width - (columns - 1) * apart; // half of it at either side
  const double mostDown =
      mark.dense ? std::max(apart - width, kGapAcross * width) : kMostTilesDown * kGapDown * width;
  return {std::max(box.x, std::floor(box.x + free / 2 + column * apart)),
          std::round(box.y + row * step(box.height, height, rows, mostDown)), width, height};
}

} // namespace attention
