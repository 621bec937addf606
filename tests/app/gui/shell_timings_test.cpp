// The Timings view: what is shown while times are measured, and what can be timed.
#include "app/gui/files/command_text.h"
#include "app/gui/files/exporting.h"
#include "app/gui/views/timings/timings_view.h"
#include "app/gui/widgets/drawing.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

// Lengths that are each measured in no time.
Scene timedScene() {
  Scene scene = smallScene();
  scene.view = View::Timings;
  scene.timings.to = 32;
  return scene;
}

// A first sample takes longer than the test waits before Escape.
void makeSlow(Scene& scene) {
  scene.timings.from = 16384;
  scene.timings.to = 16384;
  scene.timings.d = 256;
  scene.timings.heads = 16;
}

TEST_CASE("Nothing is shown of a measurement before its first time", "[timings]") {
  std::vector<std::size_t> rows;
  const auto publish = [&](const TimingsShown& part) { rows.push_back(part.timings.rows.size()); };
  const TimingsShown whole = makeTimings(timingQuestion(timedScene()), nullptr, publish, Run());
  CHECK_FALSE(whole.timings.rows.empty());
  REQUIRE_FALSE(rows.empty());
  CHECK(rows.front() > 0);
}

TEST_CASE("A measurement that is stopped at once leaves the last one, marked as such",
          "[timings]") {
  TestWindow window(timedScene());
  const auto last = window.results().part<TimingsResults>().shown.value;
  REQUIRE(last);
  REQUIRE_FALSE(last->timings.rows.empty());
  CHECK_FALSE(window.says("of the last measurement"));
  window.bench().document.apply({"slow", makeSlow});
  window.play("frames 2\nkey Esc\nframes 3\n");
  REQUIRE(isStopped(window.results().part<TimingsResults>().shown.problem));
  CHECK(window.results().part<TimingsResults>().shown.value == last);
  CHECK(window.shows("View/Seconds"));
  CHECK(window.says("of the last measurement"));
  CHECK(window.says("At the largest n"));
  CHECK_FALSE(window.says("none within these sizes"));
  window.bench().document.undo();
  window.play("key M\nwait\nframes 2\n");
  CHECK(window.results().part<TimingsResults>().shown.value != last);
  CHECK_FALSE(window.says("of the last measurement"));
}

TEST_CASE("A measurement that is stopped before its first time claims no crossovers", "[timings]") {
  Scene scene = smallScene();
  makeSlow(scene);
  TestWindow window(scene);
  window.play("key 6\nframes 2\nkey Esc\nframes 3\n");
  REQUIRE(isStopped(window.results().part<TimingsResults>().shown.problem));
  CHECK_FALSE(window.results().part<TimingsResults>().shown);
  CHECK_FALSE(window.says("Crossovers"));
  CHECK_FALSE(window.says("none"));
}

TEST_CASE("All features and the exact kernels can be timed and are in the command", "[timings]") {
  Scene scene = timedScene();
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  scene.timings.mechanisms = {full};
  TestWindow window(scene);
  for (const char* offer : {"Hyperbolic features", "Gaussian trig features", "ReLU features",
                            "Softmax kernel", "Gaussian kernel", "elu + 1 kernel", "ReLU kernel"})
    window.play("set \"Timings/add\" " + quoted(offer) + "\nframes 2\n");
  window.play("wait\nframes 2\n");
  CHECK(window.scene().timings.mechanisms.size() == 8);
  CHECK(window.says("Hyperbolic features"));
  CHECK(window.says("ReLU kernel"));
  const auto& rows = window.results().part<TimingsResults>().shown->timings.rows;
  REQUIRE_FALSE(rows.empty());
  CHECK(rows.back().method == 7);
  const std::string command = commandText(window.scene(), squareLengths(64));
  CHECK(command.find("--features hyperbolic,gaussian_trig,relu --m 64") != std::string::npos);
  CHECK(command.find(" --kernel softmax,gaussian,elu1,relu ") != std::string::npos);
}

TEST_CASE("The mechanisms that can be timed are named in full", "[timings]") {
  TestWindow window(timedScene());
  window.play("click \"Timings/add\"\nframes 4\n");
  std::size_t offers = 0;
  for (const Widget& widget : window.app().log().widgets()) {
    if (widget.scope != "Sidebar/Timings/add")
      continue;
    ++offers;
    INFO(widget.label);
    CHECK(textSize(window.host().fonts().text, widget.label).x <=
          widget.rect.x1 - widget.rect.x0 - 12);
  }
  CHECK(offers == 15);
}

TEST_CASE("The command of timings is causal if all of its approximations are", "[timings]") {
  Scene scene = timedScene();
  TimedMechanism relu;
  relu.kind = TimedMechanism::Kind::Kernel;
  relu.kernel = Kernel::Relu;
  relu.causal = true;
  scene.timings.mechanisms = {relu};
  const std::string command = commandText(scene, squareLengths(64));
  CHECK(command.find("attnx time --causal --kernel relu") == 0);
  TimedMechanism both = relu;
  both.causal = false;
  scene.timings.mechanisms = {relu, both}; // for which the command line has no flags
  CHECK(commandText(scene, squareLengths(64)).find("attnx figure '{") == 0);
}

} // namespace
} // namespace attention::gui
