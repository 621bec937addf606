// What measured times say: order statistics, fits, crossovers and rates against closed forms.
#include "core/analysis/timing/crossover.h"
#include "core/analysis/timing/power_law.h"
#include "core/analysis/timing/sample_summary.h"
#include "core/analysis/timing/timing_text.h"
#include "core/analysis/timing/timings.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace attention;

namespace {

// Without noise.
SampleSummary exactly(double seconds) {
  return {seconds, seconds, seconds, seconds, 9};
}

double power(double factor, Index n, double exponent) {
  return factor * std::pow(static_cast<double>(n), exponent);
}

std::vector<TimedSize> sizes(double factor, double exponent, const std::vector<Index>& ns,
                             double noise = 0) {
  std::vector<TimedSize> all;
  for (const Index n : ns) {
    const double t = power(factor, n, exponent);
    all.push_back({n, {t, t * (1 - noise), t * (1 + noise), t * (1 - noise), 9}});
  }
  return all;
}

const std::vector<Index> kSizes{256, 512, 1024, 2048, 4096};

TimingRow rowOf(std::size_t method, Index n, double seconds, double flops) {
  TimingRow row;
  row.method = method;
  row.n = n;
  row.seconds = exactly(seconds);
  row.work = {{}, flops, flops / 2};
  return row;
}

} // namespace

TEST_CASE("medians and quartiles are interpolated exactly between sorted samples", "[timing]") {
  CHECK(summaryOf({}) == SampleSummary{});
  CHECK(summaryOf({3}) == SampleSummary{3, 3, 3, 3, 1});
  CHECK(summaryOf({4, 2}) == SampleSummary{3, 2.5, 3.5, 2, 2});
  CHECK(summaryOf({5, 1, 4, 2, 3}) == SampleSummary{3, 2, 4, 1, 5});
  CHECK(summaryOf({10, 40, 20, 30}) == SampleSummary{25, 17.5, 32.5, 10, 4});
  CHECK(summaryOf({5, 1, 4, 2, 3}).spread() == Approx(2.0 / 3));
  CHECK(SampleSummary{}.spread() == 0);
}

TEST_CASE("half of many samples lie between the quartiles in any order", "[timing]") {
  std::mt19937 random(3);
  std::vector<double> values;
  for (int k = 0; k <= 400; ++k)
    values.push_back(k);
  std::shuffle(values.begin(), values.end(), random);
  CHECK(summaryOf(values) == SampleSummary{200, 100, 300, 0, 401});
}

TEST_CASE("the exponent of a power law is exact", "[timing]") {
  const double exponent = GENERATE(0.0, 0.5, 1.0, 1.5, 2.0, 3.0);
  std::vector<GrowthPoint> points;
  for (const Index n : kSizes)
    points.push_back({n, power(3e-9, n, exponent)});
  const auto law = fitPowerLaw(points);
  REQUIRE(law);
  CHECK(law->exponent == Approx(exponent).margin(1e-12));
  CHECK(law->factor == Approx(3e-9));
  CHECK(law->rSquared == Approx(1));
  REQUIRE(law->standardError);
  CHECK(*law->standardError == Approx(0).margin(1e-12));
  CHECK(law->at(1 << 20) == Approx(power(3e-9, 1 << 20, exponent)));
}

TEST_CASE("the error of an exponent is that of the textbook", "[timing]") {
  // ln n = 0, 1, 2, 3 and ln t = 0, 2, 1, 3: slope 4/5, residuals² 9/5, √(9/10 / 5).
  std::vector<GrowthPoint> points{{1, 1}, {3, 1}, {7, 1}, {20, 1}};
  std::vector<double> x;
  for (const GrowthPoint& point : points)
    x.push_back(std::log(static_cast<double>(point.n)));
  const std::vector<double> y{0, 2, 1, 3};
  double meanX = 0;
  for (const double a : x)
    meanX += a / 4;
  double squares = 0;
  double products = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    points[k].value = std::exp(y[k]);
    squares += (x[k] - meanX) * (x[k] - meanX);
    products += (x[k] - meanX) * (y[k] - 1.5);
  }
  double residuals = 0;
  for (std::size_t k = 0; k < 4; ++k)
    residuals += std::pow(y[k] - 1.5 - products / squares * (x[k] - meanX), 2);
  const auto law = fitPowerLaw(points);
  REQUIRE(law);
  CHECK(law->exponent == Approx(products / squares));
  CHECK(*law->standardError == Approx(std::sqrt(residuals / 2 / squares)));
  CHECK(law->rSquared == Approx(1 - residuals / 5)); // Σ (y − 1.5)² = 5
}

