// Scripts against a small window without a display, through the queue that real input takes.
#include "tests/app/gui/tiny_window.h"

#include "tests/catch.h"

#include <algorithm>

using namespace attention::gui;

namespace {

using ScriptLines = std::vector<std::string>;

} // namespace

TEST_CASE("A script presses buttons and links by their labels") {
  TinyWindow window;
  CHECK(window.play("click \"Press\"\nclick \"Press\"\nclick \"more\"\nclick \"more#2\"\n"
                    "click \"second row\"\nclick \"Pin\"\ncheck \"Pin\" checked\n"
                    "check \"first row\" unchecked\ncheck \"Never\" disabled") == ScriptLines{});
  CHECK(window.presses == 2);
  CHECK(window.linkPresses == 11);
  CHECK(window.row == 1);
  CHECK(window.pinned);
}

TEST_CASE("Dragging a slider is one undo step and typing sets it exactly") {
  TinyWindow window;
  CHECK(window.play("drag \"stride ℓ\" 60 0") == ScriptLines{});
  CHECK(window.stride > 15);
  CHECK(window.stride < 40);
  CHECK(window.strideSteps == 1);
  CHECK_FALSE(window.typedStride);
  CHECK(window.play("set \"Sidebar/stride ℓ\" 64\ncheck \"stride ℓ\" value \"64\"\n"
                    "check scene.stride == 64") == ScriptLines{});
  CHECK(window.stride == 64);
  CHECK(window.strideSteps == 2);
  CHECK(window.typedStride);
  CHECK(window.play("set \"stride ℓ\" 900") == ScriptLines{});
  CHECK(window.stride == 900); // typed values may be out of range: the caller says so
}

TEST_CASE("The knob follows the pointer over the whole track, on logarithmic sliders too") {
  TinyWindow window;
  window.frame();
  window.frame();
  const gui::Rect track = window.log.find("length n")->rect;
  const auto to = [&](float share) {
    const float x = track.x0 + 9 + share * (track.x1 - track.x0 - 18);
    return "drag \"length n\" to " + std::to_string(x) + " " + std::to_string(track.centerY());
  };
  for (const float share : {0.0F, 0.3F, 0.8F, 1.0F}) {
    CHECK(window.play(to(share)) == ScriptLines{});
    const Widget* widget = window.log.find("length n");
    REQUIRE(widget != nullptr);
    INFO("n " << window.length);
    CHECK(widget->grip.centerX() ==
          Approx(track.x0 + 9 + share * (track.x1 - track.x0 - 18)).margin(3));
  }
  CHECK(window.length == 16777216);
}

TEST_CASE("A script sets fields, choices, lists and check boxes") {
  TinyWindow window;
  CHECK(window.play("set \"name\" \"grüße\"\nclick \"factor/A²\"\nset \"reading\" \"paper\"\n"
                    "set \"causal\" on\nset \"factor\" \"A¹ ∪ A²\"\nset \"sigma\" 2.5\n"
                    "check \"causal\" checked\ncheck \"reading\" value \"paper\"\n"
                    "check \"factor/A¹ ∪ A²\" checked\ncheck \"name\" value \"grüße\"") ==
        ScriptLines{});
  CHECK(window.name == "grüße");
  CHECK(window.factor == 2);
  CHECK(window.reading == 0);
  CHECK(window.causal);
  CHECK(window.sigma == 2.5);
  CHECK(window.entered == 1);
  CHECK(window.play("click \"name\"\nkey End\ntype \"x\"\nkey Enter\nset \"causal\" off") ==
        ScriptLines{});
  CHECK(window.name == "grüßex");
  CHECK_FALSE(window.causal);
}

TEST_CASE("A script opens menus and chooses in them") {
  TinyWindow window;
  CHECK(window.play("click \"File\"\ncheck \"File/Open…\" value \"Ctrl+O\"\n"
                    "check \"Nothing\" disabled\nclick \"Open…\"\ncheck \"Open…\" missing") ==
        ScriptLines{});
  CHECK(window.opened == 1);
}

