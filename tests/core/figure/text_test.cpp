// Running text: words of their pieces, lines, shades; and the text of a Scene.
#include "core/analysis/reach/rollout.h"
#include "core/plot/draw_marks.h"
#include "core/plot/layout.h"
#include "core/scene/scene_json.h"
#include "core/views/scene_figure.h"
#include "core/views/text/scene_text.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

using namespace attention;

namespace {

// "walk" + "ing" is one word; a bar shows where one begins.
std::string joinedText(const Words& pieces, const Words& labels) {
  std::string text;
  for (const TextToken& token : textTokens(pieces, labels, static_cast<Index>(labels.size())))
    text += (token.joined ? "" : "|") + token.text;
  return text;
}

// As wide as it has bytes, ten pixels each.
const TextMeasure kTenPerByte = [](std::string_view text, double, bool) {
  return 10.0 * static_cast<double>(text.size());
};

RunningTextMark markOf(const Words& words) {
  RunningTextMark mark;
  mark.tokens = textTokens({}, words, static_cast<Index>(words.size()));
  return mark;
}

Scene textScene() {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = patternNamed("causal");
  scene.input.source = exampleOfTyped();
  scene.attention.picture = AttentionPicture::Text;
  return scene;
}

} // namespace

TEST_CASE("pieces become words by the signs of their tokenizer", "[figure]") {
  CHECK(joinedText({"walk", "##ing", "is", "fun", "!"}, {"walk", "##ing", "is", "fun", "!"}) ==
        "|walking|is|fun!");
  CHECK(joinedText({"The", "Ġcat", "s", "Ġsat"}, {"The", "cat", "s", "sat"}) == "|The|cats|sat");
  CHECK(joinedText({"▁The", "▁cat", "s"}, {"The", "cat", "s"}) == "|The|cats");
  CHECK(joinedText({}, {"the", "cat", "."}) == "|the|cat|.");
}

TEST_CASE("signs that WordPiece parts from their words are read with them", "[figure]") {
  const auto read = [](const Words& pieces) { return joinedText(pieces, pieces); };
  CHECK(read({"run", "##s", ",", "\"", "and", "what", "?", "\"", "she"}) ==
        "|runs,|\"and|what?\"|she");
  CHECK(read({"mind", "(", "as", "we", "##ll", ")", "so"}) == "|mind|(as|well)|so");
  CHECK(read({"daisy", "-", "chain", "##s", "it", "'", "s"}) == "|daisy-chains|it's");
  CHECK(read({"run", "##s", "-", "-", "off", "-"}) == "|runs|-|-|off|-"); // a dash, no hyphen
  CHECK(read({"go", "##ne", "\"", "a", "\"", "\"", "b", "\""}) == "|gone|\"a\"|\"b\"");
  CHECK(joinedText({}, {"mind", "(", "it", "-", "s"}) == "|mind|(|it|-|s"); // no WordPiece
}

TEST_CASE("line breaks end words and lines", "[figure]") {
  const Words pieces{"The", "Ġend", ".", "Ċ", "Ċ", "New", "Ġline", "ĊĊ", "x"};
  const Words labels{"The", "end", ".", "\\n", "\\n", "New", "line", "\\n\\n", "x"};
  const auto tokens = textTokens(pieces, labels, 9);
  std::vector<Index> breaks;
  for (const TextToken& token : tokens)
    breaks.push_back(token.breaks);
  CHECK(breaks == std::vector<Index>{0, 0, 0, 1, 1, 0, 0, 2, 0});
  CHECK(joinedText(pieces, labels) == "|The|end.||New|line|x");
  CHECK(tokens[3].joined);       // at the end of its line
  CHECK_FALSE(tokens[4].joined); // a line of its own
  RunningTextMark mark;
  mark.tokens = tokens;
  const TextLines lines = textLines(mark, {500, 1000}, 10, kTenPerByte);
  std::vector<Index> places;
  for (const PlacedWord& word : lines.words)
    places.push_back(word.line);
  CHECK(places == std::vector<Index>{0, 0, 1, 2, 2, 4});
  CHECK(lines.tokenAt({85, 12}) == 3); // the sign behind “end.” can be pointed at
}

