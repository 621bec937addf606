// What a presentation says is shown: the foot names every pattern of the picture, and no other.
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/shown_things.h"

namespace attention::gui {
namespace {

// The words at the foot of the slide.
std::string footOf(const Scene& scene) {
  TestWindow window(scene);
  window.play("key F5\nwait\nframes 4\n");
  REQUIRE(window.bench().present);
  std::string foot;
  float lowest = 0;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "Present" && widget.kind == WidgetKind::Text && widget.rect.y0 >= lowest &&
        widget.label != "place and time") {
      lowest = widget.rect.y0;
      foot = widget.label;
    }
  return withPlainSpaces(foot);
}

Scene ofTwentyFour(View view) {
  Scene scene = smallScene();
  scene.view = view;
  scene.pattern = Strided{6};
  scene.length.n = 24;
  scene.pins = {};
  return scene;
}

TEST_CASE("The foot of a slide names the pattern and its length", "[present]") {
  CHECK(footOf(ofTwentyFour(View::Mask)) == "Child et al. 2019, §4.3 · Strided, stride 6 · n = 24");
  CHECK(footOf(ofTwentyFour(View::Reach)).find("Strided, stride 6 · n = 24") != std::string::npos);
}

TEST_CASE("The foot of a slide names each of several patterns once", "[present]") {
  Scene scene = ofTwentyFour(View::Mask);
  scene.mask.panels = {{"", Local{4, true}}, {"", Strided{6}}, {"", Local{4, true}}};
  CHECK(footOf(scene) == "Local, window 4, causal; Strided, stride 6 · n = 24");
  scene = ofTwentyFour(View::Reach);
  scene.reach.stack = {{"", Local{4, true}}, {"", Fixed{6, 1}}};
  CHECK(footOf(scene) == "Local, window 4, causal; Fixed, stride 6, c 1 · n = 24");
  scene = ofTwentyFour(View::Compare);
  scene.compare.patterns = {{"near", Local{4, true}}, {"", Strided{6}}};
  CHECK(footOf(scene) == "near; Strided, stride 6 · n = 24");
}

TEST_CASE("The foot of a slide names the model and its text", "[present]") {
  Scene scene = smallScene();
  scene.view = View::Model;
  CHECK(footOf(scene) == "n = 1 024 · SmolLM2-135M-Instruct.Q4_1 · pride_and_prejudice_1.txt");
}

TEST_CASE("The foot of a slide tells queries from keys where these are not as many", "[present]") {
  Scene scene = ofTwentyFour(View::Mask);
  scene.length.queries = 8;
  CHECK(footOf(scene).ends_with("Strided, stride 6 · 8 queries × 24 keys"));
}

TEST_CASE("The foot of a slide names no pattern that its lines leave out", "[present]") {
  Scene scene = ofTwentyFour(View::Attention);
  RandomInput random;
  random.n = 24;
  random.d = 8;
  scene.input.source = random;
  scene.length = {};
  scene.attention.picture = AttentionPicture::Lines;
  CHECK(footOf(scene).find("Strided") == std::string::npos);
  CHECK(footOf(scene).find("n = 24") != std::string::npos);
  scene.attention.of = WeightsOf::Pattern;
  CHECK(footOf(scene).find("Strided, stride 6 · n = 24") != std::string::npos);
  scene.attention.picture = AttentionPicture::Maps;
  CHECK(footOf(scene).find("Strided, stride 6 · n = 24") != std::string::npos);
  scene.attention.picture = AttentionPicture::Heads;
  CHECK(footOf(scene).find("Strided, stride 6 · n = 24") != std::string::npos);
  scene.attention.list.shown = true;
  const std::string list = footOf(scene);
  CHECK(list.find("Strided") == std::string::npos);
  CHECK(list.find("n = 24") != std::string::npos);
  CHECK(list.find("head") == std::string::npos);
  CHECK(list.find("layer") == std::string::npos);
}

} // namespace
} // namespace attention::gui
