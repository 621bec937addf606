// The figures that ship with the program: whatever lies in assets/figures is read, laid out and
// drawn here, and what the captions count is counted again.
#include "core/export/cairo_painter.h"
#include "core/export/figure_file.h"
#include "core/input/assets.h"
#include "core/plot/arrange.h"
#include "core/plot/layout.h"
#include "core/scene/figures.h"
#include "core/scene/scene_json.h"
#include "core/views/attention/attention_figure.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_thumbnail.h"
#include "core/views/timings/scene_timings.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/figure/title_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

using namespace attention;

namespace {

const std::filesystem::path kAssets = std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets";

const std::vector<ShippedFigure>& shippedFigures() {
  static const std::vector<ShippedFigure> kFigures = listFigures(kAssets);
  return kFigures;
}

// For times only a few lengths, which are enough to draw.
std::shared_ptr<const Timings> fewTimes(const Scene& scene) {
  const TimingQuestion question = timingQuestion(scene);
  SamplingOptions sampling;
  sampling.samples = 1;
  sampling.seconds = 0.5;
  sampling.longest = 0.02;
  return std::make_shared<const Timings>(timingsOf(question, methodsOf(question), sampling));
}

// Made once each: some take a while.
const Figure& figureNamed(const std::string& name) {
  static std::map<std::string, Figure> made;
  const auto known = made.find(name);
  if (known != made.end())
    return known->second;
  const Scene scene = findFigure(kAssets, name);
  SceneFigureOptions options = optionsWithInput(scene);
  if (scene.view == View::Timings)
    options.ready.give(fewTimes(scene));
  return made.emplace(name, figureOfScene(scene, options)).first->second;
}

// Masks and receptive fields.
bool isDrawn(const ShippedFigure& shipped) {
  return shipped.tab == "mask" || shipped.tab == "reach";
}

// What a Mask scene shows, prepared, panel by panel.
std::vector<std::shared_ptr<const Prepared>> panelsOf(const std::string& name) {
  const Scene scene = findFigure(kAssets, name);
  const auto input = loadedInput(scene);
  const Lengths lengths = currentLengths(scene.length, input.get());
  std::vector<std::shared_ptr<const Prepared>> prepared;
  for (const ShownMask& mask : shownMasks(scene, lengths, input.get()).masks)
    prepared.push_back(mask.prepared);
  return prepared;
}

std::vector<Index> pairsOf(const std::string& name) {
  std::vector<Index> pairs;
  for (const auto& panel : panelsOf(name))
    pairs.push_back(panel->pairs());
  return pairs;
}

std::vector<Index> keysOf(const Prepared& prepared, Index query) {
  KeyRanges ranges;
  prepared.row(query, ranges);
  std::vector<Index> keys;
  for (Index j = 0; j < prepared.lengths().keys; ++j)
    if (prepared.contains(query, j))
      keys.push_back(j);
  return keys;
}

// Where a line of text lies: from its ascenders to its descenders.
Box boxOf(const Text& text, const TextMeasure& measure) {
  const double width = measure(text.text, text.size, text.bold);
  const double before = text.align == TextAlign::Left     ? 0
                        : text.align == TextAlign::Center ? width / 2
                                                          : width;
  const double ascent = 0.76 * text.size;
  const double descent = 0.2 * text.size;
  if (text.upwards)
    return {text.at.x - ascent, text.at.y + before - width, ascent + descent, width};
  return {text.at.x - before, text.at.y - ascent, width, ascent + descent};
}

std::vector<Text> textsOf(const DisplayList& list) {
  std::vector<Text> texts;
  for (const auto& item : list.items)
    if (const auto* text = std::get_if<Text>(&item))
      texts.push_back(*text);
  return texts;
}

// "64 cells", but not the second number of "16 × 16 cells".
std::vector<Index> cellsSaidIn(const std::string& caption) {
  static const std::regex kCells("(× )?([0-9]{1,3}(?: ?[0-9]{3})*) cells");
  std::vector<Index> said;
  for (std::sregex_iterator at(caption.begin(), caption.end(), kCells), end; at != end; ++at)
    if ((*at)[1].length() == 0) {
      std::string digits = (*at)[2];
      std::erase(digits, ' ');
      said.push_back(std::stoll(digits));
    }
  return said;
}

} // namespace

