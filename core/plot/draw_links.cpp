#include "core/plot/draw_marks.h"

#include "core/plot/links_page.h"
#include "core/plot/ticks.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attention {
namespace {

// "0 “[CLS]”": for a key that is not in its usual place.
std::string edgeWords(const LinkKey& key) {
  if (key.others > 0)
    return groupedDigits(key.others) + " more";
  const std::string number = groupedDigits(key.token);
  return key.name == number || key.name.empty() ? number : number + " “" + key.name + "”";
}

// Widths in pixels at 13 pixels of type.
constexpr double kThinnest = 0.7;
constexpr double kThickest = 4;
constexpr double kFaintest = 0.18; // of the hue, on the ground
constexpr double kBareLines = 0.4; // of these widths, where rows have no words
constexpr double kTokenGap = 0.5;  // between the lines and the words, in sizes of type
constexpr double kHeading = 1.6;   // above the columns, in lines
constexpr double kWordsWidth = 16; // of a column of words at most, in sizes of type

class LinksPainter {
public:
  LinksPainter(const LinksMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing)
      : mark_(mark), box_(box), style_(style), drawing_(drawing),
        colors_(figureColors(style.theme)), page_(linksPage(mark, box, style.type)) {}

  void run() {
    bool empty = true;
    for (const Link& link : mark_.links)
      if (const auto y = page_.queryY(link.query)) {
        drawLink(link, *y);
        empty = false;
      }
    if (!mark_.words)
      return;
    drawQueries();
    drawKeys();
    if (empty)
      add(Text{{box_.x + box_.width / 2, box_.y + box_.height / 2},
               "no weights here",
               style_.type,
               colors_.dim,
               TextAlign::Center,
               false,
               false});
    drawHeadings();
  }

private:
  struct Word {
    const std::string& text;
    double y;
    bool marked;
    bool left; // of the lines
    bool atEdge = false;
  };

  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }

  void drawLink(const Link& link, double y) {
    const double scale = mark_.words ? style_.type / 13 : kBareLines;
    const double width = (kThinnest + (kThickest - kThinnest) * link.share) * scale;
    add(Polyline{
        {{box_.x, y}, {box_.right(), page_.keyY(link.key)}},
        mix(colors_.ground, colors_.series[0], kFaintest + (1 - kFaintest) * std::sqrt(link.share)),
        width,
        Dash::Solid});
  }

  // "query i" and "key j"; of a part of the tokens "queries 12–35", so that it is known which is
  // drawn. In fewer words, or none, where these would meet.
  void drawHeadings() {
    const Index keys = mark_.keys.empty() ? 0 : tokenOf(page_.keyBegin);
    const std::string queries = spanText(
        {mark_.firstQuery + page_.queryBegin, mark_.firstQuery + page_.queryEnd, mark_.allQueries});
    const std::string keySpan =
        spanText({keys, keys + page_.keyEnd - page_.keyBegin, mark_.allKeys});
    using Pair = std::pair<std::string, std::string>;
    const auto named = [](const std::string& span, const char* many, const char* one) {
      return span.empty() ? std::string(one) : many + span;
    };
    const std::array<Pair, 3> forms{
        Pair{named(queries, "queries ", "query i"), named(keySpan, "keys ", "key j")},
        Pair{named(queries, "i ", "query i"), named(keySpan, "j ", "key j")}, Pair{"i", "j"}};
    const double type = style_.type;
    const auto fits = [&](const Pair& words) {
      return drawing_.measure(words.first, type, false) +
                 drawing_.measure(words.second, type, false) + type <=
             box_.width;
    };
    const auto words = std::find_if(forms.begin(), forms.end(), fits);
    if (words == forms.end())
      return;
    const double y = box_.y - 0.6 * kLineHeight * type;
    add(Text{{box_.x, y}, words->first, type, colors_.dim, TextAlign::Left, false, false});
    add(Text{{box_.right(), y}, words->second, type, colors_.dim, TextAlign::Right, false, false});
  }

