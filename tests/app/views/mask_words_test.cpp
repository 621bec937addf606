// Token labels beside the matrices of the Mask view, and the room that they have.
#include "tests/app/views/mask_window.h"
#include "tests/app/views/picture_file.h"
#include "tests/catch.h"

#include <memory>
#include <string>
#include <tuple>

namespace attention::gui {
namespace {

// An input of that many tokens with this label, which does not cover the mask yet.
void giveTokens(MaskWindow& window, Index count, const std::string& word) {
  auto input = std::make_shared<Input>();
  input->queries = input->keys = count;
  input->tokens.assign(static_cast<std::size_t>(count), word);
  window.results.input.value = input;
  window.prepare();
  window.settle();
}

TEST_CASE("Token labels stand beside large cells and numbers beside small ones") {
  const PictureFolder pictures;
  MaskWindow window(780, 826);
  auto input = std::make_shared<Input>();
  input->queries = input->keys = 40;
  for (int k = 0; k < 40; ++k)
    input->tokens.push_back(k % 7 == 3 ? "rabbit-hole" : "word" + std::to_string(k));
  window.results.input.value = input;
  window.results.inputCovers = true;
  window.prepare();
  window.events().push(MouseMoveEvent{400, 400});
  window.settle();
  window.settle();
  pictures.save(window.pixels(), "words");
  const gl::Pixels words = window.pixels();
  window.results.inputCovers = false;
  window.settle();
  CHECK(pictures.compare(words, window.pixels(), 255, 255, "numbers").mean > 0.1);
}

TEST_CASE("The matrix stays in place when labels replace numbers") {
  MaskWindow window(780, 826);
  giveTokens(window, 40, "word");
  const gui::Rect numbers = window.matrix();
  window.results.inputCovers = true;
  window.settle();
  CHECK(window.matrix() == numbers);
  window.scene.camera = Camera{20, 20, 8};
  window.settle();
  CHECK(window.matrix() == numbers);
}

TEST_CASE("Labels beside a whole mask have room for twelve letters, at any zoom") {
  const auto [width, height, least] =
      GENERATE(std::tuple(750, 770, 12), std::tuple(704, 566, 9)); // letters
  MaskWindow window(width, height);
  window.scene.length.n = 12;
  window.scene.pins = {};
  giveTokens(window, 12, "conversation");
  const gui::Rect numbers = window.matrix();
  window.results.inputCovers = true;
  window.settle();
  const gui::Rect words = window.matrix();
  const float letter = 6.4F; // of Inter at 13 points, on average
  CHECK(words.y0 >= letter * static_cast<float>(least));
  CHECK(words.x0 >= letter * static_cast<float>(least));
  CHECK(words.x1 - words.x0 > 0.85F * (numbers.x1 - numbers.x0));
  window.scene.camera = Camera{4, 4, 60};
  window.settle();
  CHECK(window.matrix() == words);
}

TEST_CASE("Room is kept for labels only beside matrices over titles and legends") {
  int wordy = 0;
  int plain = 0;
  for (Index n = 12; n <= 36; ++n) {
    INFO(n << " tokens");
    MaskWindow window(1130, 770); // the room that a window of 1440 × 900 leaves the view
    window.scene.length.n = n;
    for (const char* name : {"strided", "fixed", "longformer", "bigbird"})
      window.scene.mask.panels.push_back(
          {std::string("a mask that is ") + name, patternNamed(name)});
    window.prepare();
    window.settle();
    const gui::Rect numbers = window.matrix("Mask 1");
    window.scene.labels = std::vector<std::string>(static_cast<std::size_t>(n), "conversation");
    window.settle();
    const gui::Rect words = window.matrix("Mask 1");
    // Further left than numbers, closer than the title of the axis beside such room.
    const bool written = marked(window, {words.x0 - 62, words.y0, words.x0 - 42, words.y1}) > 40;
    CHECK((words == numbers || written));
    (written ? wordy : plain) += 1;
  }
  CHECK(wordy > 0);
  CHECK(plain > 0);
}

TEST_CASE("The numbers of the cell under the pointer cover no others by half") {
  MaskWindow window = stridedWindow(144);
  const Rect area = window.matrix();
  const auto rows = [&] { return Rect{area.x0 - 8, area.y0 - 18, area.x1 + 20, area.y0 - 4}; };
  for (Index key = 0; key < 144; ++key) {
    const ImVec2 at = middle(window, 70, key);
    window.events().push(MouseMoveEvent{at.x, at.y});
    window.settle();
    const gl::Pixels pixels = window.pixels();
    const ImVec4 ground = makeTheme(ThemeKind::Dark).colors.selected;
    const auto byte = [](float share) { return static_cast<std::uint8_t>(share * 255 + 0.5F); };
    const unsigned tag = rgb({byte(ground.x), byte(ground.y), byte(ground.z)});
    // The tag's ends, and that what stands right beside them is the ground.
    const float y = rows().y0 + 2;
    float left = rows().x1;
    float right = rows().x0;
    for (float x = rows().x0; x < rows().x1; ++x)
      if (colorAt(pixels, x, y) == tag) {
        left = std::min(left, x);
        right = std::max(right, x + 1);
      }
    CAPTURE(key, left, right);
    REQUIRE(left < right);
    CHECK(marked(window, {left - 3, rows().y0, left - 1, rows().y1}) == 0);
    CHECK(marked(window, {right + 1, rows().y0, right + 3, rows().y1}) == 0);
  }
}

} // namespace
} // namespace attention::gui