TEST_CASE("a single break behind a long line reads as a space", "[figure]") {
  Words words(12, "abcd"); // sixty letters with their spaces
  const auto endWith = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return markOf(all);
  };
  const auto breaksAt = [](const RunningTextMark& mark, std::size_t k) {
    return mark.tokens[k].breaks;
  };
  const RunningTextMark wrapped = endWith({"\\n", "more"});
  CHECK(breaksAt(wrapped, 12) == 0);
  CHECK(wrapped.tokens[12].wraps);
  CHECK(wrapped.tokens[12].text.empty());
  const TextLines lines = textLines(wrapped, {10000, 1000}, 10, kTenPerByte);
  CHECK(lines.words.back().line == 0);
  CHECK(lines.words[11].end == 13); // with the sign, which can be pointed at
  CHECK(lines.tokenAt({lines.words[11].edges.back() - 5, 5}) == 12);
  CHECK(breaksAt(endWith({"\\n", "\\n", "more"}), 12) == 1); // before an empty line
  CHECK(breaksAt(endWith({"\\n", "\\n", "more"}), 13) == 1);
  CHECK(breaksAt(endWith({"\\n\\n", "more"}), 12) == 2);
  CHECK(breaksAt(endWith({"\\n", "short", "\\n", "more"}), 14) == 1);
}

TEST_CASE("only what breaks a line is taken for a break", "[figure]") {
  CHECK(textTokens(Words{"Ġ\\n", "abla"}, Words{"\\n", "abla"}, 2)[0].breaks == 0);
  CHECK(textTokens(Words{"Ġ\\n", "abla"}, Words{"\\n", "abla"}, 2)[0].text == "\\n");
  const auto within = textTokens({}, Words{"a\nb", "c\n \n", "\\r\\n"}, 3);
  CHECK(within[0].text == "a¶b");
  CHECK(within[0].breaks == 0);
  CHECK(within[1].text == "c");
  CHECK(within[1].breaks == 2);
  CHECK(within[2].breaks == 1);
}

TEST_CASE("bytes as tokens are read as characters, which share their width", "[figure]") {
  const Words labels{"▁A", "<0x0A>", "<0xE8>", "<0xAA>", "<0x9E>", "<0xC3>", "▁B", "<0x07>"};
  const auto tokens = textTokens(labels, labels, 8);
  CHECK(tokens[1].breaks == 1);
  CHECK(tokens[1].text.empty());
  CHECK(tokens[2].text == "語");
  CHECK(tokens[3].text.empty());
  CHECK(tokens[4].text.empty());
  CHECK(tokens[4].joined);
  CHECK(tokens[5].text == "<0xC3>"); // no character begins so
  CHECK(tokens[7].text == "<0x07>");
  RunningTextMark mark;
  mark.tokens = tokens;
  const TextLines lines = textLines(mark, {500, 1000}, 10, kTenPerByte);
  const double y = 1.5 * lines.lineHeight;
  CHECK(lines.tokenAt({5, y}) == 2);
  CHECK(lines.tokenAt({15, y}) == 3);
  CHECK(lines.tokenAt({25, y}) == 4);
}

TEST_CASE("the sign of a break is faint, and stands where the text goes on to", "[figure]") {
  const FigureTheme theme = GENERATE(FigureTheme::Light, FigureTheme::Dark);
  for (const bool right : {false, true}) {
    RunningTextMark mark = markOf({right ? "שלום" : "hello", "\\n"});
    const auto texts = all<Text>(layoutPlot({mark, {}, {}}, {400, 40}, {13, theme}, kMeasure).list);
    REQUIRE(texts.size() == 2);
    CHECK(texts[1].text == "¶");
    CHECK(texts[1].color == figureColors(theme).frame);
    CHECK((texts[1].at.x < texts[0].at.x) == right);
    mark.tokens[1].share = 0.5; // of weight that is seen
    CHECK(all<Text>(layoutPlot({mark, {}, {}}, {400, 40}, {13, theme}, kMeasure).list)[1].color ==
          figureColors(theme).text);
  }
}