TEST_CASE("Every published figure is read without warnings and says what it is") {
  REQUIRE(shippedFigures().size() >= 45);
  std::set<std::string> titles;
  for (const ShippedFigure& shipped : shippedFigures()) {
    INFO(shipped.name);
    const ReadScene read = readScene(shipped.path);
    CHECK(read.warnings.empty());
    CHECK(shipped.name.find_first_of(" \t") == std::string::npos);
    CHECK_FALSE(read.scene.caption.empty());
    CHECK_FALSE(read.scene.source.empty());
    CHECK_FALSE(read.scene.paper.empty());
    CHECK_FALSE(shipped.tab.empty());
    CHECK(titles.insert(read.scene.title).second); // the window shows their titles
  }
}

TEST_CASE("Published figures are listed paper by paper") {
  std::set<std::string> seen;
  std::string last;
  for (const ShippedFigure& shipped : shippedFigures()) {
    INFO(shipped.name);
    if (shipped.paper != last)
      CHECK(seen.insert(shipped.paper).second);
    last = shipped.paper;
  }
}

TEST_CASE("Every published figure becomes a file of every kind") {
  const TestFolder folder;
  for (const ShippedFigure& shipped : shippedFigures()) {
    INFO(shipped.name);
    const Figure& figure = figureNamed(shipped.name);
    for (const std::string ending : {".png", ".svg", ".pdf", ".tex"})
      CHECK(writeFigure(figure, folder / (shipped.name + ending)));
    // LaTeX has every character of its words, and memory for everything.
    const std::string tex = textOf(folder / (shipped.name + ".tex"));
    CHECK(tex.find("phantom") == std::string::npos);
    CHECK(tex.size() < 1000000);
  }
  CHECK(folder.entries() == static_cast<long>(4 * shippedFigures().size()));
}

TEST_CASE("Numbers of published figures have grouped digits and a true minus sign") {
  static const std::regex kLong("(^|[^0-9.])[0-9]{5,}"); // but "arXiv:1904.10509"
  static const std::regex kTick("-[0-9.]+|[0-9]{4,}");
  static const std::regex kTimes("[0-9]{4,} ×");
  for (const ShippedFigure& shipped : shippedFigures())
    for (const Text& text :
         textsOf(layout(figureNamed(shipped.name), std::nullopt, cairoMeasure()))) {
      INFO(shipped.name << ": " << text.text);
      CHECK(!std::regex_search(text.text, kLong));
      CHECK(!std::regex_match(text.text, kTick));
      CHECK(!std::regex_search(text.text, kTimes));
    }
}

TEST_CASE("Text of published figures is whole and does not overlap or leave the page") {
  const TextMeasure measure = cairoMeasure();
  for (const ShippedFigure& shipped : shippedFigures()) {
    if (!isDrawn(shipped))
      continue;
    const Figure& figure = figureNamed(shipped.name);
    const DisplayList list = layout(figure, std::nullopt, measure);
    const std::vector<Text> texts = textsOf(list);
    const auto written = [&](const std::string& words) {
      return words.empty() || std::any_of(texts.begin(), texts.end(),
                                          [&](const Text& text) { return text.text == words; });
    };
    INFO(shipped.name);
    CHECK(written(figure.title));
    for (const FigurePanel& panel : figure.panels) {
      INFO(panel.title);
      CHECK(written(panel.title));
      for (const LegendEntry& entry : panel.legend)
        CHECK(written(entry.label));
    }
    for (std::size_t a = 0; a < texts.size(); ++a) {
      const Box box = boxOf(texts[a], measure);
      INFO(texts[a].text);
      CHECK((box.x >= 0 && box.y >= 0 && box.right() <= list.size.width &&
             box.bottom() <= list.size.height));
      for (std::size_t b = a + 1; b < texts.size(); ++b) {
        INFO(texts[b].text);
        CHECK_FALSE(overlap(box, boxOf(texts[b], measure)));
      }
    }
  }
}

TEST_CASE("Titles with letters close their parentheses in small files") {
  std::size_t lettered = 0;
  for (const ShippedFigure& shipped : shippedFigures()) {
    const Figure& figure = figureNamed(shipped.name);
    if (std::none_of(figure.panels.begin(), figure.panels.end(),
                     [](const FigurePanel& panel) { return panel.title.starts_with("(a)"); }))
      continue;
    ++lettered;
    for (const Size& size : {Size{480, 360}, Size{520, 400}, Size{640, 400}})
      for (const PanelBoxes& panel : arrange(figure, size, cairoMeasure()).panels) {
        const std::string title = joined(panel.words.title);
        INFO(shipped.name << " at " << size.width << " x " << size.height << ": " << title);
        CHECK(parenthesesBalance(title));
      }
  }
  CHECK(lettered > 20);
}

