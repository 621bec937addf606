#include "core/export/page_places.h"

#include "core/export/packed_bytes.h"
#include "core/plot/draw_marks.h"
#include "core/plot/links_page.h"
#include "core/plot/point_words.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attention {
namespace {

constexpr double kReach = 14;            // units around a point
constexpr std::size_t kMostLines = 4096; // between tokens, each of which says its weight

// What the places of all marks are made from.
struct Placement {
  const PlacedMark& placed;
  const TextMeasure& measure;
};

class PlacesArea {
public:
  explicit PlacesArea(double reach = 0) : area_{{"kind", "places"}, {"places", PageJson::array()}} {
    if (reach > 0)
      area_["reach"] = reach;
  }
  // `outline`: the corners of the place, where it is not all of the box.
  void add(const Box& box, const std::string& words, const std::vector<Point>& outline = {}) {
    PageJson place = jsonOf(box);
    place.push_back(words);
    if (!outline.empty())
      place.push_back(jsonOf(outline));
    area_["places"].push_back(std::move(place));
  }
  void add(const Point& at, const std::string& words) { add(Box{at.x, at.y, 0, 0}, words); }
  std::vector<std::string> take() {
    return area_["places"].empty() ? std::vector<std::string>() : std::vector{textOf(area_)};
  }

private:
  PageJson area_;
};

std::vector<PlaceWords> toldBy(const Plot& plot) {
  return plot.told ? plot.told() : std::vector<PlaceWords>();
}

bool isPoint(const PlaceWords& of) {
  return of.box.width == 0 && of.box.height == 0;
}

// What the plot itself tells of boxes and outlines, a part in each area: `pixels` are those of a
// point in its units.
template <class Pixels>
std::vector<std::string> toldAreas(const std::vector<PlaceWords>& told, const Pixels& pixels) {
  std::map<Index, PlacesArea> parts;
  for (const PlaceWords& of : told) {
    if (isPoint(of))
      continue;
    const Point a = pixels(Point{of.box.x, of.box.y});
    const Point b = pixels(Point{of.box.right(), of.box.bottom()});
    std::vector<Point> outline(of.outline.size());
    std::transform(of.outline.begin(), of.outline.end(), outline.begin(), pixels);
    parts[of.part].add(
        {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y)},
        of.words, outline);
  }
  std::vector<std::string> areas;
  for (auto& [part, area] : parts)
    for (std::string& made : area.take())
      areas.push_back(std::move(made));
  return areas;
}

PageJson jsonOf(const NumberAxis& axis, const std::string& name) {
  return {{"name", name},
          {"log", axis.scale != Scale::Linear},
          {"cells", axis.cells},
          {"begin", axis.downwards ? axis.end : axis.begin}, // at the left, and at the bottom
          {"end", axis.downwards ? axis.begin : axis.end}};
}

// Its numbers at any place, as the window's pointer tells them.
std::string fieldArea(const CurvesMark& mark, const Box& box) {
  const Matrix<float>& values = *mark.field->values;
  PageJson area{{"kind", "field"}, {"box", jsonOf(box)}};
  area["cells"] = {0, values.rows(), 0, values.cols()};
  area["x"] = jsonOf(mark.x, mark.field->across);
  area["y"] = jsonOf(mark.y, mark.field->down);
  area["number"] = mark.field->number;
  area["decades"] = mark.field->decades;
  area["packed"] = packedNumbers(entriesOf(values));
  return textOf(area);
}

// The points that the plot tells of itself, else those of its curves.
std::vector<std::string> areasOf(const CurvesMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places(kReach);
  const auto add = [&](const Point& point, const std::string& words) {
    const Point place = placeOf(mark, box, point);
    const bool inside = place.x >= box.x && place.x <= box.right() && place.y >= box.y &&
                        place.y <= box.bottom(); // not where it is NaN
    if (inside)
      places.add(place, words);
  };
  const Plot& plot = at.placed.plot;
  const std::vector<PlaceWords> told = toldBy(plot);
  std::vector<std::string> areas =
      toldAreas(told, [&](const Point& point) { return placeOf(mark, box, point); });
  for (const PlaceWords& of : told)
    if (isPoint(of))
      add({of.box.x, of.box.y}, of.words);
  if (std::none_of(told.begin(), told.end(), isPoint)) {
    for (const NamedPoint& point : mark.named)
      add(point.at, pointWords(mark, point.label, point.at));
    for (const Curve& curve : mark.curves)
      for (const Point& point : curve.points)
        if (told.empty() || curve.kind != CurveKind::Bars)
          add(point, pointWords(mark, nameOf(curve), point));
  }
  for (std::string& area : places.take())
    areas.push_back(std::move(area));
  if (mark.field && told.empty())
    areas.push_back(fieldArea(mark, box));
  return areas;
}

std::vector<std::string> areasOf(const DiagramMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places;
  for (const DiagramBox& of : mark.boxes)
    places.add(placeOf(mark, box, of.box), of.shape.empty() ? of.name : of.name + ": " + of.shape);
  std::vector<std::string> areas = places.take();
  for (std::string& area : toldAreas(toldBy(at.placed.plot), [&](const Point& point) {
         const Box in = placeOf(mark, box, Box{point.x, point.y, 0, 0});
         return Point{in.x, in.y};
       }))
    areas.push_back(std::move(area));
  return areas;
}