TEST_CASE("tokens without labels are their numbers", "[figure]") {
  const std::vector<TextToken> tokens = textTokens({}, {}, 3);
  CHECK(tokens[2].text == "2");
  CHECK_FALSE(tokens[2].joined);
}

TEST_CASE("words fill lines and are not broken", "[figure]") {
  const RunningTextMark mark = markOf({"aaaa", "bbb", "cc", "dddddd"});
  const TextLines lines = textLines(mark, {90, 1000}, 10, kTenPerByte);
  REQUIRE(lines.words.size() == 4);
  // 40, a space of 4.2 and 30 fit into 90; then 20 would end at 98.4.
  CHECK(lines.words[0].line == 0);
  CHECK(lines.words[1].line == 0);
  CHECK(lines.words[1].edges.front() == Approx(44.2));
  CHECK(lines.words[2].line == 1);
  CHECK(lines.words[3].line == 1);
  CHECK(lines.end == 4);
  for (const PlacedWord& word : lines.words)
    CHECK(word.edges.back() <= 90);
}

TEST_CASE("a text that is too long ends with the last whole line", "[figure]") {
  const RunningTextMark mark = markOf(Words(100, "abcd"));
  const TextLines lines = textLines(mark, {90, 40}, 10, kTenPerByte);
  CHECK(lines.words.back().line == 1); // lines are 19 high
  CHECK(lines.end == 4);
  RunningTextMark later = mark;
  later.first = 50;
  CHECK(textLines(later, {90, 40}, 10, kTenPerByte).words.front().begin == 50);
}

TEST_CASE("scrolling moves by lines and stays in the text", "[figure]") {
  RunningTextMark mark = markOf(Words(100, "abcd"));
  mark.first = 50;
  CHECK(scrolledTo(mark, 2, 90, 10, kTenPerByte) == 54);
  CHECK(scrolledTo(mark, -2, 90, 10, kTenPerByte) == 46);
  CHECK(scrolledTo(mark, -100, 90, 10, kTenPerByte) == 0);
  CHECK(scrolledTo(mark, 100, 90, 10, kTenPerByte) == 98); // the last line
}

TEST_CASE("scrolling stops at breaks and counts empty lines", "[figure]") {
  Words words;
  for (int k = 0; k < 20; ++k) {
    words.push_back("abcd");
    words.push_back(k % 2 == 0 ? "\\n" : "\\n\\n");
  }
  RunningTextMark mark = markOf(words);
  mark.first = 20; // “abcd” in line 15: ten lines, of which five have an empty one behind them
  CHECK(scrolledTo(mark, 1, 90, 10, kTenPerByte) == 22);
  CHECK(scrolledTo(mark, 2, 90, 10, kTenPerByte) == 24); // to below the empty line
  CHECK(scrolledTo(mark, -1, 90, 10, kTenPerByte) == 18);
  CHECK(scrolledTo(mark, -2, 90, 10, kTenPerByte) == 18);
  CHECK(scrolledTo(mark, -3, 90, 10, kTenPerByte) == 16);
  CHECK(scrolledTo(mark, -100, 90, 10, kTenPerByte) == 0);
}