TEST_CASE("Every circle of Reformer's figure states its angle, in small files too") {
  for (const Size& size : {Size{800, 600}, Size{480, 360}}) {
    const auto texts = textsOf(layout(figureNamed("reformer-2020-fig1"), size, cairoMeasure()));
    const auto count = [&](std::string_view beginning) {
      return std::count_if(texts.begin(), texts.end(),
                           [&](const Text& text) { return text.text.starts_with(beginning); });
    };
    CHECK(count("100°: ✗") == 3);
    CHECK(count(size.width > 480 ? "20°: ✓ both in bucket " : "20°: ✓") == 3);
  }
}

TEST_CASE("Cells that captions count are those of their panels") {
  std::size_t counted = 0;
  for (const ShippedFigure& shipped : shippedFigures()) {
    const Scene scene = findFigure(kAssets, shipped.name);
    const std::vector<Index> said = cellsSaidIn(scene.caption);
    if (said.empty() || scene.view != View::Mask)
      continue;
    const std::vector<Index> pairs = pairsOf(shipped.name);
    INFO(shipped.name);
    for (const Index cells : said) {
      INFO(cells);
      CHECK(std::find(pairs.begin(), pairs.end(), cells) != pairs.end());
      ++counted;
    }
  }
  CHECK(counted > 20);
}

TEST_CASE("Published figures have their known numbers of cells") {
  const std::map<std::string, std::vector<Index>> known{
      {"child-2019-fig3", {666, 291, 216}},
      {"longformer-2020-fig2", {576, 156, 144, 288}},
      {"reformer-2020-fig2", {10, 10, 14, 11}},
      {"mistral-2023-fig1", {15, 12, 14}},
      {"longnet-2023-fig2", {64, 32, 16, 88}},
      {"longnet-2023-fig3", {8, 8, 8, 8, 32}},
      {"attention-gym-tree", {19}},
      {"bd3lm-2025", {320, 576}},
      {"gemma-3-2025-stack", {90, 90, 90, 90, 90, 300}},
      {"gpt-oss-2025-stack", {90, 300, 90, 300}},
      {"streamingllm-2023-fig1", {300, 164, 36, 164}},
      {"conventions-dilation", {156, 144, 68}},
      {"conventions-causal", {10, 26}},
      {"xformers-2d", {29400, 34840, 18000, 55892}},
      {"axial-2019", {512, 512, 4096}}};
  for (const auto& [name, pairs] : known) {
    INFO(name);
    CHECK(pairsOf(name) == pairs);
  }
}

TEST_CASE("The fixed example of the text reads the last c columns of every block before") {
  const auto panels = panelsOf("child-2019-fixed");
  std::vector<Index> columns;
  for (const Index block : {120, 248, 376})
    for (Index j = block; j < block + 8; ++j)
      columns.push_back(j);
  CHECK(keysOf(*panels[1], 500) == columns);
}

TEST_CASE("Windows of four have the keys that their legends state") {
  static const std::regex kKeys("([0-9]+) keys");
  for (const auto& panel : panelsOf("conventions-window")) {
    std::smatch found;
    REQUIRE(std::regex_match(panel->parts().front().label, found, kKeys));
    CHECK(panel->rowCount(6, 0, 12) == std::stoll(found[1]));
  }
}

TEST_CASE("Patterns over images have the keys that their captions state") {
  CHECK(panelsOf("xformers-2d")[0]->rowCount(315, 0, 600) == 49);
  const auto neighbourhood = panelsOf("natten-2022-viz");
  for (Index i = 0; i < 100; ++i) {
    CHECK(neighbourhood[0]->rowCount(i, 0, 100) == 9);
    CHECK(neighbourhood[1]->rowCount(i, 0, 100) == 9);
    CHECK(neighbourhood[2]->rowCount(i, 0, 100) ==
          std::min<Index>(i / 10 + 1, 3) * std::min<Index>(i % 10 + 1, 3));
  }
  // Shifted windows join what the windows of the layer below separate, and no window has more
  // cells.
  const auto swin = panelsOf("swin-2021-fig2");
  CHECK(!swin[0]->contains(27, 28));
  CHECK(swin[1]->contains(27, 28));
  CHECK(swin[1]->rowCount(27, 0, 64) == 16);
}

