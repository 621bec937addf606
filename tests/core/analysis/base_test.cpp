// The masks that patterns are measured against, and times in words.
#include "core/analysis/base.h"
#include "core/analysis/timing/timing_text.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"

using namespace attention;

namespace {

Base windowOf(Index window) {
  Local local;
  local.window = window;
  return ownBase(local, squareLengths(16));
}

} // namespace

TEST_CASE("a model's masks are the same base only if they are the same mask") {
  REQUIRE(windowOf(3).kind == Base::Kind::Own);
  CHECK(windowOf(3) == windowOf(3));
  CHECK_FALSE(windowOf(3) == windowOf(5));
  CHECK_FALSE(windowOf(3) == Base::Full);
  CHECK(Base::Causal == Base::Causal);
  CHECK_FALSE(Base::Causal == Base::Full);
  const std::vector<Base> same{windowOf(3), windowOf(3)};
  CHECK(commonBase(same, Base::Full) == windowOf(3));
  const std::vector<Base> different{windowOf(3), windowOf(5)};
  CHECK(commonBase(different, Base::Full) == Base::Several);
}

TEST_CASE("times have three digits and the largest unit that they fill") {
  CHECK(secondsText(123) == "123 s");
  CHECK(secondsText(1.5) == "1.50 s");
  CHECK(secondsText(1) == "1.00 s");
  CHECK(secondsText(0.0123) == "12.3 ms");
  CHECK(secondsText(0.001) == "1.00 ms");
  CHECK(secondsText(0.00025) == "250 µs");
  CHECK(secondsText(2e-7) == "0.20 µs");
}

TEST_CASE("the search for a meaningful base stops when asked") {
  Expr formula;
  formula.expr = "j <= i && (i - j) % 3 == 0";
  const auto pattern = prepare(formula, squareLengths(64));
  CHECK(meaningfulBase(pattern, {}) == Base::Causal);
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(meaningfulBase(pattern, {source.get_token(), {}}), Stopped);
}