TEST_CASE("A canvas tells clicks, drags and scrolling apart") {
  TinyWindow window;
  CHECK(window.play("click \"Mask\"\nclick \"Mask\"\ncheck \"Mask\" value \"2\"") == ScriptLines{});
  CHECK(window.canvasClicks == 2);
  CHECK(window.canvasDoubleClicks == 0); // two steps never make a double click
  CHECK(window.play("double-click \"Mask\" at 0.2 0.5") == ScriptLines{});
  CHECK(window.canvasDoubleClicks == 1);
  CHECK_FALSE(window.shiftClick);
  const int clicks = window.canvasClicks;
  CHECK(window.play("shift-click \"Mask\"\ndrag \"Mask\" 40 0\nscroll \"Mask\" 2") ==
        ScriptLines{});
  CHECK(window.shiftClick);
  CHECK(window.canvasClicks == clicks + 1);
  CHECK(window.panned == Approx(40).margin(6));
  CHECK(window.scrolled == 2);
}

TEST_CASE("Words on the screen are checked and thin spaces compare equal to spaces") {
  TinyWindow window;
  CHECK(window.play("check \"pairs\" value \"2 035\"\ncheck \"captured mass\" contains \"0.8\"\n"
                    "check \"n is 0; it must be an integer of at least 1\" exists\n"
                    "check \"parameters\" exists\ncheck scene.pattern.list == [1, 2]\n"
                    "check scene.pattern.list.1 >= 2\ncheck scene.pattern.name != \"x\"") ==
        ScriptLines{});
}

TEST_CASE("Failures name the line and what was found") {
  TinyWindow window;
  CHECK(window.play("\ncheck \"pairs\" value \"2 034\"\ncheck \"strid\" exists\n"
                    "check scene.stride == 12\ncheck scene.nothing == 1\ncheck \"Press\" missing\n"
                    "click \"strid\"\nclick \"Press\"") ==
        ScriptLines{"line 2: \"pairs\" shows \"2\u2009035\"; expected \"2 034\"",
                    "line 3: \"strid\" is not on the screen",
                    "line 4: scene/stride is 11; expected == 12",
                    "line 5: scene/nothing is missing", "line 6: \"Press\" is on the screen",
                    "line 7: \"strid\" is not on the screen; near: \"stride ℓ\""});
  CHECK(window.presses == 0); // a failed action ends the script
  CHECK(window.play("click \"Never\"") == ScriptLines{"line 1: \"Never\" is disabled"});
  CHECK(window.play("screenshot \"a.png\"") ==
        ScriptLines{"line 1: screenshot: no pictures can be written here"});
  CHECK(window.play("screenshot speaker \"a.png\"") ==
        ScriptLines{"line 1: screenshot: the speaker's view is not open"});
}

TEST_CASE("wait ends when the jobs have ended") {
  TinyWindow window;
  window.busy = true;
  ScriptWorld world;
  int asked = 0;
  world.busy = [&] { return ++asked < 5; };
  ScriptRunner runner(parseScript("wait\nclick \"Press\""), world);
  for (int i = 0; i < 200 && runner.beforeFrame(window.log, window.host.events()); ++i)
    window.frame();
  CHECK(asked == 5);
  CHECK(window.presses == 1);
}

TEST_CASE("Controls that no script has used are named") {
  TinyWindow window;
  CHECK(window.play("click \"Press\"\ndrag \"stride ℓ\" 5 0\nset \"causal\" on") == ScriptLines{});
  const ScriptLines unused = window.log.unused();
  const auto has = [&](const char* name) {
    return std::find(unused.begin(), unused.end(), name) != unused.end();
  };
  CHECK_FALSE(has("Press"));
  CHECK_FALSE(has("Sidebar/stride ℓ"));
  CHECK_FALSE(has("Sidebar/causal"));
  CHECK(has("Sidebar/sigma"));
  CHECK(has("Pin"));
  CHECK_FALSE(has("Never"));         // disabled
  CHECK_FALSE(has("captured mass")); // not a control
}

TEST_CASE("A widget that is scrolled out of sight is scrolled back") {
  TinyWindow window;
  CHECK(window.play("resize 640 200\nclick \"Mask\"\nclick \"Press\"\nset \"stride ℓ\" 5") ==
        ScriptLines{});
  CHECK(window.canvasClicks == 1);
  CHECK(window.presses == 1);
  CHECK(window.stride == 5);
}

TEST_CASE("Files that a script drops reach the window") {
  TinyWindow window;
  CHECK(window.play("drop \"a b.npy\"\nframes 3") == ScriptLines{});
  CHECK(window.dropped == ScriptLines{"a b.npy"});
}
