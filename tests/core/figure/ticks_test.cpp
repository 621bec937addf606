#include "core/figure/ticks.h"
#include "tests/catch.h"

using namespace attention;

TEST_CASE("ticks begin at zero and never touch") {
  const Index n = GENERATE(1, 2, 36, 97, 100, 128, 4096, 1000003, 16777216);
  const double length = GENERATE(60.0, 300.0, 1000.0);
  const double gap = 40;
  const auto ticks = numberTicks({"key j", 0, n, {}}, length, gap);
  REQUIRE(!ticks.empty());
  CHECK(ticks.front().text == "0");
  if (n >= 4096)
    CHECK(ticks.back().text.find("\u2009") != std::string::npos);
  for (std::size_t k = 1; k < ticks.size(); ++k)
    CHECK((ticks[k].at - ticks[k - 1].at) * length / static_cast<double>(n) >= gap * 0.999);
}

TEST_CASE("ticks divide the axis where they can") {
  CHECK(niceStep(36, 4.4) == 6);
  CHECK(niceStep(4096, 400) == 512);
  CHECK(niceStep(97, 9.2) == 10);
}
