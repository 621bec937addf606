#include "app/gui/script/script.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

// Any text is a script, or one sentence says where it is not.
ATTENTION_FUZZ_TARGET(script) {
  gui::parseScript(fuzz::textOf(bytes));
}
