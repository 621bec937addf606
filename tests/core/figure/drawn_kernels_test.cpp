// Each box, number and word of the figure of Kernels' order of multiplication: L = 16 tokens, m =
// 64 features, values of d = 4.
#include "tests/core/figure/drawn.h"

#include <map>

using namespace attention;

namespace {

Scene orderScene() {
  Scene scene;
  scene.view = View::Kernels;
  scene.kernels.picture = KernelsPicture::Order;
  scene.kernels.length = 16;
  scene.kernels.d = 4;
  return scene;
}

// The boxes in the order in which they are drawn, each under its name.
struct Named {
  std::string name;
  Box box;
};
std::vector<Named> boxesOf(const DisplayList& list) {
  std::vector<Named> named;
  const auto texts = all<Text>(list);
  for (const StrokeBox& stroke : all<StrokeBox>(list)) {
    const Text* name = textAt(texts, stroke.box.x + stroke.box.width / 2, stroke.box.y - 5, 2);
    REQUIRE(name);
    named.push_back({name->text, stroke.box});
  }
  return named;
}

TEST_CASE("Both orders have their matrices in the right shapes", "[drawn]") {
  const DisplayList list = drawn(orderScene());
  const auto boxes = boxesOf(list);
  Words names;
  for (const Named& of : boxes)
    names.push_back(of.name);
  CHECK(names == Words{"Q′", "K′ᵀ", "Â", "V", "K′ᵀ", "V", "Q′", "K′ᵀV"});
  const double l = boxes[2].box.width; // L, not to scale
  const double m = boxes[0].box.width;
  const double d = boxes[3].box.width;
  CHECK(d < l);
  CHECK(l < m);
  const std::map<std::string, Size> shapes{
      {"Q′", {m, l}}, {"K′ᵀ", {l, m}}, {"Â", {l, l}}, {"V", {d, l}}, {"K′ᵀV", {d, m}}};
  for (const Named& of : boxes) {
    INFO(of.name);
    CHECK(near(of.box.width, shapes.at(of.name).width));
    CHECK(near(of.box.height, shapes.at(of.name).height));
  }
  // Boxes of a row share their middle, left to right; their colours fill them.
  for (std::size_t k = 1; k < boxes.size(); ++k) {
    if (k == 4) {
      CHECK(boxes[4].box.y > boxes[0].box.bottom());
      continue;
    }
    CHECK(boxes[k].box.x > boxes[k - 1].box.right());
    CHECK(near(boxes[k].box.y + boxes[k].box.height / 2,
               boxes[k - 1].box.y + boxes[k - 1].box.height / 2));
  }
  std::size_t filled = 0;
  for (const FillBoxes& fill : all<FillBoxes>(list))
    for (const Named& of : boxes)
      filled += fill.boxes.size() == 1 && near(fill.boxes[0], of.box) ? 1U : 0U;
  CHECK(filled == boxes.size());
}

TEST_CASE("What is multiplied first is framed with dashes", "[drawn]") {
  const DisplayList list = drawn(orderScene());
  const auto boxes = boxesOf(list);
  std::vector<Polyline> frames;
  for (const Polyline& line : all<Polyline>(list))
    if (line.points.size() == 5)
      frames.push_back(line);
  REQUIRE(frames.size() == 2);
  const auto heightOf = [&](std::size_t k) {
    return frames[k].points[2].y - frames[k].points[0].y;
  };
  CHECK(near(heightOf(0), heightOf(1)));
  CHECK((frames[1].points[0].y - frames[0].points[2].y) / heightOf(0) ==
        Approx(0.24).margin(0.002));
  for (std::size_t row = 0; row < 2; ++row) {
    CHECK(frames[row].dash == Dash::Dashed);
    for (std::size_t k = 0; k < 4; ++k) { // the first two are inside, the others are not
      const Box& box = boxes[4 * row + k].box;
      const auto& p = frames[row].points;
      const bool inside =
          box.x > p[0].x && box.right() < p[2].x && box.y > p[0].y && box.bottom() < p[2].y;
      INFO(boxes[4 * row + k].name);
      CHECK(inside == (k < 2));
    }
  }
}

TEST_CASE("The order of multiplication has these numbers and words and no others", "[drawn]") {
  Words words = wordsOf(drawn(orderScene()));
  for (std::string& text : words) // thin spaces between thousands
    for (std::size_t at = text.find("\u2009"); at != text.npos; at = text.find("\u2009"))
      text.replace(at, 3, " ");
  // 16² (64 + 4) and 2 · 16 · 64 · 4; 16² and 64 · 4 are held.
  CHECK(words == Words{"The order of multiplication and what it costs",
                       "Q′",
                       "L × m",
                       "K′ᵀ",
                       "m × L",
                       "Â",
                       "L × L",
                       "V",
                       "L × d",
                       "K′ᵀ",
                       "m × L",
                       "V",
                       "L × d",
                       "Q′",
                       "L × m",
                       "K′ᵀV",
                       "m × d",
                       "L = 16, m = 64 features, d = 4; boxes are not to scale",
                       "·",
                       "→",
                       "·",
                       "(Q′ K′ᵀ) V",
                       "17 408",
                       "multiplications",
                       "L² (m + d)",
                       "256",
                       "numbers held: L²",
                       "·",
                       "→",
                       "·",
                       "Q′ (K′ᵀ V)",
                       "8 192",
                       "multiplications",
                       "2 L m d",
                       "256",
                       "numbers held: m d",
                       "Dashed: the product that is taken first. Computing the features is not "
                       "counted.",
                       "After Choromanski et al. 2021, figure 1"});
}

} // namespace