TEST_CASE("small sizes do not change an exponent", "[timing]") {
  std::vector<GrowthPoint> points;
  for (const Index n : {16, 32, 64, 128, 256, 512, 1024}) // 1 ms per call dominates the small ones
    points.push_back({n, n < 256 ? 1e-3 : power(1e-8, n, 2)});
  const auto law = fitPowerLaw(points, 256);
  REQUIRE(law);
  CHECK(law->exponent == Approx(2));
  CHECK(law->from == 256);
  CHECK(law->to == 1024);
  CHECK(law->points == 3);
  CHECK(fitPowerLaw(points)->exponent < 1.5);
}

TEST_CASE("an exponent needs two sizes", "[timing]") {
  const std::vector<GrowthPoint> points{{256, 1.0}, {512, 4.0}};
  const auto law = fitPowerLaw(points);
  REQUIRE(law);
  CHECK(law->exponent == Approx(2));
  CHECK_FALSE(law->standardError);
  CHECK_FALSE(fitPowerLaw(points, 257));
  CHECK_FALSE(fitPowerLaw(std::vector<GrowthPoint>{{256, 1.0}, {256, 4.0}}));
  CHECK_FALSE(fitPowerLaw(std::vector<GrowthPoint>{{256, 1.0}, {512, 0.0}}));
  CHECK_FALSE(fitPowerLaw({}));
}

TEST_CASE("lines on log-log axes cross where their formulas are equal", "[timing]") {
  // 1e-8 n² and 1e-5 n meet at 1000; n^1.5 meets n² where √n = ratio.
  const auto quadratic = sizes(1e-8, 2, kSizes);
  const auto found = crossoversOf(quadratic, sizes(1e-5, 1, kSizes));
  REQUIRE(found.size() == 1);
  CHECK(found[0].n == Approx(1000));
  CHECK(found[0].low == 512);
  CHECK(found[0].high == 1024);
  CHECK(found[0].firstLeads);
  const auto turned = crossoversOf(sizes(1e-5, 1, kSizes), quadratic);
  REQUIRE(turned.size() == 1);
  CHECK(turned[0].n == Approx(1000));
  CHECK_FALSE(turned[0].firstLeads);
  const auto half = crossoversOf(quadratic, sizes(1e-8 * std::sqrt(3000), 1.5, kSizes));
  REQUIRE(half.size() == 1);
  CHECK(half[0].n == Approx(3000));
}

TEST_CASE("no crossover is reported beyond the sizes or within noise", "[timing]") {
  CHECK(crossoversOf(sizes(1e-8, 2, kSizes), sizes(1e-4, 1, kSizes)).empty()); // 10 000
  CHECK(crossoversOf(sizes(1e-8, 2, kSizes), sizes(1e-6, 1, kSizes)).empty()); // 100
  CHECK(crossoversOf(sizes(1e-8, 2, kSizes), sizes(1e-8, 2, kSizes)).empty()); // equal
  CHECK(crossoversOf(sizes(1e-8, 2, {512, 1024}, 0.4), sizes(1e-5, 1, {512, 1024})).empty());
  CHECK(crossoversOf(sizes(1e-8, 2, {512}), sizes(1e-5, 1, {1024})).empty()); // no common size
  CHECK(crossoversOf({}, sizes(1e-5, 1, kSizes)).empty());
  auto few = sizes(1e-8, 2, kSizes); // their quartiles overlap
  for (TimedSize& size : few)
    size.seconds.samples = 2;
  CHECK(crossoversOf(few, sizes(1e-5, 1, kSizes)).empty());
}

TEST_CASE("sizes at which quartiles overlap decide nothing", "[timing]") {
  // At 1024 they are 2.4 % apart, at 512 and 2048 by a factor of two.
  const auto found = crossoversOf(sizes(1e-8, 2, kSizes, 0.1), sizes(1e-5, 1, kSizes, 0.1));
  REQUIRE(found.size() == 1);
  CHECK(found[0].n == Approx(1000));
  CHECK(found[0].low == 512);
  CHECK(found[0].high == 2048);
}

TEST_CASE("one mechanism may overtake and fall back", "[timing]") {
  std::vector<TimedSize> flat;
  std::vector<TimedSize> wave;
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    flat.push_back({kSizes[k], exactly(1)});
    wave.push_back({kSizes[k], exactly(k % 2 == 0 ? 2 : 0.5)});
  }
  const auto found = crossoversOf(flat, wave);
  REQUIRE(found.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(found[k].firstLeads == (k % 2 == 0));
    CHECK(found[k].n == Approx(std::sqrt(static_cast<double>(kSizes[k] * kSizes[k + 1]))));
  }
}