ReachAnswer reachOf(const std::string& name, bool residual = true) {
  Scene scene = findFigure(kAssets, name);
  scene.reach.residual = scene.reach.residual && residual;
  return reachAnswer(reachQuestion(scene, lengthsOf(scene.length, 0)), {}, 1);
}

Index reachedPairs(const ReachAnswer& answer, std::size_t layers) {
  return answer.growth.front().layers.at(layers - 1).pairs;
}

Index seenInputs(const std::string& name) {
  const Scene scene = findFigure(kAssets, name);
  return reachOfToken(reachOf(name), scene.pins).seen.back();
}

TEST_CASE("Figures of receptive fields reach as far as their captions say") {
  CHECK(seenInputs("wavenet-2016-fig2") == 5);
  CHECK(seenInputs("wavenet-2016-fig3") == 16);
  CHECK(seenInputs("mistral-2023-context") == 5);
  CHECK(seenInputs("longformer-2020-reach") == 17);
  CHECK(seenInputs("longformer-2020-reach-dilated") == 17);
  CHECK(seenInputs("child-2019-reach-strided") == 36);
  CHECK(seenInputs("child-2019-reach-fixed") == 34);
  CHECK(reachedPairs(reachOf("child-2019-reach-strided"), 2) == 666);
  CHECK(reachedPairs(reachOf("child-2019-reach-fixed"), 2) == 666);
  CHECK(reachedPairs(reachOf("child-2019-reach-fixed", false), 2) == 576);
  CHECK(reachedPairs(reachOf("child-2019-reach-order"), 2) == 216);
  Scene third = findFigure(kAssets, "child-2019-reach-order");
  third.reach.layers = 3; // A², A¹, A²
  const auto answer = reachAnswer(reachQuestion(third, lengthsOf(third.length, 0)), {}, 1);
  CHECK(reachedPairs(answer, 3) == 666);
}

TEST_CASE("Strided attention connects everything in either order") {
  Scene scene = findFigure(kAssets, "child-2019-reach-strided");
  std::swap(scene.reach.stack.front(), scene.reach.stack.back());
  const auto answer = reachAnswer(reachQuestion(scene, lengthsOf(scene.length, 0)), {}, 1);
  CHECK(reachedPairs(answer, 2) == 666);
}

TEST_CASE("The words of a Scene label its graph of layers and its masks") {
  const std::vector<std::string> words{"The", "cat", "sat", "on", "the"};
  const Figure& context = figureNamed("mistral-2023-context");
  REQUIRE(context.panels.front().plots.front().keys.has_value());
  CHECK(context.panels.front().plots.front().keys->names == words);
  const Figure& masks = figureNamed("mistral-2023-fig1");
  CHECK(masks.panels.front().plots.front().queries->names == words);
}

TEST_CASE("Panels with rows in another order label them beside their own matrix") {
  const Figure& figure = figureNamed("reformer-2020-fig2");
  const std::vector<Text> texts = textsOf(layout(figure, std::nullopt, cairoMeasure()));
  const auto written = [&](const std::string& words, bool upwards) {
    return std::count_if(texts.begin(), texts.end(), [&](const Text& text) {
      return text.text == words && text.upwards == upwards;
    });
  };
  CHECK(written("q4", false) == 4); // rows of all panels
  CHECK(written("q4", true) == 2);  // columns where Q = K
  CHECK(written("k6", true) == 2);
}

TEST_CASE("Panels name and colour the parts of their patterns") {
  const auto bigbird = panelsOf("bigbird-2020-fig1");
  REQUIRE(bigbird[3]->parts().size() == 3);
  CHECK(bigbird[3]->parts()[2].label == "random, r = 2");
  CHECK(bigbird[0]->parts()[0].hue == 2);
  // The random cells by themselves are those of the combination.
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 16; ++j)
      CHECK(bigbird[0]->contains(i, j) == (bigbird[3]->why(i, j).part == 2));
}

