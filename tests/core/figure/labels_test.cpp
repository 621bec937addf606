// Labels beyond Latin: drawn with the system's fonts, shaped where letters join or run right to
// left, kept in LaTeX, and named where no font has them.
#include "core/export/cairo_painter.h"
#include "core/export/embedded_scene.h"
#include "core/export/figure_file.h"
#include "core/export/shaped_text.h"
#include "core/export/tikz_painter.h"
#include "core/pattern/mechanism/causal.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"

#include <algorithm>
#include <set>

using namespace attention;

namespace {

// Chinese, Japanese, Korean, word pieces, a combining accent, Hebrew, Arabic. DejaVu Sans has the
// last four; the first ones are in fonts-wqy-microhei.
const std::vector<std::string> kLabels{"我",     "注意力",  "日本語", "한국",
                                       "▁Hello", "e\u0301", "שלום",   "سلام"};
// A character of the private use area: no font has it.
const std::string kNoFont = "\U000F1234";

Image painted(const std::string& text, bool upwards = false) {
  DisplayList list{{120, 120}, colorOf(0xffffff), {}};
  list.add(attention::Text{{60, 60}, text, 20, colorOf(0), TextAlign::Center, false, upwards});
  return paintImage(list);
}

std::size_t inkOf(const Image& image) {
  return static_cast<std::size_t>(
      std::count_if(image.pixels.begin(), image.pixels.end(),
                    [](const Color& color) { return !(color == colorOf(0xffffff)); }));
}

Scene labelled(const std::vector<std::string>& labels) {
  Scene scene;
  scene.pattern = Causal{};
  scene.length.n = static_cast<Index>(labels.size());
  scene.labels = SharedList<std::string>(labels);
  return scene;
}

} // namespace

TEST_CASE("Latin, Greek and mathematical characters need no shaping, other scripts do",
          "[labels]") {
  for (const char* plain : {"Ġthe", "α ≤ β", "A¹ᵢ", "▁the", "日本語", ""})
    CHECK(standAlone(plain));
  for (const char* joined : {"e\u0301", "שלום", "سلام", "नमस्ते", "ไทย", "👩‍🔬"})
    CHECK_FALSE(standAlone(joined));
}

TEST_CASE("Labels of every script are drawn with fonts of the system", "[labels]") {
  std::set<std::vector<std::uint8_t>> pictures;
  for (const std::string& label : kLabels) {
    INFO(label);
    CHECK(missingSigns(label).empty());
    const TextImage image = shapedImage(label, {20, false});
    CHECK(image.width > 0);
    CHECK(std::any_of(image.opacity.begin(), image.opacity.end(), [](auto a) { return a > 128; }));
    CHECK(pictures.insert(image.opacity).second); // no two are the same boxes
    CHECK(inkOf(painted(label)) > 20);
    CHECK(inkOf(painted(label, true)) > 20);
  }
}

TEST_CASE("Arabic letters join, Hebrew runs right to left, an accent takes no room", "[labels]") {
  const auto width = [](const std::string& text) { return shapedWidth(text, {20, false}); };
  // Each letter has another, wider form at the end of a word.
  CHECK(width("سلام") < width("س") + width("ل") + width("ا") + width("م"));
  CHECK(shapedImage("של", {20, false}).opacity != shapedImage("לש", {20, false}).opacity);
  const auto runs = fontRuns("שלום", false);
  REQUIRE(runs.size() == 1);
  CHECK(runs.front().rightToLeft);
  CHECK(width("e\u0301") == Approx(width("e")).margin(0.5));
  CHECK(cairoMeasure()("e\u0301", 20, false) == Approx(width("é")).margin(0.5));
  CHECK(composed("e\u0301") == "é");
}

TEST_CASE("What no font has is a box and is named", "[labels]") {
  CHECK(missingSigns("a" + kNoFont + "b" + kNoFont) == kNoFont);
  CHECK(missingText(kNoFont) ==
        "no font on this system has U+F1234 (install one that does, such as Noto)");
  CHECK(missingText("\U000F1231\U000F1232\U000F1233\U000F1234\U000F1235\U000F1236\U000F1237")
            .find("U+F1235 and 2 more characters") != std::string::npos);
  CHECK(painted(kNoFont) == painted("□"));
  CHECK(inkOf(painted(kNoFont)) > 20);
}

