#include "core/figure/draw_links.h"

#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attention {
namespace {

// Widths in pixels at 13 pixels of type.
constexpr double kThinnest = 0.7;
constexpr double kThickest = 4;
constexpr double kFaintest = 0.18; // of the hue, on the ground
constexpr double kTokenGap = 0.5;  // between the lines and the words, in sizes of type
constexpr double kHeading = 1.6;   // above the columns, in lines
constexpr double kWordLine = 1.02; // from word to word at least, in sizes of their type
constexpr double kSmallest = 0.8;  // type of words that are close, in sizes of type
constexpr double kWordsWidth = 8;  // of a column of words at most, in sizes of type

class LinksPainter {
public:
  LinksPainter(const LinksMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing)
      : mark_(mark), box_(box), style_(style), drawing_(drawing),
        colors_(figureColors(style.theme)) {}

  void run() {
    for (const Link& link : mark_.links)
      drawLink(link);
    drawColumn(mark_.queries, {&LinksMark::query, &Link::query, true});
    drawColumn(mark_.keys, {&LinksMark::key, &Link::key, false});
    const double y = box_.y - 0.6 * kLineHeight * style_.type;
    add(Text{{box_.x, y}, "query i", style_.type, colors_.dim, TextAlign::Left, false, false});
    add(Text{{box_.right(), y}, "key j", style_.type, colors_.dim, TextAlign::Right, false, false});
  }

private:
  // Queries at the left or keys at the right.
  struct Column {
    std::optional<Index> LinksMark::*marked;
    Index Link::*end;
    bool left;
  };

  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }

  double heightOf(Index token, std::size_t count) const {
    return box_.y + (static_cast<double>(token) + 0.5) / static_cast<double>(count) * box_.height;
  }

  void drawLink(const Link& link) {
    const double width = (kThinnest + (kThickest - kThinnest) * link.share) * style_.type / 13;
    add(Polyline{
        {{box_.x, heightOf(link.query, mark_.queries.size())},
         {box_.right(), heightOf(link.key, mark_.keys.size())}},
        mix(colors_.ground, colors_.series[0], kFaintest + (1 - kFaintest) * std::sqrt(link.share)),
        width,
        Dash::Solid});
  }

  // Every word where lines of words have room, smaller where that makes it; else the marked one,
  // those at the ends of lines, the strongest first, and every second, third …, none where it would
  // touch one before it.
  void drawColumn(const std::vector<std::string>& words, Column column) {
    const double row = box_.height / static_cast<double>(words.size());
    const double least = kWordLine * kSmallest * style_.type / std::max(row, 1e-9);
    const auto step = std::max<Index>(static_cast<Index>(std::ceil(least)), 1);
    const double type = std::min(static_cast<double>(step) * row / kWordLine, style_.type);
    std::set<Index> named;
    for (const Index k : byImportance(static_cast<Index>(words.size()), step, column)) {
      const auto after = named.lower_bound(k - step + 1);
      if (after != named.end() && *after < k + step)
        continue;
      named.insert(k);
      drawWord(words[static_cast<std::size_t>(k)], heightOf(k, words.size()), type,
               k == mark_.*column.marked, column.left);
    }
  }

  std::vector<Index> byImportance(Index count, Index step, Column column) const {
    std::vector<Index> places;
    if (mark_.*column.marked)
      places.push_back(*(mark_.*column.marked));
    if (step > 1) {
      std::vector<Link> links = mark_.links;
      std::stable_sort(links.begin(), links.end(),
                       [](const Link& a, const Link& b) { return a.share > b.share; });
      for (const Link& link : links)
        places.push_back(link.*column.end);
    }
    for (Index k = 0; k < count; k += step)
      places.push_back(k);
    return places;
  }

  void drawWord(const std::string& word, double y, double type, bool marked, bool left) {
    const double gap = kTokenGap * style_.type;
    const Point at{left ? box_.x - gap : box_.right() + gap, y + 0.35 * type};
    add(Text{at, fitted(word, kWordsWidth * style_.type, {type, marked}, drawing_.measure), type,
             marked ? colors_.query : colors_.text, left ? TextAlign::Right : TextAlign::Left,
             marked, false});
  }

  const LinksMark& mark_;
  Box box_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  const FigureColors& colors_;
};

} // namespace

void drawLinks(const LinksMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing) {
  LinksPainter(mark, box, style, drawing).run();
}

PlotMargins marginsOf(const LinksMark& mark, double type, const TextMeasure& measure) {
  const auto widest = [&](const std::vector<std::string>& words) {
    double most = 0;
    for (const std::string& word : words)
      most = std::max(most, measure(word, type, true));
    return std::min(most, kWordsWidth * type) + kTokenGap * type;
  };
  PlotMargins margins;
  margins.left = widest(mark.queries);
  margins.right = widest(mark.keys);
  margins.top = kHeading * kLineHeight * type;
  margins.bottom = type / 2;
  return margins;
}

double aspectOf(const LinksMark& mark) {
  constexpr double kPerToken = 0.05;
  const std::size_t most = std::max(mark.queries.size(), mark.keys.size());
  return std::clamp(kPerToken * static_cast<double>(most), 0.6, 3.2);
}

Index linkTokenAt(const Box& box, Index count, double y) {
  const double share = (y - box.y) / std::max(box.height, 1e-9);
  return std::clamp<Index>(static_cast<Index>(std::floor(share * static_cast<double>(count))), 0,
                           count - 1);
}

} // namespace attention
