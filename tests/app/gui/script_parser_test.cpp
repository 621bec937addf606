// The language of scripts: what is accepted, and one sentence for what is not.
#include "app/gui/script/script.h"
#include "core/support/error.h"
#include "tests/catch.h"

#include <random>

using namespace attention;
using namespace attention::gui;

namespace {

std::string errorOf(std::string_view text) {
  try {
    parseScript(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

template <class Step>
Step only(std::string_view text) {
  const Script script = parseScript(text);
  REQUIRE(script.size() == 1);
  REQUIRE(std::holds_alternative<Step>(script[0].action));
  return std::get<Step>(script[0].action);
}

} // namespace

TEST_CASE("Every action is parsed") {
  CHECK(only<ClickStep>("click \"A b\"").target.address == "A b");
  CHECK(only<ClickStep>("double-click 3 4.5").target.y == 4.5);
  CHECK(only<ClickStep>("double-click 3 4").count == 2);
  CHECK(only<ClickStep>("right-click \"x\"").button == 1);
  CHECK(only<ClickStep>("shift-click \"x\"").shift);
  CHECK(only<ClickStep>("ctrl-click \"x\" at 0.25 0.75").ctrl);
  CHECK(only<ClickStep>("click \"x\" at 0.25 0.75").target.x == 0.25);
  CHECK(only<DragStep>("drag \"x\" -3 4").relative);
  CHECK(only<DragStep>("drag \"x\" -3 4").to.x == -3);
  CHECK(only<DragStep>("drag 1 2 to 3 4").to.y == 4);
  CHECK(only<DragStep>("drag \"a\" to \"b\"").to.address == "b");
  CHECK(only<ScrollStep>("scroll \"x\" -2").notches == -2);
  CHECK(only<TypeStep>(R"(type "a \"b\" \\ \n")").text == "a \"b\" \\ \n");
  CHECK(only<KeyStep>("key Ctrl+Shift+Z").chord == "Ctrl+Shift+Z");
  CHECK(only<SetStep>("set \"stride ℓ\" 12").value == "12");
  CHECK(only<SetStep>("set \"factor\" \"A¹ ∪ A²\"").value == "A¹ ∪ A²");
  CHECK(only<FramesStep>("frames 3").count == 3);
  CHECK(only<DropStep>("drop \"a.npy\"").file == "a.npy");
  CHECK(only<ResizeStep>("resize 640 480").width == 640);
  CHECK(only<ScreenshotStep>("screenshot \"a.png\"") == ScreenshotStep{"a.png", false});
  CHECK(only<ScreenshotStep>("screenshot speaker \"a.png\"") == ScreenshotStep{"a.png", true});
  CHECK(only<CheckWidgetStep>("check \"a\" value \"b\"").text == "b");
  CHECK(only<CheckDocumentStep>("check scene.a.b/c == {\"x\": 1}").pointer == "/a/b/c");
  CHECK(only<CheckDocumentStep>("check scene.a == {\"x\": 1}").value == "{\"x\": 1}");
}

TEST_CASE("Comments, empty lines and the line ends of all systems are skipped") {
  const Script script = parseScript("# a\n\n  wait  # b\r\nwait\r\n\t\nwait");
  REQUIRE(script.size() == 3);
  CHECK(script[0].line == 3);
  CHECK(script[2].line == 6);
  CHECK(only<ClickStep>("click \"a # b\"").target.address == "a # b");
}

TEST_CASE("Errors name the line and what is allowed") {
  CHECK(errorOf("wait\nclack \"a\"")
            .find("script line 2: clack is not an action; it must be one of click, double-click") ==
        0);
  CHECK(errorOf("click \"a") == "script line 1: the label has no closing double quote");
  CHECK(errorOf("click a b") ==
        "script line 1: a label or x is a; it must be a number from -1000000 to 1000000");
  CHECK(errorOf("key Hyper+Q") ==
        "script line 1: Hyper+Q is not a key; it must be one such as Ctrl+Shift+Z or F5");
  CHECK(errorOf("frames 0").find("script line 1: the number of frames is out of range") == 0);
  CHECK(errorOf("check \"a\" is") ==
        "script line 1: is cannot be checked; it must be exists, "
        "missing, enabled, disabled, checked, unchecked, focused, value, "
        "contains");
  CHECK(errorOf("check scene.a == {") == "script line 1: the value { is not JSON");
  CHECK(errorOf("check scene.a..b == 1") == "script line 1: a name is empty in a..b");
  CHECK(errorOf("wait now") == "script line 1: nothing may follow the action, found now");
}

TEST_CASE("Hostile scripts give only errors") {
  for (const char* text : {"click",
                           "click \"\"",
                           "click \"a\\",
                           "click \"a\\q\"",
                           "click \"a\"x",
                           "click 1",
                           "click 1 nan",
                           "click 1e999 2",
                           "drag \"a\"",
                           "drag \"a\" to",
                           "drag 1 2 3",
                           "move",
                           "scroll \"a\"",
                           "type",
                           "type abc",
                           "key",
                           "set \"a\"",
                           "frames 1.5",
                           "frames -1",
                           "frames 1e9",
                           "drop",
                           "resize 1",
                           "resize 0 1",
                           "resize 1 99999",
                           "screenshot",
                           "check",
                           "check scene",
                           "check scene. == 1",
                           "check scene.a",
                           "check scene.a = 1",
                           "check scene.a ==",
                           "check \"a\"",
                           "check \"a\" value",
                           "\"click\" \"a\"",
                           "click\"a\"",
                           "check other.a == 1"}) {
    INFO(text);
    CHECK(errorOf(text) != "no error");
    CHECK(errorOf(text).find("script line 1: ") == 0);
  }
}

TEST_CASE("Random bytes and random cuts never do more than throw an error") {
  const std::string good =
      "click \"A\" at 0.5 0.5\ndrag \"B\" 1 2\ntype \"x\\n\"\nkey Ctrl+Z\n"
      "set \"C\" 4\ncheck scene.a.b == [1, {\"c\": 2}]\ncheck \"D\" value \"E\"\n";
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (int i = 0; i < 5; ++i)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    text.resize(random() % (text.size() + 1));
    const std::string error = errorOf(text); // any exception other than Error ends the test
    if (error != "no error")
      CHECK(error.find("script line") == 0);
  }
}

TEST_CASE("Scripts without end are refused") {
  CHECK(errorOf(std::string(100001, '\n')).find("script is longer than 100000 lines") == 0);
}