TEST_CASE("Thumbnails of published figures have their hues and no words") {
  const Figure& figure = figureNamed("child-2019-fig3");
  CHECK(textsOf(layout(withoutWords(figure), Size{300, 132}, cairoMeasure())).empty());
  const Figure& heads = figureNamed("vig-2019-model-view"); // with a note below each head
  CHECK_FALSE(textsOf(layout(heads, Size{900, 700}, cairoMeasure())).empty());
  CHECK(textsOf(layout(withoutWords(heads), Size{300, 132}, cairoMeasure())).empty());
  const Figure& lines = figureNamed("vig-2019-head-view"); // with the words of its tokens
  CHECK(textsOf(layout(withoutWords(lines), Size{300, 132}, cairoMeasure())).empty());
  const FigureColors& colors = figureColors(FigureTheme::Light);
  for (const ShippedFigure& shipped : shippedFigures()) {
    if (!isDrawn(shipped))
      continue;
    INFO(shipped.name);
    const Figure& full = figureNamed(shipped.name);
    CHECK(thumbnailOf(full, {440, 200}, 1).width == 440); // as the speaker sees it, with words
    const Image image = thumbnailOf(full, {280, 132}, 2);
    CHECK(image.width == 560);
    CHECK(image.height == 264);
    const auto coloured =
        std::count_if(image.pixels.begin(), image.pixels.end(), [&](const Color& pixel) {
          return pixel != colors.ground && pixel != colors.frame;
        });
    CHECK(coloured > 500);
  }
}

TEST_CASE("Thumbnails of published figures that are measured show curves and matrices") {
  const FigureColors& colors = figureColors(FigureTheme::Light);
  for (const ShippedFigure& shipped : shippedFigures()) {
    const Scene scene = findFigure(kAssets, shipped.name);
    if (scene.view != View::Kernels && scene.view != View::Attention && scene.view != View::Timings)
      continue;
    INFO(shipped.name);
    SceneFigureOptions options;
    options.input = loadInput(scene.input, samplePath);
    const Image image = thumbnailOfScene(scene, options, {270, 132}, 2);
    CHECK(image.width == 540);
    std::set<std::uint32_t> seen;
    for (const Color& pixel : image.pixels)
      if (pixel != colors.ground && pixel != colors.frame)
        seen.insert(pixel.r << 16U | pixel.g << 8U | pixel.b);
    CHECK(seen.size() > 10);
  }
}

TEST_CASE("Nearer pixels of the image are drawn more often") {
  const auto drawn = panelsOf("xformers-2d")[2];
  const double past = 1.4613;                            // the number of its caption
  std::map<Index, std::pair<double, double>> byDistance; // drawn, all
  for (Index i = 0; i < 600; ++i)
    for (Index j = 0; j < 600; ++j) {
      const Index down = i / 30 - j / 30;
      const Index across = i % 30 - j % 30;
      auto& [hit, all] = byDistance[down * down + across * across];
      all += 1;
      hit += drawn->contains(i, j) ? 1 : 0;
    }
  for (const auto& [square, counts] : byDistance) {
    const double expected =
        square < 64 ? std::min(1.0, past * std::exp(-static_cast<double>(square) / 8)) : 0.0;
    INFO(square);
    // Five standard deviations of that many draws.
    const double spread = 5 * std::sqrt(expected * (1 - expected) / counts.second);
    CHECK(counts.first / counts.second == Approx(expected).margin(spread + 0.03 * expected));
  }
}

TEST_CASE("The page of figures names every published figure") {
  const std::string page =
      textOf(std::filesystem::path(ATTENTION_SOURCE_DIR) / "docs" / "figures.md");
  for (const ShippedFigure& shipped : shippedFigures()) {
    INFO(shipped.name);
    CHECK(page.find("| `" + shipped.name + "` | " + shipped.title + " |") != std::string::npos);
  }
}

TEST_CASE("The heads of attention figures do what their captions say") {
  const auto mapsOf = [](const std::string& name) {
    const Scene scene = findFigure(kAssets, name);
    const auto input = loadInput(scene.input, samplePath);
    const Lengths lengths = lengthsOf(scene.length, input->keys);
    return attentionAnswer(scene, lengths, modelHead(scene, input)).maps;
  };
  const auto sink = mapsOf("streamingllm-2023-sink");
  const auto before = mapsOf("vig-2019-head-view");
  double onFirst = 0;
  double changed = 0;
  double onPrevious = 0;
  const Index n = sink->dense.rows();
  REQUIRE(n == 144);
  for (Index i = 1; i < n; ++i) {
    onFirst += static_cast<double>(sink->dense(i, 0)) / static_cast<double>(n - 1);
    changed += static_cast<double>(sink->difference(i, 0)) / static_cast<double>(n - 1);
    onPrevious += static_cast<double>(before->dense(i, i - 1)) / static_cast<double>(n - 1);
  }
  CHECK(onFirst == Approx(0.5).margin(0.05)); // about half
  CHECK(changed < -0.3);
  CHECK(onPrevious > 0.8); // most of its weight
}
