#include "core/plot/number_axis.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

using namespace attention;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> texts(const NumberAxis& axis, double length, double gap) {
  std::vector<std::string> all;
  for (const NumberTick& tick : ticksOf(axis, length, gap))
    all.push_back(tick.text);
  return all;
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("ticks stand at round numbers of the axis") {
  CHECK(texts({"", Scale::Linear, 0, 1}, 400, 80) == Words{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(texts({"", Scale::Linear, -3, 7}, 300, 100) == Words{"0", "5"});
  CHECK(texts({"", Scale::Linear, 0, 5, true}, 900, 40) == Words{"0", "1", "2", "3", "4", "5"});
  CHECK(texts({"", Scale::Log2, 8, 256}, 500, 60) == Words{"8", "16", "32", "64", "128", "256"});
  CHECK(texts({"", Scale::Log2, 8, 256}, 200, 60) == Words{"16", "64", "256"});
  CHECK(texts({"", Scale::Log10, 1e-6, 1e-3}, 300, 40) == Words{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³"});
  CHECK(texts({"", Scale::Log10, 2e-5, 8e-5}, 300, 80) != Words{});
  CHECK(powerOfTen(-12) == "10⁻¹²");
  // All plain or all powers.
  CHECK(texts({"", Scale::Log10, 1e-3, 1e1}, 300, 40) == Words{"0.001", "0.01", "0.1", "1", "10"});
  CHECK(texts({"", Scale::Log10, 7.6e-4, 0.5}, 300, 40) == Words{"0.001", "0.01", "0.1"});
  CHECK(texts({"", Scale::Log10, 1, 1.04e4}, 300, 40).back() == "10\u2009000");
  CHECK(texts({"", Scale::Log10, 1, 1e5}, 300, 40) ==
        Words{"10⁰", "10¹", "10²", "10³", "10⁴", "10⁵"});
  // With grouped digits and a true minus sign.
  CHECK(texts({"", Scale::Log2, 512, 16384}, 200, 60) ==
        Words{"1\u2009024", "4\u2009096", "16\u2009384"});
  CHECK(texts({"", Scale::Linear, -20000, 20000}, 200, 90) ==
        Words{"−20\u2009000", "0", "20\u2009000"});
  CHECK(texts({"", Scale::Linear, -0.5, 0.5}, 200, 90) == Words{"−0.5", "0", "0.5"});
  CHECK(texts({"", Scale::Log10, 1, 1000}, 300, 40).back() == "1\u2009000");
}

TEST_CASE("ticks lie on their axis, at least the requested distance apart") {
  const Scale scale = GENERATE(Scale::Linear, Scale::Log2, Scale::Log10);
  const double begin = GENERATE(0.003, 0.9, 1.0, 17.0, 12345.0);
  const double factor = GENERATE(1.5, 3.0, 40.0, 1e6);
  const double length = GENERATE(60.0, 300.0, 1200.0);
  const NumberAxis axis{"", scale, begin, begin * factor};
  constexpr double kGap = 50;
  const auto ticks = ticksOf(axis, length, kGap);
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    INFO(ticks[k].text);
    CHECK(shareOf(axis, ticks[k].at) > -1e-6);
    CHECK(shareOf(axis, ticks[k].at) < 1 + 1e-6);
    if (k == 0)
      continue;
    CHECK(ticks[k].text != ticks[k - 1].text);
    // Plain numbers on a logarithmic axis, where there are fewer than two powers, bunch at its end.
    if (scale == Scale::Linear)
      CHECK((shareOf(axis, ticks[k].at) - shareOf(axis, ticks[k - 1].at)) * length > kGap - 1e-6);
  }
}

TEST_CASE("an axis holds all values that it can show and ends at round numbers") {
  const std::vector<double> values{
      0.031, 4.2, -kInfinity, kInfinity, std::numeric_limits<double>::quiet_NaN(), 0};
  const NumberAxis log = axisOver("error", Scale::Log10, values);
  CHECK(log.begin == Approx(0.01));
  CHECK(log.end == Approx(10));
  const NumberAxis linear = axisOver("error", Scale::Linear, values);
  CHECK(linear.begin == Approx(0));
  CHECK(linear.end == Approx(5));
  const NumberAxis tight = axisOver("m", Scale::Log2, std::vector<double>{12, 96}, false);
  CHECK(tight.begin == Approx(12));
  CHECK(tight.end == Approx(96));
}

TEST_CASE("an axis of less than two decades is fitted to its values and has ticks within decades") {
  const NumberAxis costs = axisOver("FLOPs", Scale::Log10, std::vector<double>{1.2e5, 2.45e6});
  CHECK(costs.begin == Approx(1e5));
  CHECK(costs.end == Approx(5e6));
  CHECK(texts(costs, 500, 60) == Words{"10⁵", "2 × 10⁵", "5 × 10⁵", "10⁶", "2 × 10⁶", "5 × 10⁶"});
  CHECK(texts(costs, 260, 60) == Words{"10⁵", "3 × 10⁵", "10⁶", "3 × 10⁶"});
  CHECK(texts(costs, 150, 60) == Words{"10⁵", "10⁶"});
  const NumberAxis errors = axisOver("error", Scale::Log10, std::vector<double>{0.06, 0.9});
  CHECK(texts(errors, 300, 40) == Words{"0.05", "0.1", "0.2", "0.5", "1"});
}

TEST_CASE("no value other than zero lies at the end of an axis") {
  const Scale scale = GENERATE(Scale::Linear, Scale::Log10);
  for (const double most : {0.0999, 0.1, 0.995, 1.0, 79.6, 1e6}) {
    const NumberAxis axis = axisOver("", scale, std::vector<double>{most / 7000, most / 10, most});
    CHECK(shareOf(axis, most) < 0.985);
    CHECK(shareOf(axis, most) > 0.6);
    if (scale == Scale::Log10)
      CHECK(shareOf(axis, most / 7000) > 0.015);
  }
  const NumberAxis axis = axisOver("", scale, std::vector<double>{0, 1, 2});
  if (scale == Scale::Linear)
    CHECK(axis.begin == 0);
  CHECK(shareOf(axis, 1) > 0.015);
}

TEST_CASE("an axis over one value or none still has a length") {
  const Scale scale = GENERATE(Scale::Linear, Scale::Log2, Scale::Log10);
  for (const auto& values : {std::vector<double>{}, {1}, {1, 1}, {kInfinity}}) {
    for (const bool round : {false, true}) {
      const NumberAxis axis = axisOver("", scale, values, round);
      CHECK(axis.begin < axis.end);
      CHECK(std::isfinite(axis.begin));
      CHECK(!ticksOf(axis, 200, 40).empty());
      if (!values.empty() && std::isfinite(values.front()))
        CHECK(shareOf(axis, 1) == Approx(0.5));
    }
  }
}

TEST_CASE("an axis over only zeros begins with zero") {
  const NumberAxis axis = axisOver("", Scale::Linear, std::vector<double>{0, 0});
  CHECK(axis.begin == 0);
  CHECK(axis.end == 1);
}

TEST_CASE("numbers too long for plain digits have powers of ten") {
  const NumberAxis small{"", Scale::Linear, 0, 2e-7, false};
  CHECK(texts(small, 200, 50) == Words{"0", "5 × 10⁻⁸", "10⁻⁷", "1.5 × 10⁻⁷", "2 × 10⁻⁷"});
  const NumberAxis large{"", Scale::Linear, 0, 4e7, false};
  CHECK(texts(large, 200, 50) == Words{"0", "10⁷", "2 × 10⁷", "3 × 10⁷", "4 × 10⁷"});
}

TEST_CASE("places and values of an axis are inverse") {
  const Scale scale = GENERATE(Scale::Linear, Scale::Log2, Scale::Log10);
  const NumberAxis axis{"", scale, 0.5, 700};
  for (const double share : {0.0, 0.2, 0.5, 1.0, 1.2})
    CHECK(shareOf(axis, valueAt(axis, share)) == Approx(share).margin(1e-12));
  if (scale != Scale::Linear)
    CHECK(!std::isfinite(shareOf(axis, 0)));
}

TEST_CASE("the next round number toward zero is 1, 2 or 5 times a power of ten") {
  CHECK(roundTowardZero(0.957) == Approx(0.5));
  CHECK(roundTowardZero(1) == Approx(1));
  for (const float round : {1.0F, 0.5F, 0.2F, 0.01F})
    CHECK(roundTowardZero(std::nextafter(round, 0.0F)) == Approx(round));
  CHECK(roundTowardZero(1e-3) == Approx(1e-3));
  CHECK(roundTowardZero(0.25) == Approx(0.2));
  CHECK(roundTowardZero(4.9e7) == Approx(2e7));
  CHECK(roundTowardZero(-0.957) == Approx(-0.5));
  for (const double none : {0.0, -0.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK(roundTowardZero(none) == 0);
}
