#include "core/plot/running_text.h"

#include "core/plot/draw_marks.h"
#include "core/support/direction.h"

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
constexpr double kLeastShade = 0.02;  // that is drawn
constexpr double kFaint = 0.15;       // of the strongest shade, of the faintest that is drawn
constexpr double kFaintLine = 0.6;    // of the hue, of the line below a word
constexpr double kLostLine = 2;       // pixels at 13 pixels of type
constexpr double kBesideWord = 0.13;  // of type, that shades and frames reach beyond a word
constexpr Index kMostEnlarged = 1000; // tokens: longer texts need all the room that there is
constexpr double kLetterWidth = 0.53; // of type, and rather more than most
constexpr double kLettersWide = 90;   // of a line in a figure without a size
constexpr std::size_t kMostRead = 75; // letters of a line: longer ones may as well be broken
constexpr std::string_view kBreak = "¶";

bool hasSign(const TextToken& token) {
  return token.breaks > 0 || token.wraps;
}

bool isFromRight(const std::vector<TextToken>& tokens) {
  std::size_t right = 0;
  std::size_t left = 0;
  for (const TextToken& token : tokens) {
    if (readsFromRight(token.text))
      ++right;
    else if (std::any_of(token.text.begin(), token.text.end(),
                         [](unsigned char c) { return std::isalpha(c) != 0; }))
      ++left;
  }
  return right > left;
}

// The token with which the word of a token begins.
Index wordBegin(const std::vector<TextToken>& tokens, Index token) {
  while (token > 0 && tokens[static_cast<std::size_t>(token)].joined &&
         tokens[static_cast<std::size_t>(token) - 1].breaks == 0)
    --token;
  return token;
}

class LineMaker {
public:
  LineMaker(const RunningTextMark& mark, double width, double type, const TextMeasure& measure)
      : tokens_(mark.tokens), width_(width), type_(type), measure_(measure) {}

  // The word that begins with a token, its edges from 0.
  PlacedWord wordAt(Index begin) const {
    PlacedWord word{begin, begin, 0, {}, {0}};
    do {
      word.text += at(word.end++).text;
      word.edges.push_back(measure_(word.text, type_, false));
    } while (word.end < std::ssize(tokens_) && at(word.end).joined && at(word.end - 1).breaks == 0);
    shareCharacters(word);
    if (hasSign(at(word.end - 1)))
      word.edges.back() += measure_(kBreak, type_, false);
    return word;
  }

  // Puts it behind the last one, or on a new line. The sign of a break may stand beyond its line.
  void place(PlacedWord& word, Index& line, double& x) const {
    const Index breaks = at(word.end - 1).breaks;
    const double length = word.edges.back();
    const double beyond = breaks > 0 ? measure_(kBreak, type_, false) : 0;
    if (x > 0 && x + length - beyond > width_) {
      ++line;
      x = 0;
    }
    word.line = line;
    for (double& edge : word.edges)
      edge += x;
    x += length + kWordSpace * type_;
    if (breaks > 0) {
      line += breaks;
      x = 0;
    }
  }

private:
  const TextToken& at(Index token) const { return tokens_[static_cast<std::size_t>(token)]; }

