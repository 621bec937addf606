// Running text: words of their pieces, lines, shades; and the text of a Scene.
#include "core/analysis/reach/rollout.h"
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
  CHECK(scrolledTo(mark, 100, 90, 10, kTenPerByte) == 50);
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
  CHECK(textCaption(shades, look).find("The pattern hides the underlined words") !=
        std::string::npos);
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
