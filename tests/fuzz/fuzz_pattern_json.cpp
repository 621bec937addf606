#include "core/pattern/pattern_json.h"
#include "core/support/json_text.h"
#include "tests/core/pattern/unchecked.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

using namespace attention;

// What is read, written and read again is the same pattern; its bounds, defaults, titles and words
// are answered or refused; small ones are prepared and counted.
ATTENTION_FUZZ_TARGET(pattern_json) {
  const Pattern pattern = patternFromJson(parseJson(fuzz::textOf(bytes), "pattern"));
  if (!(patternFromJson(toJson(pattern)) == pattern))
    std::abort();
  test::askUnchecked(pattern);
  const auto prepared = prepare(pattern, squareLengths(13));
  Index pairs = 0;
  for (Index i = 0; i < 13; ++i)
    pairs += prepared->rowCount(i, 0, 13);
  if (pairs != prepared->pairs())
    std::abort();
}