  // Tokens that are bytes of one character have equal parts of its width.
  void shareCharacters(PlacedWord& word) const {
    for (Index begin = word.begin; begin < word.end;) {
      Index end = begin + 1;
      while (end < word.end && at(end).text.empty() && !hasSign(at(end)))
        ++end;
      const auto first = static_cast<std::size_t>(begin - word.begin);
      const auto count = static_cast<std::size_t>(end - begin);
      const double left = word.edges[first];
      const double width = word.edges[first + count] - left;
      for (std::size_t k = 1; k < count; ++k)
        word.edges[first + k] = left + width * static_cast<double>(k) / static_cast<double>(count);
      begin = end;
    }
  }

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

// The larger of two sizes for a text on several pages, where lines that the text itself breaks are
// not broken again unless they are long.
double pagedType(const RunningTextMark& mark, double width, double type) {
  const double larger = kRunningSizes.front() / kUsualType * type;
  std::size_t letters = 0; // of a line
  std::size_t most = 0;
  for (const TextToken& token : mark.tokens) {
    letters += token.text.size() + (token.joined ? 0 : 1);
    most = std::max(most, letters);
    if (token.breaks > 0)
      letters = 0;
  }
  return kLetterWidth * larger * static_cast<double>(std::min(most, kMostRead)) <= width ? larger
                                                                                         : type;
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
  made.rightToLeft = isFromRight(mark.tokens);
  const auto count = std::ssize(mark.tokens);
  const auto most = static_cast<Index>(std::floor(size.height / made.lineHeight + 1e-6));
  const LineMaker maker(mark, size.width, type, measure);
  Index line = 0;
  double x = 0;
  Index at = count > 0 ? wordBegin(mark.tokens, std::clamp<Index>(mark.first, 0, count - 1)) : 0;
  while (at < count) {
    PlacedWord word = maker.wordAt(at);
    maker.place(word, line, x);
    if (word.line >= most)
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
    Index begun = 0; // the line of `begin`
    Index begin = first;
    for (Index at = first; at < count && begun < by;) {
      PlacedWord word = maker.wordAt(at);
      maker.place(word, line, x);
      if (word.line > begun) {
        begun = word.line;
        begin = word.begin;
      }
      at = word.end;
    }
    return begin;
  }
  // Upwards as many words as fill a line of that width, or as stand after a break; lines without
  // words count too.
  const auto breaksBefore = [&](Index token) {
    return mark.tokens[static_cast<std::size_t>(token) - 1].breaks;
  };
  Index at = first;
  for (Index up = -by; up > 0 && at > 0; --up) {
    up = std::max<Index>(1, up + 1 - std::max<Index>(1, breaksBefore(at)));
    double x = 0;
    while (at > 0 && (x == 0 || breaksBefore(at) == 0)) {
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

Index pageFrom(RunningTextMark mark, const Size& size, double type, const TextMeasure& measure) {
  const auto count = std::ssize(mark.tokens);
  const auto most = static_cast<Index>(std::floor(size.height / (kTextLine * type) + 1e-6));
  const TextLines lines = textLines(mark, size, type, measure);
  const Index unused = lines.words.empty() ? 0 : most - 1 - lines.words.back().line;
  if (mark.first <= 0 || lines.end < count || unused <= 0)
    return mark.first;
  mark.first = scrolledTo(mark, -unused, size.width, type, measure);
  // Lines that begin with other words may be one more.
  while (textLines(mark, size, type, measure).end < count)
    mark.first = scrolledTo(mark, 1, size.width, type, measure);
  return mark.first;
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
  const auto from = [](double least, double share) {
    return least + (1 - least) * std::min(share, 1.0);
  };
  for (const PlacedWord& word : lines.words)
    for (Index token = word.begin; token < word.end; ++token) {
      const TextToken& of = mark.tokens[static_cast<std::size_t>(token)];
      const Box part = partOf(word, token);
      if (of.share >= kLeastShade)
        drawing.list.add(FillBoxes{
            {part}, shade(colors.series[0], from(kFaint, of.share), style.theme), {}, {1, 1}});
      if (of.lost >= kLeastShade)
        drawing.list.add(Polyline{{{part.x, part.bottom()}, {part.right(), part.bottom()}},
                                  mix(colors.ground, colors.series[1], from(kFaintLine, of.lost)),
                                  kLostLine * type / 13});
      if (mark.marked == token)
        drawing.list.add(StrokeBox{part, colors.query, 1.5 * type / 13});
    }
  const auto write = [&](const PlacedWord& word, double x, std::string text, const Color& color) {
    drawing.list.add(
        Text{{x, baseOf(word)}, std::move(text), type, color, TextAlign::Left, false, false});
  };
  const double sign = drawing.measure(kBreak, type, false);
  for (const PlacedWord& word : lines.words) {
    const TextToken& last = mark.tokens[static_cast<std::size_t>(word.end - 1)];
    const double left = box.x + word.edges.front();
    const bool signs = hasSign(last);
    if (!word.text.empty())
      write(word, left + (signs && lines.rightToLeft ? sign : 0), word.text, colors.text);
    if (signs)
      write(word, lines.rightToLeft ? left : box.x + word.edges.back() - sign, std::string(kBreak),
            last.share >= kLeastShade ? colors.text : colors.frame);
  }
}

double runningType(const RunningTextMark& mark, const Size& size, double type,
                   const TextMeasure& measure) {
  const double paged = pagedType(mark, size.width, type);
  if (mark.first > 0 || std::ssize(mark.tokens) > kMostEnlarged)
    return paged;
  for (auto em = kRunningSizes.rbegin(); em != kRunningSizes.rend(); ++em)
    if (const double larger = *em / kUsualType * type;
        textLines(mark, size, larger, measure).end == std::ssize(mark.tokens))
      return larger;
  return paged;
}

double aspectOf(const RunningTextMark& mark) {
  double lines = 1;
  double letters = 0; // of a line that a break ends
  for (const TextToken& token : mark.tokens) {
    letters += static_cast<double>(token.text.size()) + (token.joined ? 0 : 1);
    if (token.breaks == 0)
      continue;
    lines +=
        std::max(0.0, std::ceil(letters / kLettersWide) - 1) + static_cast<double>(token.breaks);
    letters = 0;
  }
  lines += std::ceil(letters / kLettersWide);
  return std::clamp(lines * kTextLine / (kLettersWide * 0.5), 0.08, 1.4);
}

} // namespace attention
