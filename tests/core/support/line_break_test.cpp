#include "core/support/line_break.h"
#include "tests/catch.h"

#include <string>
#include <vector>

namespace attention {
namespace {

std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = lineBreak(text, at);
    all.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

TEST_CASE("lines break at spaces but not inside numbers or beside an equals sign") {
  using Words = std::vector<std::string>;
  CHECK(pieces("n = 16 384 tokens") == Words{"n = 16 384", "tokens"});
  CHECK(pieces("7 573 171 200 times") == Words{"7 573 171 200", "times"});
  CHECK(pieces("layers 1 2048 and 19 20") == Words{"layers", "1", "2048", "and", "19", "20"});
  CHECK(pieces("every layer adds W − 1 = 2 of 3 × 3 pixels") ==
        Words{"every", "layer", "adds", "W − 1 = 2", "of", "3 × 3", "pixels"});
  CHECK(pieces("one\ntwo three") == Words{"one", "two", "three"});
  CHECK(pieces("strided overtakes full at n ≈ 453.") ==
        Words{"strided", "overtakes", "full", "at", "n ≈ 453."});
  CHECK(pieces("at n 4096 23.4 % of 5 runs") == Words{"at", "n 4096", "23.4 %", "of", "5", "runs"});
  CHECK(pieces("n 4096 of\nm 64") == Words{"n 4096", "of", "m 64"});
  CHECK(pieces("one in 32 · 4 095 + 1 = 131 041 or n · w pairs, 1 / √m") ==
        Words{"one", "in", "32 · 4 095 + 1 = 131 041", "or", "n · w", "pairs,", "1 / √m"});
  CHECK(pieces("scroll zooms · drag pans") == Words{"scroll", "zooms ·", "drag", "pans"});
  CHECK(pieces("arXiv:1904.10509, figure 3; drawn again · n = 36") ==
        Words{"arXiv:1904.10509,", "figure 3;", "drawn", "again ·", "n = 36"});
  CHECK(pieces("a figure of (table 2)") == Words{"a", "figure", "of", "(table 2)"});
  CHECK(pieces("best (> 99.9 % kept)") == Words{"best", "(> 99.9 %", "kept)"});
  CHECK(pieces("0.045 · (1, 0) and (0, 2).") == Words{"0.045 · (1, 0)", "and", "(0, 2)."});
  CHECK(pieces("keys: i − j ≤ 6") == Words{"keys:", "i − j ≤ 6"});
  CHECK(pieces("").size() == 1);
}

TEST_CASE("a cut through a number makes another one of it") {
  const auto cuts = [](std::string_view text) { // at every byte, those that do
    std::string all;
    for (std::size_t at = 0; at <= text.size(); ++at)
      all += cutsNumber(text, at) ? 'x' : '.';
    return all;
  };
  CHECK(cuts("") == ".");
  CHECK(cuts("a 128 b") == "...xx...");
  CHECK(cuts("128") == ".xx.");
  CHECK(cuts("0.05 x.") == ".xxx....");
  CHECK(cuts("k 8, 16") == "......x.");
  const std::string thin = "4\u2009096"; // a sign of three bytes between the digits
  CHECK(cuts(thin).front() == '.');
  CHECK(cutsNumber(thin, 1));
  CHECK(cutsNumber(thin, 4));
  CHECK(cutsNumber(thin, 5));
}

} // namespace
} // namespace attention
