// Words that have no room for all of them.
#include "core/plot/text_fit.h"
#include "core/support/line_break.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

namespace attention {
namespace {

TEST_CASE("words are cut between numbers, never within one") {
  const std::string dots = "…";
  for (const std::string text : {"Local, window 128, causal", "n 16\u2009384 of 0.125", "1234567"})
    for (double width = 8; width < measured(text, 13, false); width += 2) {
      const std::string cut = fitted(text, width, {13, false}, kMeasure);
      CAPTURE(text, width, cut);
      REQUIRE(cut.ends_with(dots));
      CHECK_FALSE(cutsNumber(text, cut.size() - dots.size()));
      const std::string middle = fittedInTheMiddle(text, width, {13, false}, kMeasure);
      const std::size_t at = middle.find(dots);
      REQUIRE(at != std::string::npos);
      CHECK_FALSE(cutsNumber(text, at));
      CHECK_FALSE(cutsNumber(text, text.size() - (middle.size() - at - dots.size())));
    }
}

} // namespace
} // namespace attention
