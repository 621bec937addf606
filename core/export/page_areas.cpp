#include "core/export/page_areas.h"

#include "core/export/packed_bytes.h"
#include "core/plot/draw_marks.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace attention {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kMostRows = 4096;        // and columns, whose cells answer one by one
constexpr Index kMostReasons = 64 * 64;  // cells with a sentence each
constexpr Index kMostRanges = 8'000'000; // of a mask, of all parts together
constexpr Index kShares = 64;            // rows and columns of shares
constexpr double kReach = 14;            // units around a point

Json jsonOf(const Box& box) {
  const auto rounded = [](double value) { return std::round(100 * value) / 100; };
  return {rounded(box.x), rounded(box.y), rounded(box.width), rounded(box.height)};
}

Index rowsOf(const Rect& cells) {
  return cells.rowEnd - cells.rowBegin;
}
Index keysOf(const Rect& cells) {
  return cells.keyEnd - cells.keyBegin;
}

std::string textOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json cellsArea(const char* kind, const Rect& cells, const PlacedMark& mark) {
  Json area{{"kind", kind}, {"box", jsonOf(mark.box)}};
  area["cells"] = {cells.rowBegin, cells.rowEnd, cells.keyBegin, cells.keyEnd};
  if (mark.plot.keys && !mark.plot.keys->names.empty())
    area["keys"] = mark.plot.keys->names;
  if (mark.plot.queries && !mark.plot.queries->names.empty())
    area["queries"] = mark.plot.queries->names;
  return area;
}

// What the areas of all marks are made from.
struct Placement {
  const PlacedMark& placed;
  const TextMeasure& measure;
  const Run& run;
};

// 32 bits each, least significant byte first, rounded to 12 significant bits: three digits, which
// are all that is shown, compress better.
std::string packedNumbers(std::span<const float> values) {
  constexpr std::uint32_t kDropped = 12; // of the 24 significant bits
  constexpr std::uint32_t kHalf = 1u << (kDropped - 1);
  std::string bytes;
  bytes.reserve(4 * values.size());
  for (const float value : values) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isfinite(value))
      bits = (bits + kHalf) & ~((1u << kDropped) - 1);
    for (std::uint32_t shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(bits >> shift & 255);
  }
  return packed(bytes);
}

// ---- masks ----

// The rows of one part: their ranges, then for each the keys skipped and the keys held.
std::string packedRows(const MaskMark& mark, std::size_t part, Index& ranges, const Run& run) {
  const Rect& cells = mark.cells;
  std::string bytes;
  KeyRanges row;
  std::vector<std::pair<Index, Index>> stretches;
  for (Index i = cells.rowBegin; i < cells.rowEnd; ++i) {
    run.check();
    mark.pattern->row(part, i, {cells.keyBegin, cells.keyEnd}, row);
    stretches.clear();
    for (const KeyRange& range : row)
      forEachRun(range, [&](Index begin, Index end) { stretches.emplace_back(begin, end); });
    std::sort(stretches.begin(), stretches.end()); // combs may interleave
    ranges += std::ssize(stretches);
    if (ranges > kMostRanges)
      throwRange("mask", "more than " + std::to_string(kMostRanges) + " ranges of keys",
                 "smaller for a page of HTML; show fewer tokens, or zoom in");
    appendVarint(bytes, stretches.size());
    Index key = 0;
    for (const auto& [begin, end] : stretches) {
      appendVarint(bytes, static_cast<std::uint64_t>(begin - key));
      appendVarint(bytes, static_cast<std::uint64_t>(end - begin));
      key = end;
    }
  }
  return packed(bytes);
}

std::string packedReasons(const MaskMark& mark) {
  std::string text;
  for (Index i = mark.cells.rowBegin; i < mark.cells.rowEnd; ++i)
    for (Index j = mark.cells.keyBegin; j < mark.cells.keyEnd; ++j) {
      std::string why = mark.pattern->why(i, j).text;
      std::replace(why.begin(), why.end(), '\n', ' ');
      text += (text.empty() ? "" : "\n") + why;
    }
  return packed(text);
}