TEST_CASE("A broken label is drawn up to where it stops being text", "[labels]") {
  CHECK(validUtf8("a\xff\xc0\x80z") == "a???z");
  CHECK(validUtf8(std::string("a\0b", 3)) == "a?b");
  CHECK(validUtf8("a\xEF\xBF\xBE"
                  "b\xF0\x9F\xBF\xBF"
                  "c\xEF\xB7\x90") == "a\uFFFDb\uFFFDc\uFFFD"); // noncharacters
  CHECK_NOTHROW(painted("\xed\xa0\x80"));                       // half of a pair
}

TEST_CASE("Files of every form have the labels, and say what they lack", "[labels]") {
  const TestFolder folder;
  std::vector<std::string> labels = kLabels;
  const std::string ending = GENERATE(".png", ".svg", ".pdf", ".tex");
  std::string missing;
  FigureFileOptions options;
  options.onMissing = [&](const std::string& signs) { missing = signs; };
  writeFigure(figureOfScene(labelled(labels)), folder / ("all" + ending), options);
  CHECK(missing.empty());
  labels[0] = kNoFont;
  writeFigure(figureOfScene(labelled(labels)), folder / ("some" + ending), options);
  CHECK(missing == kNoFont);
  CHECK(textOf(folder / ("all" + ending)) != textOf(folder / ("some" + ending)));
}

TEST_CASE("Words in an SVG are outlines, or text that can be edited", "[labels]") {
  const TestFolder folder;
  Scene scene = labelled({"a<b>&c", "日本語", "שלום", "▁Hello"});
  scene.title = "Who attends to whom";
  FigureFileOptions options;
  writeFigure(figureOfScene(scene), folder / "outlines.svg", options);
  const std::string outlines = textOf(folder / "outlines.svg");
  CHECK(outlines.find("<text") == std::string::npos);
  CHECK(outlines.find("日本語") == std::string::npos);
  options.svgWords = SvgWords::Text;
  options.scene = scene;
  writeFigure(figureOfScene(scene), folder / "text.svg", options);
  const std::string text = textOf(folder / "text.svg");
  for (const char* words : {">Who attends to whom</text>", ">a&lt;b&gt;&amp;c</text>",
                            ">日本語</text>", ">שלום</text>", "rotate(-90 "})
    CHECK(text.find(words) != std::string::npos);
  CHECK(text.find("glyph") == std::string::npos);
  CHECK(sceneOfPicture((folder / "text.svg").string()).scene.labels == scene.labels);
}

TEST_CASE("TikZ keeps labels for XeLaTeX and LuaLaTeX with a fallback for pdfLaTeX", "[labels]") {
  const std::string box = "\\fbox{\\phantom{x}}";
  CHECK(escapedLatex("日").find("}{日}{" + box + "}") != std::string::npos);
  CHECK(escapedLatex("日").find("\\attnxother{") == 0);
  CHECK(escapedLatex("שלום").find("\\attnxleft{DejaVu Sans}{שלום}{") == 0);
  CHECK(escapedLatex("▁the") == "\\attnxother{DejaVu Sans}{▁}{\\_}the");
  CHECK(escapedLatex("cafe\u0301") == "café");
  CHECK(escapedLatex("stride ℓ") == "stride $\\ell$");
  const std::string tex = texOf(figureOfScene(labelled(kLabels)));
  CHECK(tex.find("\\ifdefined\\XeTeXversion") < tex.find("\\begin{tikzpicture}"));
  for (const char* kept : {"注意力", "日本語", "한국", "שלום", "سلام"})
    CHECK(tex.find(kept) != std::string::npos);
  CHECK(texOf(figureOfScene(labelled({"a", "b"}))).find("attnxother") == std::string::npos);
}
