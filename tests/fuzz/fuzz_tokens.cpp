#include "core/input/tokens.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(tokens) {
  for (const std::string& label : parseTokens(bytes, "t.txt"))
    if (!fuzz::isOneLine(label))
      std::abort();
}
