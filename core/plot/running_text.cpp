#include "core/plot/running_text.h"

#include "core/plot/draw_marks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kTextLine = 1.9;     // from line to line, in sizes of type
constexpr double kMostTextLine = 2.4; // where there is room
constexpr double kUsualType = 13;     // beside kRunningSizes
constexpr double kWordSpace = 0.42;   // between words, likewise
constexpr double kShadeHeight = 1.35; // height of a shade, likewise
constexpr double kBelowBase = 0.3;    // of type, from the baseline to a shade's lower edge
constexpr double kMostShade = 0.75;
constexpr double kLeastShade = 0.02;  // that is drawn
constexpr double kFaintLight = 0.1;   // of the hue: the faintest shade that is seen on white
constexpr double kFaintDark = 0.26;   // and on a dark ground
constexpr double kFaintLine = 0.6;    // likewise, of the line below a word
constexpr double kLostLine = 2;       // pixels at 13 pixels of type
constexpr double kBesideWord = 0.13;  // of type, that shades and frames reach beyond a word
constexpr Index kMostEnlarged = 1000; // tokens: longer texts need all the room that there is
constexpr double kLettersWide = 90;   // of a line in a figure without a size

// Letters of scripts that are read from right to left: Hebrew, Arabic and their neighbours
// (Unicode, UAX #9, classes R and AL in the basic plane), by the first bytes of UTF-8.
bool isRightToLeft(const std::string& text) {
  for (std::size_t k = 0; k + 1 < text.size(); ++k) {
    const auto first = static_cast<unsigned char>(text[k]);
    if (first >= 0xD6 && first <= 0xDF)
      return true;
  }
  return false;
}

bool readsFromRight(const std::vector<TextToken>& tokens) {
  std::size_t right = 0;
  std::size_t left = 0;
  for (const TextToken& token : tokens) {
    if (isRightToLeft(token.text))
      ++right;
    else if (std::any_of(token.text.begin(), token.text.end(),
                         [](unsigned char c) { return std::isalpha(c) != 0; }))
      ++left;
  }
  return right > left;
}

// The token with which the word of a token begins.
Index wordBegin(const std::vector<TextToken>& tokens, Index token) {
  while (token > 0 && tokens[static_cast<std::size_t>(token)].joined)
    --token;
  return token;
}

class LineMaker {
public:
  LineMaker(const RunningTextMark& mark, double width, double type, const TextMeasure& measure)
      : tokens_(mark.tokens), width_(width), type_(type), measure_(measure) {}

  // The word that begins with a token, its edges from 0.
  PlacedWord wordAt(Index begin) const {
    PlacedWord word{begin, begin + 1, 0, tokens_[static_cast<std::size_t>(begin)].text, {0}};
    word.edges.push_back(measure_(word.text, type_, false));
    const auto count = std::ssize(tokens_);
    while (word.end < count && tokens_[static_cast<std::size_t>(word.end)].joined) {
      word.text += tokens_[static_cast<std::size_t>(word.end++)].text;
      word.edges.push_back(measure_(word.text, type_, false));
    }
    return word;
  }

  // Puts it behind the last one, or on a new line.
  void place(PlacedWord& word, Index& line, double& x) const {
    const double length = word.edges.back();
    if (x > 0 && x + length > width_) {
      ++line;
      x = 0;
    }
    word.line = line;
    for (double& edge : word.edges)
      edge += x;
    x += length + kWordSpace * type_;
  }

private:
  const std::vector<TextToken>& tokens_;
  double width_;
  double type_;
  const TextMeasure& measure_;
};

void mirror(PlacedWord& word, double width) {
  const double left = width - word.edges.back();
  const double right = width - word.edges.front();
  const std::vector<double> edges = word.edges;
  for (std::size_t k = 0; k < edges.size(); ++k)
    word.edges[k] =
        left + (right - left) * static_cast<double>(k) / static_cast<double>(edges.size() - 1);
}

} // namespace

std::optional<Index> TextLines::tokenAt(const Point& at) const {
  const auto line = static_cast<Index>(std::floor(at.y / lineHeight));
  for (const PlacedWord& word : words) {
    if (word.line != line || at.x < word.edges.front() || at.x >= word.edges.back())
      continue;
    const auto after = std::upper_bound(word.edges.begin(), word.edges.end(), at.x);
    const auto part = static_cast<Index>(after - word.edges.begin()) - 1;
    return rightToLeft ? word.end - 1 - part : word.begin + part;
  }
  return std::nullopt;
}