TEST_CASE("the last page is full", "[figure]") {
  RunningTextMark mark = markOf(Words(100, "abcd"));
  const Size page{90, 76}; // two words in each of its four lines
  for (const Index first : {0, 40, 92, 96, 99}) {
    mark.first = first;
    const Index begins = pageFrom(mark, page, 10, kTenPerByte);
    CHECK(begins >= std::min<Index>(first, 92));
    CHECK(begins <= std::min<Index>(first, 93)); // where the first line has a word less
  }
  mark = markOf(Words{"aa", "bb", "dddddddd", "ccccccc", "ee", "ff"});
  for (Index first = 0; first < 6; ++first) {
    mark.first = first;
    mark.first = pageFrom(mark, page, 10, kTenPerByte);
    CHECK(textLines(mark, page, 10, kTenPerByte).end == 6); // nothing is left behind it
  }
}

TEST_CASE("a text on several pages has larger type where its own lines have room", "[figure]") {
  Words words;
  for (int k = 0; k < 400; ++k)
    words.push_back(k % 8 == 7 ? "\\n" : "abcd");
  const RunningTextMark mark = markOf(words);
  CHECK(runningType(mark, {600, 300}, 13, kMeasure) == 16);
  CHECK(runningType(mark, {250, 300}, 13, kMeasure) == 13);
  RunningTextMark later = mark;
  later.first = 100;
  CHECK(runningType(later, {600, 300}, 13, kMeasure) == 16); // on every page
  CHECK(runningType(markOf(Words(2000, "abcd")), {600, 300}, 13, kMeasure) == 13);
}

TEST_CASE("the token under a place is the one that is drawn there", "[figure]") {
  const RunningTextMark mark = [&] {
    RunningTextMark of;
    of.tokens = textTokens(Words{"walk", "##ing", "is"}, Words{"walk", "##ing", "is"}, 3);
    return of;
  }();
  const TextLines lines = textLines(mark, {500, 100}, 10, kTenPerByte);
  CHECK(lines.tokenAt({5, 5}) == 0);
  CHECK(lines.tokenAt({45, 5}) == 1);
  CHECK(lines.tokenAt({76, 5}) == 2);
  CHECK_FALSE(lines.tokenAt({72, 5})); // between words
  CHECK_FALSE(lines.tokenAt({5, 25}));
  CHECK(lines.lineHeight == Approx(24)); // all of it is seen: its lines stand apart
}

TEST_CASE("text that is read from the right stands at the right of its lines", "[figure]") {
  const RunningTextMark mark = markOf({"שלום", "עולם"});
  const TextLines lines = textLines(mark, {500, 100}, 10, kTenPerByte);
  CHECK(lines.rightToLeft);
  CHECK(lines.words[0].edges.back() == 500);
  CHECK(lines.words[1].edges.back() < lines.words[0].edges.front());
  CHECK_FALSE(
      textLines(markOf({"hello", "שלום", "world"}), {500, 100}, 10, kTenPerByte).rightToLeft);
}

TEST_CASE("the text of a scene is shaded by what its query gives", "[figure]") {
  Scene scene = textScene();
  scene.pins.query = 2; // "sat" gives "cat" 0.768 and "sat" 0.186
  const auto options = optionsWithInput(scene);
  const Lengths lengths = squareLengths(4);
  const TextWeights weights =
      textWeights(textQuestion(scene, lengths), modelHead(scene, options.input));
  const TextShades shades = textShades(weights, false, 2);
  CHECK(shades.kept[1] == Approx(0.7679).epsilon(1e-3));
  CHECK(shades.kept[3] == 0);
  const RunningTextMark mark = textMark(shades, {Words{"the", "cat", "sat", "down"}, {}, true, 0});
  CHECK(mark.tokens[1].share == 1);
  CHECK(mark.tokens[2].share == Approx(static_cast<double>(shades.kept[2] / shades.kept[1])));
  CHECK(mark.marked == 2);
  const Figure figure = figureOfScene(scene, options);
  CHECK(figure.title == "Attention from “sat” (query 2)");
  const auto words = wordsOf(layout(figure, std::nullopt, kMeasure));
  for (const char* word : {"the", "cat", "sat", "down"})
    CHECK(std::find(words.begin(), words.end(), word) != words.end());
  CHECK(sceneDataText(scene, options).starts_with("key,token,dense,pattern\n0,the,"));
}