TEST_CASE("rates and predictions follow from seconds and work", "[timing]") {
  Timings timings;
  timings.peakGflops = 100;
  timings.peak = exactly(1e-3);
  timings.fitFrom = 256;
  for (const Index n : kSizes)
    timings.rows.push_back(rowOf(0, n, power(1e-9, n, 1.5), 40 * power(1, n, 2)));
  for (const Index n : kSizes)
    timings.rows.push_back(rowOf(1, n, power(1e-6, n, 1), 0));
  analyse(timings);
  const TimingRow& last = timings.rows[4];
  CHECK(last.gflops == Approx(20e-9 * power(1, 4096, 2) / power(1e-9, 4096, 1.5)));
  CHECK(last.peakShare == Approx(last.gflops / 100));
  CHECK(last.predicted == Approx(last.seconds.median)); // where the model is tied to the clock
  CHECK(timings.rows[0].predicted == Approx(last.seconds.median / 256));
  REQUIRE(timings.exponents.size() == 2);
  CHECK(timings.exponents[0].measured.exponent == Approx(1.5));
  REQUIRE(timings.exponents[0].predicted);
  CHECK(timings.exponents[0].predicted->exponent == Approx(2));
  CHECK_FALSE(timings.exponents[1].predicted);
  CHECK(timings.rows[5].predicted == 0);
  CHECK(timings.crossovers.empty()); // they meet at a million
  CHECK_FALSE(timings.noise.noisy);
  analyse(timings);
  CHECK(timings.exponents.size() == 2);
}

TEST_CASE("a crossover names who is faster on which side", "[timing]") {
  Timings timings;
  for (const Index n : kSizes)
    timings.rows.push_back(rowOf(3, n, power(1e-5, n, 1), 1));
  for (const Index n : kSizes)
    timings.rows.push_back(rowOf(8, n, power(1e-8, n, 2), 1));
  analyse(timings);
  REQUIRE(timings.crossovers.size() == 1);
  CHECK(timings.crossovers[0].below == 8);
  CHECK(timings.crossovers[0].above == 3);
}

TEST_CASE("a noisy machine is reported with the numbers that show it", "[timing]") {
  Timings timings;
  timings.rows = {rowOf(0, 256, 1, 1), rowOf(0, 512, 4, 1)};
  timings.peak = {1, 0.96, 1.04, 0.9, 20};
  analyse(timings);
  CHECK_FALSE(timings.noise.noisy);
  CHECK(timings.noise.peakSpread == Approx(0.08));
  CHECK_FALSE(timings.noise.worst);
  timings.peak = {1, 0.94, 1.06, 0.9, 20};
  analyse(timings);
  CHECK(timings.noise.noisy);
  timings.peak = {1, 0.94, 1.06, 0.9, 3}; // too few to say
  timings.rows[1].seconds = {4, 3.5, 4.5, 3, 9};
  analyse(timings);
  CHECK(timings.noise.peakSpread == 0);
  CHECK(timings.noise.noisy);
  CHECK(timings.noise.worst == std::size_t{1});
  CHECK(timings.noise.worstSpread == Approx(0.25));
}

TEST_CASE("the reported spread is the larger of those of the peak and the rows", "[timing]") {
  TimingNoise noise;
  noise.peakSpread = 0.12;
  noise.worstSpread = 0.25;
  CHECK(spreadText(noise) == "quartiles up to 25.0 % apart");
  std::swap(noise.peakSpread, noise.worstSpread);
  CHECK(spreadText(noise) == "quartiles up to 25.0 % apart");
  noise.peakSpread = 30.21;
  CHECK(spreadText(noise) == "quartiles up to 30 times the median apart");
}

TEST_CASE("words name the last size of each mechanism with longer runs left out", "[timing]") {
  const std::vector<std::string> names{"Full", "Local", "Kernel"};
  Timings timings;
  CHECK(omittedText(timings, names).empty());
  const std::vector<std::pair<std::size_t, Index>> measured{{0, 256}, {0, 4096}, {1, 8192}};
  for (const auto& [method, n] : measured) {
    timings.rows.emplace_back();
    timings.rows.back().method = method;
    timings.rows.back().n = n;
  }
  timings.omitted = {{0, 8192}, {2, 256}};
  CHECK(omittedText(timings, names) == "Full stops at n = 4\u2009096; Kernel is not measured");
}