TextLines textLines(const RunningTextMark& mark, const Size& size, double type,
                    const TextMeasure& measure) {
  TextLines made;
  made.lineHeight = kTextLine * type;
  made.rightToLeft = readsFromRight(mark.tokens);
  const auto count = std::ssize(mark.tokens);
  const auto most = static_cast<Index>(std::floor(size.height / made.lineHeight + 1e-6));
  const LineMaker maker(mark, size.width, type, measure);
  Index line = 0;
  double x = 0;
  Index at = count > 0 ? wordBegin(mark.tokens, std::clamp<Index>(mark.first, 0, count - 1)) : 0;
  while (at < count) {
    PlacedWord word = maker.wordAt(at);
    maker.place(word, line, x);
    if (line >= most)
      break;
    at = word.end;
    if (made.rightToLeft)
      mirror(word, size.width);
    made.words.push_back(std::move(word));
  }
  made.end = at;
  if (mark.first == 0 && at == count && !made.words.empty())
    made.lineHeight = std::clamp(size.height / static_cast<double>(made.words.back().line + 1),
                                 made.lineHeight, kMostTextLine * type);
  return made;
}

Index scrolledTo(const RunningTextMark& mark, Index by, double width, double type,
                 const TextMeasure& measure) {
  const auto count = std::ssize(mark.tokens);
  if (count == 0)
    return 0;
  const Index first = wordBegin(mark.tokens, std::clamp<Index>(mark.first, 0, count - 1));
  const LineMaker maker(mark, width, type, measure);
  if (by >= 0) {
    Index line = 0;
    double x = 0;
    for (Index at = first; at < count;) {
      PlacedWord word = maker.wordAt(at);
      maker.place(word, line, x);
      if (line == by)
        return word.begin;
      at = word.end;
    }
    return first;
  }
  // Upwards as many words as fill a line of that width.
  Index at = first;
  for (Index up = by; up < 0 && at > 0; ++up) {
    double x = 0;
    while (at > 0) {
      const PlacedWord word = maker.wordAt(wordBegin(mark.tokens, at - 1));
      const double length = word.edges.back();
      if (x > 0 && x + length > width)
        break;
      x += length + kWordSpace * type;
      at = word.begin;
    }
  }
  return at;
}

void drawRunningText(const RunningTextMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing) {
  const Size size{box.width, box.height};
  const double type = runningType(mark, size, style.type, drawing.measure);
  const FigureColors& colors = figureColors(style.theme);
  const TextLines lines = textLines(mark, size, type, drawing.measure);
  const auto baseOf = [&](const PlacedWord& word) {
    return box.y + (static_cast<double>(word.line) + 0.5) * lines.lineHeight + 0.35 * type;
  };
  const auto partOf = [&](const PlacedWord& word, Index token) {
    const auto k =
        static_cast<std::size_t>(lines.rightToLeft ? word.end - 1 - token : token - word.begin);
    const double bottom = baseOf(word) + kBelowBase * type;
    const double left = word.edges[k] - (k == 0 ? kBesideWord * type : 0);
    const double right = word.edges[k + 1] + (k + 2 == word.edges.size() ? kBesideWord * type : 0);
    return Box{box.x + left, bottom - kShadeHeight * type, right - left, kShadeHeight * type};
  };
  const double faint = style.theme == FigureTheme::Dark ? kFaintDark : kFaintLight;
  const auto tintOf = [](double least, double most, double share) {
    return least + (most - least) * std::min(share, 1.0);
  };
  for (const PlacedWord& word : lines.words)
    for (Index token = word.begin; token < word.end; ++token) {
      const TextToken& of = mark.tokens[static_cast<std::size_t>(token)];
      const Box part = partOf(word, token);
      if (of.share >= kLeastShade)
        drawing.list.add(FillBoxes{
            {part},
            readable(mix(colors.ground, colors.series[0], tintOf(faint, kMostShade, of.share)),
                     colors.text),
            {},
            {1, 1}});
      if (of.lost >= kLeastShade)
        drawing.list.add(
            Polyline{{{part.x, part.bottom()}, {part.right(), part.bottom()}},
                     mix(colors.ground, colors.series[1], tintOf(kFaintLine, 1, of.lost)),
                     kLostLine * type / 13});
      if (mark.marked == token)
        drawing.list.add(StrokeBox{part, colors.query, 1.5 * type / 13});
    }
  for (const PlacedWord& word : lines.words)
    drawing.list.add(Text{{box.x + word.edges.front(), baseOf(word)},
                          word.text,
                          type,
                          colors.text,
                          TextAlign::Left,
                          false,
                          false});
}

double runningType(const RunningTextMark& mark, const Size& size, double type,
                   const TextMeasure& measure) {
  if (mark.first > 0 || std::ssize(mark.tokens) > kMostEnlarged)
    return type;
  for (auto em = kRunningSizes.rbegin(); em != kRunningSizes.rend(); ++em)
    if (const double larger = *em / kUsualType * type;
        textLines(mark, size, larger, measure).end == std::ssize(mark.tokens))
      return larger;
  return type;
}

double aspectOf(const RunningTextMark& mark) {
  double letters = 0;
  for (const TextToken& token : mark.tokens)
    letters += static_cast<double>(token.text.size()) + (token.joined ? 0 : 1);
  const double lines = std::ceil(letters / kLettersWide) + 1;
  return std::clamp(lines * kTextLine / (kLettersWide * 0.5), 0.08, 1.4);
}

} // namespace attention
