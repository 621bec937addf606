// Labels beyond Latin in the window: shaped with the system's fonts, whole, and named where no font
// has them.
#include "core/pattern/mechanism/local.h"
#include "tests/app/gui/shell_window.h"

#include "app/gui/files/exporting.h"
#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"
#include "core/support/line_break.h"

namespace attention::gui {
namespace {

const std::string kNoFont = "\U000F1234"; // a character of the private use area

Scene labelled(const std::vector<std::string>& labels) {
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  scene.length.n = static_cast<Index>(labels.size());
  scene.labels = SharedList<std::string>(labels);
  return scene;
}

std::size_t differing(const gl::Pixels& a, const gl::Pixels& b) {
  REQUIRE(a.rgba.size() == b.rgba.size());
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.rgba.size(); ++k)
    count += a.rgba[k] != b.rgba[k] ? 1U : 0U;
  return count;
}

TEST_CASE("The window shapes text that its font atlas lacks", "[labels]") {
  TestWindow window;
  const ImFont* font = window.host().fonts().text;
  for (const char* plain : {"Ġthe", "A¹ᵢ ≤ ℓ", "query i", ""})
    CHECK_FALSE(needsShaping(font, plain));
  for (const char* other : {"日本語", "한국", "▁Hello", "e\u0301", "שלום", "سلام"}) {
    CHECK(needsShaping(font, other));
    CHECK(sizeOfText(font, 16, other).x > 4);
  }
  CHECK(sizeOfText(font, 16, "日本語").x == Approx(3 * sizeOfText(font, 16, "日").x).margin(1.5));
  CHECK(sizeOfText(font, 16, "日本\n語").y == Approx(32));
  CHECK(sizeOfText(font, 16, "e\u0301").x == Approx(sizeOfText(font, 16, "e").x).margin(2));
}

TEST_CASE("Labels of every script are seen beside the mask", "[labels]") {
  const std::vector<std::string> labels{"我", "注意力", "한국", "▁Hello", "שלום", "سلام"};
  TestWindow window(labelled(labels));
  const gl::Pixels all = window.host().pixels();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    std::vector<std::string> other = labels;
    other[k] = kNoFont; // a box in its place
    window.bench().document.open(labelled(other), "labels");
    window.settle();
    INFO(labels[k]);
    CHECK(differing(all, window.host().pixels()) > 40);
  }
}

TEST_CASE("A title of characters that no font has is drawn as boxes in the window", "[labels]") {
  Scene scene = labelled({"a", "b", "c"});
  scene.title = "标题";
  TestWindow window(scene);
  CHECK(window.says("标题"));
  const gl::Pixels titled = window.host().pixels();
  scene.title = kNoFont + kNoFont;
  window.bench().document.open(scene, "labels");
  window.settle();
  CHECK(differing(titled, window.host().pixels()) > 40);
}

TEST_CASE("A field at rest shows the letters of every script", "[labels]") {
  const auto fieldOf = [](const std::string& word) {
    Scene scene = smallScene();
    scene.view = View::Attention;
    scene.attention.picture = AttentionPicture::Steps;
    scene.length = {};
    TypedInput typed = exampleOfTyped();
    typed.words.back() = word;
    scene.input.source = typed;
    scene.pins.query = std::ssize(typed.words) - 1;
    TestWindow window(scene);
    const Widget* field = window.app().log().find("Steps/query");
    REQUIRE(field);
    const gl::Pixels pixels = window.host().pixels();
    std::vector<std::uint8_t> within;
    for (int y = static_cast<int>(field->rect.y0); y < static_cast<int>(field->rect.y1); ++y)
      for (int x = static_cast<int>(field->rect.x0); x < static_cast<int>(field->rect.x1); ++x)
        within.push_back(pixels.at(x, y)[0]);
    return within;
  };
  // As many signs each, which are alike where all are boxes.
  CHECK((fieldOf("שלום") != fieldOf("כלבי")));
  CHECK((fieldOf("語") != fieldOf("日")));
}

TEST_CASE("An exported picture says which characters no font has", "[labels]") {
  const TemporaryFolder folder;
  const Scene scene = labelled({"a", kNoFont, "c"});
  CHECK(exportShown(scene, nullptr, folder / "picture.svg") == kNoFont);
  CHECK(exportShown(labelled({"a", "語", "c"}), nullptr, folder / "picture.svg").empty());
}

TEST_CASE("What has no room is cut between numbers, never within one", "[labels]") {
  TestWindow window;
  const ImFont* font = window.host().fonts().small;
  const std::string dots = "…";
  for (const std::string text : {"Local, window 128, causal", "n 16\u2009384 of 0.125", "1234567"})
    for (float width = 0; width < textSize(font, text).x; width += 3) {
      const std::string cut = cutToWidth(font, text, width);
      CAPTURE(text, width, cut);
      REQUIRE(cut.ends_with(dots));
      CHECK_FALSE(cutsNumber(text, cut.size() - dots.size()));
      const std::string middle = cutInMiddle(font, text, width);
      const std::size_t at = middle.find(dots);
      REQUIRE(at != std::string::npos);
      CHECK_FALSE(cutsNumber(text, at));
      CHECK_FALSE(cutsNumber(text, text.size() - (middle.size() - at - dots.size())));
    }
}

TEST_CASE("A word from the right begins a sentence that runs from the left", "[shell]") {
  Scene scene = defaultScene();
  scene.view = View::Attention;
  scene.attention.picture = AttentionPicture::Text;
  constexpr Index kWords = 1000;
  TypedInput typed{std::vector<std::string>(kWords, "שלוםשלום"), Matrix<double>(kWords, 1),
                   Matrix<double>(kWords, 1), Matrix<double>(kWords, 1)};
  typed.q(kWords - 1, 0) = 1;
  typed.k(1, 0) = 9;
  scene.input = InputSpec();
  scene.input.source = typed;
  scene.length = {};
  scene.pattern = Local{};
  scene.pins = {kWords - 1, {}};
  TestWindow window(scene);
  CHECK(window.says("\u200E“שלוםשלום” (key 1) is further above · "));
}

} // namespace
} // namespace attention::gui
