#include "core/figure/draw_links.h"

#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Widths in pixels at 13 pixels of type.
constexpr double kThinnest = 0.7;
constexpr double kThickest = 4;
constexpr double kFaintest = 0.18; // of the hue, on the ground
constexpr double kTokenGap = 0.5;  // between the lines and the words, in sizes of type
constexpr double kHeading = 1.6;   // above the columns, in lines
constexpr double kWordLine = 1.15; // from word to word at least, in sizes of their type
constexpr double kSmallest = 0.75; // type of words that are close, in sizes of type
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
    drawColumn(mark_.queries, mark_.query, true);
    drawColumn(mark_.keys, mark_.key, false);
    const double y = box_.y - 0.6 * kLineHeight * style_.type;
    add(Text{{box_.x, y}, "query i", style_.type, colors_.dim, TextAlign::Left, false, false});
    add(Text{{box_.right(), y}, "key j", style_.type, colors_.dim, TextAlign::Right, false, false});
  }

private:
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

  // Every word where lines of words have room, smaller where that makes it; else every second,
  // third …; the marked one always, its neighbours never where they would touch it.
  void drawColumn(const std::vector<std::string>& words, const std::optional<Index>& marked,
                  bool left) {
    const double row = box_.height / static_cast<double>(words.size());
    const double type = std::clamp(row / kWordLine, kSmallest * style_.type, style_.type);
    const auto step =
        std::max<Index>(static_cast<Index>(std::ceil(kWordLine * type / std::max(row, 1e-9))), 1);
    for (Index k = 0; k < static_cast<Index>(words.size()); ++k) {
      const bool here = k == marked;
      const bool nearMarked = marked && std::abs(k - *marked) < step;
      if (here || (k % step == 0 && !nearMarked))
        drawWord(words[static_cast<std::size_t>(k)], heightOf(k, words.size()), type, here, left);
    }
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
