// Every view shows every Scene that ships with the program, three frames each: published figures,
// steps of lessons, the beginning. Nothing is waited for, so jobs are started and stopped on the
// way. One test per view, since they are slow under sanitizers.
#include "tests/app/gui/shell_window.h"

#include "app/gui/files/figure_list.h"
#include "core/input/assets.h"

#include "app/gl/gl.h"

namespace attention::gui {
namespace {

struct NamedScene {
  std::string name;
  Scene scene;
};

std::vector<NamedScene> shippedScenes() {
  std::vector<NamedScene> scenes{{"the beginning", defaultScene()}};
  for (const ShownFigure& figure : readFigures(assetFolder()))
    scenes.push_back({figure.name, figure.scene});
  for (const Lesson& lesson : readLessons(assetFolder()))
    for (const LessonStep& step : lesson.steps)
      scenes.push_back({lesson.title + ": " + step.title, step.scene});
  return scenes;
}

void showAllIn(View view) {
  TestWindow window(smallScene(), {}, {}, 640, 400);
  for (NamedScene& shipped : shippedScenes()) {
    INFO(shipped.name);
    Scene& scene = shipped.scene;
    scene.view = view;
    window.bench().document.open(scene, shipped.name);
    for (int frame = 0; frame < 3; ++frame)
      window.frame();
    CHECK(window.scene() == scene); // showing changes nothing
    CHECK(glGetError() == GL_NO_ERROR);
  }
  window.bench().document.open(smallScene(), "the end");
  window.settle(); // what was begun has stopped
}

TEST_CASE("Mask shows every shipped Scene", "[shell]") {
  showAllIn(View::Mask);
}
TEST_CASE("Reach shows every shipped Scene", "[shell]") {
  showAllIn(View::Reach);
}
TEST_CASE("Attention shows every shipped Scene", "[shell]") {
  showAllIn(View::Attention);
}
TEST_CASE("Kernels shows every shipped Scene", "[shell]") {
  showAllIn(View::Kernels);
}
TEST_CASE("Choosing shows every shipped Scene", "[shell]") {
  showAllIn(View::Choosing);
}
TEST_CASE("Timings shows every shipped Scene", "[shell]") {
  showAllIn(View::Timings);
}
TEST_CASE("Encodings shows every shipped Scene", "[shell]") {
  showAllIn(View::Encodings);
}
TEST_CASE("Compare shows every shipped Scene", "[shell]") {
  showAllIn(View::Compare);
}
TEST_CASE("Model shows every shipped Scene", "[shell]") {
  showAllIn(View::Model);
}

TEST_CASE("Every view is asked to show every shipped Scene") {
  CHECK(kViewNames.size() == 9); // one test each above
  CHECK(shippedScenes().size() > 100);
}

} // namespace
} // namespace attention::gui