// Exact where the pattern counts itself; else only the tokens are named.
Json sharesArea(const MaskMark& mark, const PlacedMark& placed, const Run& run) {
  const Rect& cells = mark.cells;
  const Index rows = std::min(kShares, rowsOf(cells));
  const Index keys = std::min(kShares, keysOf(cells));
  Json area = cellsArea("shares", cells, placed);
  area["grid"] = {rows, keys};
  if (!mark.pattern->closedForm())
    return area;
  const auto edge = [](Index begin, Index length, Index k, Index of) {
    return begin + k * length / of;
  };
  std::vector<float> shares;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < keys; ++c) {
      const Rect at{edge(cells.rowBegin, rowsOf(cells), r, rows),
                    edge(cells.rowBegin, rowsOf(cells), r + 1, rows),
                    edge(cells.keyBegin, keysOf(cells), c, keys),
                    edge(cells.keyBegin, keysOf(cells), c + 1, keys)};
      shares.push_back(
          static_cast<float>(static_cast<double>(mark.pattern->count(at, run)) /
                             (static_cast<double>(rowsOf(at)) * static_cast<double>(keysOf(at)))));
    }
  area["packed"] = packedNumbers(shares);
  return area;
}

Json maskArea(const MaskMark& mark, const PlacedMark& placed, const Run& run) {
  if (rowsOf(mark.cells) > kMostRows || keysOf(mark.cells) > kMostRows)
    return sharesArea(mark, placed, run);
  Json area = cellsArea("mask", mark.cells, placed);
  Json names = Json::array();
  Json rows = Json::array();
  Index ranges = 0;
  for (std::size_t part = 0; part < mark.pattern->parts().size(); ++part) {
    const Part& of = mark.pattern->parts()[part];
    names.push_back(of.label.empty() ? of.name : of.label);
    rows.push_back(packedRows(mark, part, ranges, run));
  }
  area["parts"] = std::move(names);
  area["packed"] = std::move(rows);
  if (rowsOf(mark.cells) * keysOf(mark.cells) <= kMostReasons)
    area["why"] = packedReasons(mark);
  return area;
}

std::vector<std::string> areasOf(const MaskMark& mark, const Placement& at) {
  return {textOf(maskArea(mark, at.placed, at.run))};
}

// ---- numbers ----

Json valuesArea(const ValuesMark& mark, const PlacedMark& placed) {
  const Matrix<float>& values = *mark.values;
  Json area = cellsArea("values", mark.cells, placed);
  area["grid"] = {values.rows(), values.cols()};
  std::vector<float> numbers;
  numbers.reserve(static_cast<std::size_t>(values.rows() * values.cols()));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      numbers.push_back(values(i, j));
  area["packed"] = packedNumbers(numbers);
  return area;
}

std::vector<std::string> areasOf(const ValuesMark& mark, const Placement& at) {
  return {textOf(valuesArea(mark, at.placed))};
}

// ---- places with words of their own ----

class PlacesArea {
public:
  explicit PlacesArea(double reach = 0) : area_{{"kind", "places"}, {"places", Json::array()}} {
    if (reach > 0)
      area_["reach"] = reach;
  }
  void add(const Box& box, const std::string& words) {
    Json place = jsonOf(box);
    place.push_back(words);
    area_["places"].push_back(std::move(place));
  }
  void add(const Point& at, const std::string& words) { add(Box{at.x, at.y, 0, 0}, words); }
  std::vector<std::string> take() {
    return area_["places"].empty() ? std::vector<std::string>() : std::vector{textOf(area_)};
  }

private:
  Json area_;
};

std::vector<std::string> areasOf(const CurvesMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places(kReach);
  const auto add = [&](const std::string& label, const Point& point) {
    const Point place = placeOf(mark, box, point);
    const bool inside = place.x >= box.x && place.x <= box.right() && place.y >= box.y &&
                        place.y <= box.bottom(); // not where it is NaN
    if (inside)
      places.add(place, (label.empty() ? "" : label + " · ") + readableNumber(point.x, 4) + " · " +
                            readableNumber(point.y, 3));
  };
  for (const NamedPoint& point : mark.named)
    add(point.label, point.at);
  for (const Curve& curve : mark.curves)
    for (const Point& point : curve.points)
      add(nameOf(curve), point);
  return places.take();
}

