// The Encodings view in the whole window: tracing positions, and what is drawn of them.
#include "tests/app/gui/shell_window.h"

#include "app/gui/views/encodings/encodings_trace.h"

namespace attention::gui {
namespace {

Scene encodingsScene() {
  Scene scene = smallScene();
  scene.view = View::Encodings;
  scene.encodings.l1 = 4;
  scene.encodings.l2 = 5;
  scene.encodings.d1 = 6;
  scene.encodings.d2 = 2;
  scene.encodings.position = 7; // row 3 of E1, row 1 of E2
  return scene;
}

TEST_CASE("The row under the pointer shows its positions and a click keeps one", "[shell]") {
  TestWindow window(encodingsScene());
  CHECK(window.says("position 7 is row 3 of E1 beside row 1 of E2"));
  CHECK(window.says("34")); // 4 · 6 + 5 · 2 numbers for 20 · 8
  CHECK(window.says("160"));
  window.play("move \"View/E1\" at 0.6 0.1\nframes 3\n");
  CHECK(window.says("row 0 of E1 belongs to 5 positions: 0, 4, 8 …"));
  window.play("move \"View/E2\" at 0.6 0.1\nframes 3\n");
  CHECK(window.says("row 0 of E2 belongs to 4 positions: 0, 1, 2 …"));
  window.play("click \"View/E\" at 0.6 0.03\nframes 3\n");
  CHECK(window.scene().encodings.position == 0);
  window.play("key Ctrl+Z\nframes 3\n");
  CHECK(window.scene().encodings.position == 7);
}

TEST_CASE("Views that do not read the input do not offer it", "[shell]") {
  Scene scene = encodingsScene();
  InputSpec input;
  RandomInput random;
  random.n = 32;
  random.heads = 2;
  input.source = random;
  scene.input = input;
  scene.length = LengthSpec();
  for (const View view : {View::Encodings, View::Timings, View::Mask}) {
    scene.view = view;
    TestWindow window(scene);
    CHECK(window.says("Model head") == (view == View::Mask));
  }
}

TEST_CASE("An encoding is shown without an input and with any pattern", "[shell]") {
  Scene scene = encodingsScene();
  scene.pattern = patternNamed("topk"); // which has no mask without an input
  TestWindow window(scene);
  CHECK(window.shows("View/E"));
  window.play("click \"Export/PNG\"\nframes 3\n");
  CHECK(window.shows("File dialog/Save"));
}

TEST_CASE("Refused sizes are reported, in a presentation and at the press of a clicker too",
          "[shell][present]") {
  TestWindow window(encodingsScene());
  window.play("set \"Encodings/rows of E2 ℓ2\" " +
              std::string(GENERATE("0", "-3", "5000", "4000000000000")) + "\nwait\nframes 3\n");
  CHECK(window.says("encodings.l2 is "));
  window.play("key F5\nwait\nkey PageUp\nkey PageDown\nkey Escape\nframes 3\n");
  CHECK(window.says("encodings.l2 is "));
  CHECK(window.scene().encodings.position == encodingsScene().encodings.position);
}

TEST_CASE("The slider goes as far as the last position", "[shell]") {
  TestWindow window(encodingsScene());
  window.play("drag \"Inspector/position j\" 400 0\nwait\ncheck scene.encodings.position == 19\n");
}

TEST_CASE("In a low view the grid of positions is left out and the tables stay", "[shell]") {
  const int height = GENERATE(900, 480);
  TestWindow window(encodingsScene(), {}, {}, 1440, height);
  for (const char* plot : {"View/E1", "View/E2", "View/E"})
    CHECK(window.shows(plot));
  CHECK(window.shows("View/Positions") == (height == 900));
}

TEST_CASE("The pointer's place in a plot is a row of its table", "[shell]") {
  const AxialShape shape = axialShape(encodingsScene().encodings);
  const EncodingsPlots plots = encodingsPlots(encodingsAnswer(encodingsScene().encodings));
  const Rect box{100, 50, 300, 150};
  const auto under = [&](const Plot& plot, EncodingPlot which, float x, float y) {
    return traceUnder(std::get<CurvesMark>(plot.mark), which, shape, box, ImVec2(x, y));
  };
  CHECK(*under(plots.e1, EncodingPlot::E1, 101, 51)->first == 0);
  CHECK(*under(plots.e1, EncodingPlot::E1, 101, 149)->first == 3);
  CHECK(*under(plots.e2, EncodingPlot::E2, 101, 149)->second == 4);
  CHECK(*under(plots.e, EncodingPlot::E, 101, 149)->position == 19);
  CHECK(*under(plots.positions, EncodingPlot::Positions, 299, 51)->position == 3);
  CHECK(*under(plots.positions, EncodingPlot::Positions, 101, 149)->position == 16);
  CHECK_FALSE(under(plots.e, EncodingPlot::E, 99, 60));
}

} // namespace
} // namespace attention::gui
