#include "core/pattern/expression.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

// Any text is a formula or gives one sentence; a formula answers or refuses for every cell, and can
// be written with its numbers inserted.
ATTENTION_FUZZ_TARGET(expression) {
  const Expression expression(fuzz::textOf(bytes), 9, {{"w", 3}, {"big", INT64_MAX}});
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j)
      expression.holds(i, j);
  expression.withNumbers(3, 5);
}