std::vector<std::string> areasOf(const DiagramMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places;
  for (const DiagramBox& of : mark.boxes)
    places.add(placeOf(mark, box, of.box), of.shape.empty() ? of.name : of.name + ": " + of.shape);
  return places.take();
}

std::vector<std::string> areasOf(const LayersMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places(kReach);
  for (Index row = 0; row <= mark.layers; ++row)
    for (Index token = 0; token < mark.tokens; ++token) {
      const std::string layer = row == 0 ? "Input" : "Layer " + std::to_string(row);
      const bool lit = !mark.lit.empty() &&
                       mark.lit[static_cast<std::size_t>(row)][static_cast<std::size_t>(token)];
      places.add(placeOf(mark, box, row, token), layer + ", token " + std::to_string(token) +
                                                     (lit ? ": it reaches the chosen token" : ""));
    }
  return places.take();
}

std::vector<std::string> areasOf(const TilesMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places;
  for (std::size_t k = 0; k < mark.tiles.size(); ++k) {
    const auto columns = static_cast<std::size_t>(mark.columns);
    std::string words;
    if (!mark.rowNames.empty())
      words = mark.rowNames[k / columns];
    if (!mark.columnName.empty())
      words += (words.empty() ? "" : ", ") + mark.columnName + " " + std::to_string(k % columns);
    if (!mark.tiles[k].note.empty())
      words += (words.empty() ? "" : ": ") + mark.tiles[k].note;
    if (!words.empty())
      places.add(tileBox(mark, box, k), words);
  }
  return places.take();
}

std::vector<std::string> areasOf(const ImageMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places;
  const double width = box.width / static_cast<double>(mark.columns);
  const double height = box.height / static_cast<double>(mark.rows);
  for (Index t = 0; t < mark.rows * mark.columns; ++t) {
    const bool attended = mark.hueOfPixel[static_cast<std::size_t>(t)] >= 0;
    const Index row = t / mark.columns;
    const Index column = t % mark.columns;
    places.add(Box{box.x + static_cast<double>(column) * width,
                   box.y + static_cast<double>(row) * height, width, height},
               t == mark.query ? "Token " + std::to_string(t) + ": the query"
                               : "Token " + std::to_string(t) +
                                     (attended ? ": the query attends to it"
                                               : ": the query does not attend to it"));
  }
  return places.take();
}

std::vector<std::string> areasOf(const RunningTextMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  const Size size{box.width, box.height};
  const double type = runningType(mark, size, at.placed.type, at.measure);
  const TextLines lines = textLines(mark, size, type, at.measure);
  PlacesArea places;
  for (const PlacedWord& word : lines.words)
    for (Index t = word.begin; t < word.end; ++t) {
      const TextToken& token = mark.tokens[static_cast<std::size_t>(t)];
      const auto edge =
          static_cast<std::size_t>(lines.rightToLeft ? word.end - 1 - t : t - word.begin);
      const double left = std::min(word.edges[edge], word.edges[edge + 1]);
      const double right = std::max(word.edges[edge], word.edges[edge + 1]);
      std::string words = "Token " + std::to_string(t) + " “" + token.text +
                          "”: " + readableNumber(token.share, 3) + " of the strongest shade";
      if (token.lost > 0)
        words += ", of which the pattern loses " + readableNumber(token.lost, 3);
      places.add(Box{box.x + left, box.y + static_cast<double>(word.line) * lines.lineHeight,
                     right - left, lines.lineHeight},
                 words);
    }
  return places.take();
}

// Lines say their weight by their width only.
std::vector<std::string> areasOf(const LinksMark&, const Placement&) {
  return {};
}

} // namespace

std::vector<std::string> pageAreas(const PlacedMark& mark, const TextMeasure& measure,
                                   const Run& run) {
  return std::visit(
      [&](const auto& of) {
        return areasOf(of, {mark, measure, run});
      },
      mark.plot.mark);
}

} // namespace attention