TEST_CASE("what a pattern hides is marked by its weight without the pattern", "[figure]") {
  Scene scene = textScene();
  scene.pattern = patternNamed("local"); // of the query alone, against causal attention
  scene.pattern.as<Local>()->window = 1;
  scene.pins.query = 2;
  const auto options = optionsWithInput(scene);
  const TextWeights weights =
      textWeights(textQuestion(scene, squareLengths(4)), modelHead(scene, options.input));
  const TextShades shades = textShades(weights, false, 2);
  const TextLook look{Words{"the", "cat", "sat", "down"}, {}, true, 0};
  const RunningTextMark mark = textMark(shades, look);
  CHECK(mark.tokens[2].share == 1);
  CHECK(mark.tokens[1].lost == Approx(static_cast<double>(shades.dense[1])));
  CHECK(mark.tokens[2].lost == 0);
  CHECK(mostHidden(shades) == 1); // of 0.059 and 0.768
  const std::string caption = textCaption(shades, look);
  CHECK(caption.find("Words that the pattern hides would receive 81.3") != std::string::npos);
  CHECK(caption.ends_with("of the weight without it; those that would receive the most are "
                          "underlined, first of all “cat” (key 1)."));
  CHECK(hiddenWords(shades, {Words{"the", "\\n", "sat", "down"}, {}, true, 0}, 1) == "“¶” (key 1)");
  CHECK_FALSE(mostHidden({false, 2, {0, 0.8F, 0.2F, 0}, {0, 0.1F, 0.9F, 0}})); // kept, if weakly
  const RunningTextMark plain = textMark(shades, {look.labels, {}, false, 0});
  CHECK(plain.tokens[1].lost == 0);
}

TEST_CASE("In reverse, the text is shaded by what every query gives to the key", "[figure]") {
  const Scene scene = textScene();
  const auto options = optionsWithInput(scene);
  const TextWeights weights =
      textWeights(textQuestion(scene, squareLengths(4)), modelHead(scene, options.input));
  const TextShades column = textShades(weights, true, 1);
  for (Index query = 0; query < 4; ++query)
    CHECK(column.kept[static_cast<std::size_t>(query)] ==
          textShades(weights, false, query).kept[1]);
}

TEST_CASE("rollout of one layer mixes its mean with the residual path", "[figure]") {
  Scene scene = textScene();
  scene.attention.text.of = TextOf::Rollout;
  const auto options = optionsWithInput(scene);
  const TextWeights rollout =
      textWeights(textQuestion(scene, squareLengths(4)), modelHead(scene, options.input));
  scene.attention.text.of = TextOf::Head;
  const TextWeights head =
      textWeights(textQuestion(scene, squareLengths(4)), modelHead(scene, options.input));
  for (Index query = 0; query < 4; ++query) {
    const TextShades mixed = textShades(rollout, false, query);
    const TextShades plain = textShades(head, false, query);
    for (Index key = 0; key < 4; ++key) {
      const auto at = static_cast<std::size_t>(key);
      CHECK(
          mixed.kept[at] ==
          Approx(static_cast<double>(plain.kept[at]) / 2 + (query == key ? 0.5 : 0)).margin(1e-6));
    }
  }
}

TEST_CASE("rollout takes up to 2048 tokens", "[figure]") {
  Scene scene = textScene();
  scene.attention.text.of = TextOf::Rollout;
  CHECK(messageOf([&] { textQuestion(scene, squareLengths(2049)); }) ==
        "n is 2049; it must be at most 2048 tokens for rollout");
}

TEST_CASE("a scene of text is written and read again", "[figure]") {
  Scene scene = textScene();
  scene.attention.text = {TextOf::Layer, true, false};
  CHECK(sceneFromText(toText(scene), "scene").scene == scene);
}
