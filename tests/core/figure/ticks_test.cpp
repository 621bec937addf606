#include "core/plot/ticks.h"
#include "tests/catch.h"

#include <cmath>

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

TEST_CASE("numbers stand at the middle of existing cells, including the last one") {
  const Index n = GENERATE(1, 2, 36, 97, 100, 128, 4096, 1000003, 16777216);
  const double length = GENERATE(60.0, 300.0, 1000.0);
  const auto ticks = numberTicks({"key j", 0, n, {}}, length, 40);
  for (const Tick& tick : ticks) {
    CHECK(tick.at - 0.5 == std::floor(tick.at));
    CHECK(tick.at < static_cast<double>(n));
  }
  if (length >= 80 && n > 2)
    CHECK(ticks.back().at == static_cast<double>(n) - 0.5);
}

TEST_CASE("the same cells have numbers in the window and in files") {
  using Cells = std::vector<Index>;
  CHECK(numberedCells(128, 0, 128, 12) == Cells{0, 16, 32, 48, 64, 80, 96, 112, 127});
  CHECK(numberedCells(36, 0, 36, 5) == Cells{0, 6, 12, 18, 24, 30, 35});
  CHECK(numberedCells(36, 0, 36, 5.5) == Cells{0, 6, 12, 18, 24, 35});
  CHECK(numberedCells(1, 0, 1, 0.1) == Cells{0});
  CHECK(numberedCells(2, 0, 2, 0.1) == Cells{0, 1});
  CHECK(numberedCells(2, 0, 2, 1.5) == Cells{0});
  CHECK(numberedCells(128, 100, 120, 5) == Cells{104, 112}); // the last one is not in sight
  CHECK(numberedCells(128, 100, 128, 5) == Cells{104, 112, 120, 127});
  CHECK(numberedCells(1 << 24, 1001, 1011, 2) == Cells{1002, 1004, 1006, 1008, 1010});
  CHECK(numberedCells(0, 103, 127, 5) == Cells{105, 110, 115, 120, 125}); // of a part
}

TEST_CASE("ticks divide the axis where they can") {
  CHECK(niceStep(36, 4.4) == 6);
  CHECK(niceStep(4096, 400) == 512);
  CHECK(niceStep(97, 9.2) == 10);
}

TEST_CASE("shortened names stay different") {
  const TextMeasure monospaced = [](std::string_view text, double size, bool) {
    double signs = 0;
    for (const char c : text)
      signs += (static_cast<unsigned char>(c) & 0xC0U) == 0x80 ? 0 : 1;
    return signs * size / 2; // 13 signs in kNameWidth
  };
  const auto texts = [&](const std::vector<std::string>& names) {
    std::vector<std::string> shown;
    for (const Tick& tick : nameTicks({"key j", 0, 3, names}, 300, 10, monospaced))
      shown.push_back(tick.text);
    return shown;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts({"short", "a long name indeed", "another"}) ==
        Texts{"short", "a long name …", "another"});
  CHECK(texts({"the_attention_query", "the_attention_keys_", "v"}) ==
        Texts{"the_at…_query", "the_at…_keys_", "v"});
  CHECK(texts({"attention_query", "attention_query", "v"}) == // one name twice
        Texts{"attention_qu…", "attention_qu…", "v"});
  CHECK(texts({"ääääääääääääää1", "ääääääääääääää2", "v"}) ==
        Texts{"ääääää…äääää1", "ääääää…äääää2", "v"});
}
