// What views show when a typed number is refused: the last good picture stays, dimmed, with the
// error in place of its title, until a number is allowed.
#include "core/pattern/mechanism/lsh.h"
#include "tests/app/gui/shell_window.h"

#include <cstdlib>

namespace attention::gui {
namespace {

struct Refused {
  View view;
  const char* field;   // as a script addresses it
  const char* number;  // that is refused
  const char* words;   // of the refusal
  const char* allowed; // a number that is not
  const char* picture; // the widget of the picture
};

constexpr std::array kRefused{
    Refused{View::Reach, "stride ℓ", "0", "stride is 0", "5", "View/Layers"},
    Refused{View::Attention, "stride ℓ", "0", "stride is 0", "5", "View/Map 1"},
    Refused{View::Kernels, "projections m", "0", "chosen_m is 0", "16", "View/Plot 1"},
    Refused{View::Choosing, "Parameters/rounds", "0", "rounds is 0", "2", "View/Token strip"},
    Refused{View::Timings, "model heads", "0", "heads is 0", "1", "View/Seconds"},
    Refused{View::Encodings, "Encodings/rows of E2 ℓ2", "5000", "encodings.l2 is ", "6", "View/E"},
};

Scene sceneOf(View view) {
  Scene scene = smallScene();
  scene.view = view;
  scene.length.n = 24;
  scene.kernels.picture = KernelsPicture::Matrices;
  scene.timings.to = 32; // measured in no time
  if (view == View::Attention || view == View::Choosing) {
    RandomInput random;
    random.n = 24;
    random.d = 8;
    scene.input.source = random;
    scene.length = LengthSpec();
  }
  if (view == View::Choosing) {
    Lsh lsh;
    lsh.buckets = IndexList({4});
    lsh.chunk = 6;
    scene.pattern = lsh;
  }
  return scene;
}

// The summed difference of a rectangle's pixels from the one in its corner.
long contrast(TestWindow& window, const Rect& area) {
  const gl::Pixels image = window.host().pixels();
  const auto x0 = static_cast<int>(area.x0) + 1;
  const auto y0 = static_cast<int>(area.y0) + 1;
  const auto ground = image.at(x0, y0);
  long sum = 0;
  for (int y = y0; y < static_cast<int>(area.y1) - 1; ++y)
    for (int x = x0; x < static_cast<int>(area.x1) - 1; ++x) {
      const auto pixel = image.at(x, y);
      for (std::size_t k = 0; k < 3; ++k)
        sum += std::abs(int{pixel[k]} - int{ground[k]});
    }
  return sum;
}

TEST_CASE("The last good picture of a view stays, dimmed, where a number is refused", "[shell]") {
  const Refused& of = GENERATE(from_range(kRefused.begin(), kRefused.end()));
  INFO(of.field);
  TestWindow window(sceneOf(of.view));
  const auto type = [&](const char* number) {
    window.play(std::string("set \"") + of.field + "\" " + number + "\nwait\nframes 3\n");
  };
  REQUIRE(window.shows(of.picture));
  const long good = contrast(window, window.app().log().find(of.picture)->rect);
  type(of.number);
  CHECK(window.says("✗ "));
  CHECK(window.says(of.words));
  REQUIRE(window.shows(of.picture));
  const long dimmed = contrast(window, window.app().log().find(of.picture)->rect);
  CHECK(10 * dimmed < 7 * good);
  CHECK(10 * dimmed > 2 * good);
  type(of.allowed);
  CHECK_FALSE(window.says("✗ "));
  CHECK_FALSE(window.says(of.words));
  CHECK(window.shows(of.picture));
}

TEST_CASE("Numbers of the last good pattern stand beside its length and cost", "[shell]") {
  Scene scene = smallScene(); // strided
  scene.length.n = 24;
  TestWindow window(scene);
  REQUIRE(window.says("n 24 · "));
  window.play("set \"stride ℓ\" 0\nset \"length n\" 12\nwait\nframes 3\n");
  CHECK(window.says("n 24 · "));
  CHECK_FALSE(window.says("n 12 · "));
  CHECK(window.says("of the last good pattern"));
  const std::string costly = description(scene.pattern).complexity;
  RandomInput random; // over fewer tokens than are asked for
  random.n = 8;
  scene.input.source = random;
  TestWindow of(scene);
  Scene other = scene;
  other.pattern = Lsh{};
  of.bench().document.open(other, "hashing");
  of.settle();
  CHECK(of.says(costly));
  CHECK_FALSE(of.says(description(other.pattern).complexity));
}

} // namespace
} // namespace attention::gui