// "1 203 “whether”", by the names of an axis that begins with token 0.
std::string tokenText(Index token, const std::optional<Axis>& axis) {
  const auto at = static_cast<std::size_t>(token);
  const bool named = axis && at < axis->names.size();
  return groupedDigits(token) + (named ? " “" + axis->names[at] + "”" : "");
}

// Equal for all numbers of layers that are lit, so that frames share them.
std::vector<std::string> areasOf(const LayersMark& mark, const Placement& at) {
  PlacesArea places(kReach);
  for (Index row = 0; row <= mark.layers; ++row)
    for (Index token = 0; token < mark.tokens; ++token)
      places.add(placeOf(mark, at.placed.box, row, token),
                 (row == 0 ? "input" : "layer " + std::to_string(row)) + ", token " +
                     tokenText(token, at.placed.plot.keys));
  return places.take();
}

std::vector<std::string> areasOf(const TilesMark& mark, const Placement& at) {
  const Box& box = at.placed.box;
  PlacesArea places;
  const std::vector<PlaceWords> told = toldBy(at.placed.plot);
  for (const PlaceWords& of : told)
    places.add(tileBox(mark, box, static_cast<std::size_t>(of.part)), of.words);
  for (std::size_t k = 0; told.empty() && k < mark.tiles.size(); ++k) {
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
  const std::string query = "Query " + groupedDigits(mark.query) + " ";
  const double width = box.width / static_cast<double>(mark.columns);
  const double height = box.height / static_cast<double>(mark.rows);
  for (Index t = 0; t < mark.rows * mark.columns; ++t) {
    const bool attended = mark.hueOfPixel[static_cast<std::size_t>(t)] >= 0;
    const Index row = t / mark.columns;
    const Index column = t % mark.columns;
    places.add(Box{box.x + static_cast<double>(column) * width,
                   box.y + static_cast<double>(row) * height, width, height},
               query + (attended ? "attends" : "does not attend") + " to key " + groupedDigits(t));
  }
  return places.take();
}

std::string shadesOf(const TextToken& token, Index t) {
  const bool sign = token.text.empty() && (token.breaks > 0 || token.wraps);
  const std::string words = "Token " + std::to_string(t) + " “" + (sign ? "¶" : token.text) +
                            "”: " + readableNumber(token.share, 3) + " of the strongest shade";
  return token.lost > 0 ? words + ", of which the pattern loses " + readableNumber(token.lost, 3)
                        : words;
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
      places.add(Box{box.x + left, box.y + static_cast<double>(word.line) * lines.lineHeight,
                     right - left, lines.lineHeight},
                 mark.told ? mark.told(t) : shadesOf(token, t));
    }
  return places.take();
}

std::string wordsOf(const LinkKey& key) {
  if (key.others != 0)
    return counted(key.others, "other key");
  return "key " + groupedDigits(key.token) + " “" + key.name + "”";
}

// To three digits.
double rounded(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-12))) - 2);
  return std::round(value / unit) * unit;
}

// The lines that are drawn, the strongest of very many.
std::vector<Link> strongest(const LinksMark& mark, const LinksPage& page) {
  std::vector<Link> links;
  for (const Link& link : mark.links)
    if (page.queryY(link.query))
      links.push_back(link);
  std::stable_sort(links.begin(), links.end(),
                   [](const Link& a, const Link& b) { return a.share > b.share; });
  links.resize(std::min(links.size(), kMostLines));
  return links;
}

// Rows of tokens as [y, words], and lines as [query, key, weight] by these.
std::vector<std::string> areasOf(const LinksMark& mark, const Placement& at) {
  if (!mark.words) // a small picture among many, which says what it is as a whole
    return {};
  const LinksPage page = linksPage(mark, at.placed.box, at.placed.type);
  PageJson area{{"kind", "links"}, {"box", jsonOf(at.placed.box)}};
  area["queries"] = PageJson::array();
  for (Index k = page.queryBegin; k < page.queryEnd; ++k)
    area["queries"].push_back(
        {*page.queryY(k), "Query " + groupedDigits(mark.firstQuery + k) + " “" +
                              mark.queries[static_cast<std::size_t>(k)] + "”"});
  area["keys"] = PageJson::array();
  for (std::size_t k = 0; k < mark.keys.size(); ++k)
    area["keys"].push_back({page.keyY(static_cast<Index>(k)), wordsOf(mark.keys[k])});
  area["lines"] = PageJson::array();
  for (const Link& link : strongest(mark, page))
    area["lines"].push_back(
        {link.query - page.queryBegin, link.key, rounded(link.share * mark.largest)});
  return {textOf(area)};
}

// Masks and matrices answer cell by cell (page_areas.cpp).
std::vector<std::string> areasOf(const MaskMark&, const Placement&) {
  return {};
}
std::vector<std::string> areasOf(const ValuesMark&, const Placement&) {
  return {};
}

} // namespace

std::vector<std::string> pagePlaces(const PlacedMark& mark, const TextMeasure& measure) {
  return std::visit([&](const auto& of) { return areasOf(of, {mark, measure}); }, mark.plot.mark);
}

} // namespace attention