  Index tokenOf(Index place) const { return mark_.keys[static_cast<std::size_t>(place)].token; }

  struct TokenSpan {
    Index begin = 0;
    Index end = 0;
    Index all = 0;
  };
  // "12–35"; empty where they are all.
  static std::string spanText(const TokenSpan& span) {
    if (span.end - span.begin >= span.all || span.end <= span.begin)
      return {};
    return groupedDigits(span.begin) + "–" + groupedDigits(span.end - 1);
  }

  void drawQueries() {
    for (Index k = page_.queryBegin; k < page_.queryEnd; ++k)
      drawWord(
          {mark_.queries[static_cast<std::size_t>(k)], *page_.queryY(k), mark_.query == k, true});
  }

  void drawKeys() {
    for (Index k = page_.keyBegin; k < page_.keyEnd; ++k)
      drawWord(
          {mark_.keys[static_cast<std::size_t>(k)].name, page_.keyY(k), mark_.key == k, false});
    drawEdge(page_.above, "↑ ");
    drawEdge(page_.below, "↓ ");
  }

  void drawEdge(const std::vector<LinksPage::Edge>& edges, const std::string& arrow) {
    for (const LinksPage::Edge& edge : edges) {
      if (!hasLine(edge))
        continue;
      const Index first = edge.keys.front();
      const std::string words =
          arrow + (edge.others == 0 ? edgeWords(mark_.keys[static_cast<std::size_t>(first)])
                                    : groupedDigits(edge.others) + " more");
      drawWord({words, page_.keyY(first), edge.others == 0 && mark_.key == first, false, true});
    }
  }

  // Lines that are left out for those of a marked token leave their rows empty, so that pointing
  // at tokens moves nothing.
  bool hasLine(const LinksPage::Edge& edge) const {
    return std::any_of(mark_.links.begin(), mark_.links.end(), [&](const Link& link) {
      return page_.queryY(link.query) &&
             std::find(edge.keys.begin(), edge.keys.end(), link.key) != edge.keys.end();
    });
  }

  void drawWord(const Word& word) {
    const double gap = kTokenGap * style_.type;
    const double type = style_.type;
    const Point at{word.left ? box_.x - gap : box_.right() + gap, word.y + 0.35 * type};
    const Color& color = word.marked ? colors_.query : word.atEdge ? colors_.dim : colors_.text;
    add(Text{at, fitted(word.text, kWordsWidth * type, {type, word.marked}, drawing_.measure), type,
             color, word.left ? TextAlign::Right : TextAlign::Left, word.marked, false});
  }

  const LinksMark& mark_;
  Box box_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  const FigureColors& colors_;
  LinksPage page_;
};

} // namespace

void drawLinks(const LinksMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing) {
  LinksPainter(mark, box, style, drawing).run();
}

PlotMargins marginsOf(const LinksMark& mark, double type, const TextMeasure& measure) {
  if (!mark.words)
    return {type, type, type / 2, type / 2};
  const auto roomFor = [&](double width) {
    return std::min(width, kWordsWidth * type) + kTokenGap * type;
  };
  double queries = 0;
  double keys = 0;
  for (const std::string& word : mark.queries)
    queries = std::max(queries, measure(word, type, true));
  for (const LinkKey& key : mark.keys)
    keys = std::max(keys, measure("↑ " + edgeWords(key), type, true)); // each may be off the page
  PlotMargins margins;
  margins.left = roomFor(queries);
  margins.right = roomFor(keys);
  margins.top = kHeading * kLineHeight * type;
  margins.bottom = type / 2;
  return margins;
}

double aspectOf(const LinksMark& mark) {
  constexpr double kPerToken = 0.05;
  constexpr double kBare = 0.5; // rows without words are as low as there is room
  if (!mark.words)
    return kBare;
  const Index most = std::max<Index>(std::ssize(mark.queries), std::ssize(mark.keys));
  return std::clamp(kPerToken * static_cast<double>(most), 0.6, 3.2);
}

} // namespace attention
