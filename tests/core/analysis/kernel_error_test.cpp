// The sweep of errors against the number of projections.
#include "core/analysis/kernel_error.h"
#include "core/analysis/kernel_error_size.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/reference.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

using namespace attention;

namespace {

KernelErrorOptions smallSweep() {
  KernelErrorOptions options;
  options.projections = {4, 16};
  options.repeats = 5;
  options.seed = 3;
  options.pairs = 200;
  options.threads = 1;
  return options;
}

bool same(const KernelErrorResult& a, const KernelErrorResult& b) {
  if (a.rows.size() != b.rows.size() || a.baseline != b.baseline)
    return false;
  for (std::size_t r = 0; r < a.rows.size(); ++r)
    if (a.rows[r].errors != b.rows[r].errors || a.rows[r].kernel.mse != b.rows[r].kernel.mse ||
        a.rows[r].matrix.mse != b.rows[r].matrix.mse || a.rows[r].theory != b.rows[r].theory)
      return false;
  return true;
}

} // namespace

TEST_CASE("the sweep gives the numbers of the reference experiment") {
  // An independent program in plain Python: L = 24, d = 4, 5 repeats, seed 3, sigma 0.7.
  struct Expected {
    FeatureMap map;
    ProjectionKind kind;
    Index v;
    double mean, median;
  };
  const Expected all[] = {
      {FeatureMap::Trig, ProjectionKind::Iid, 4, 8.892062e-01, 1.215479e+00},
      {FeatureMap::Trig, ProjectionKind::Orthogonal, 4, 4.940712e-02, 3.835865e-02},
      {FeatureMap::Positive, ProjectionKind::Iid, 4, 1.863425e-02, 1.440518e-02},
      {FeatureMap::Positive, ProjectionKind::Orthogonal, 4, 1.546033e-02, 1.356941e-02},
      {FeatureMap::Trig, ProjectionKind::Iid, 16, 1.159867e-02, 1.002552e-02},
      {FeatureMap::Trig, ProjectionKind::Orthogonal, 16, 3.800189e-03, 3.737771e-03},
      {FeatureMap::Positive, ProjectionKind::Iid, 16, 7.182708e-03, 5.316075e-03},
      {FeatureMap::Positive, ProjectionKind::Orthogonal, 16, 7.441565e-03, 6.865951e-03}};
  std::vector<KernelErrorRow> heard; // as they finish
  const KernelErrorResult result =
      kernelError(gaussianSource(24, 4, 0.7, 3), smallSweep(), [&](const KernelErrorResult& soFar) {
        CHECK(soFar.baseline > 0);
        heard.push_back(soFar.rows.back());
      });
  REQUIRE(heard.size() == result.rows.size());
  for (std::size_t k = 0; k < heard.size(); ++k)
    CHECK(heard[k].errors == result.rows[k].errors);
  REQUIRE(result.rows.size() == 12);
  std::size_t found = 0;
  for (const KernelErrorRow& row : result.rows)
    for (const Expected& expected : all)
      if (row.curve.map == expected.map && row.curve.projection == expected.kind &&
          row.projections == expected.v) {
        ++found;
        CHECK(row.output.mean == Approx(expected.mean).epsilon(1e-6));
        CHECK(row.output.median == Approx(expected.median).epsilon(1e-6));
        CHECK(row.features == (row.curve.map == FeatureMap::Trig ? 2 : 1) * row.projections);
      }
  CHECK(found == 8);
}

TEST_CASE("each repeat's error is that of its own draw") {
  const KernelErrorOptions options = smallSweep();
  const auto source = gaussianSource(20, 3, 0.8, 9);
  const KernelErrorResult result = kernelError(source, options);
  const KernelErrorInput in = source(2);
  const auto exact =
      attendReference(*prepare(Full{}, squareLengths(20)), std::as_const(in.q).view(),
                      std::as_const(in.k).view(), std::as_const(in.v).view());
  const Matrix<double> w =
      drawProjection({ProjectionKind::Orthogonal, Norms::Chi, 16, 3, options.seed + 1002});
  const auto estimated = featureAttention(std::as_const(in.q).view(), std::as_const(in.k).view(),
                                          std::as_const(in.v).view(), w, {}, LinearOptions{});
  double mse = 0;
  for (std::size_t x = 0; x < 60; ++x)
    mse += std::pow(estimated.out.values()[x] - exact.out.values()[x], 2) / 60;
  const KernelErrorRow& row = result.rows[9];
  REQUIRE(row.curve.map == FeatureMap::Positive);
  REQUIRE(row.projections == 16);
  CHECK(row.errors[2] == Approx(mse).epsilon(1e-9));
  CHECK(result.rowsCompared == 100);
}

TEST_CASE("errors at ascending numbers of projections are those of each number by itself") {
  const bool causal = GENERATE(false, true);
  KernelErrorOptions options = smallSweep();
  options.causal = causal;
  const auto source = gaussianSource(40, 4, 0.5, 6);
  const std::vector<Index> several{3, 12, 12, 5, 20}; // ascending, repeated, descending
  options.projections = several;
  const KernelErrorResult together = kernelError(source, options);
  const std::size_t curves = options.curves.size();
  for (std::size_t m = 0; m < several.size(); ++m) {
    options.projections = {several[m]};
    const KernelErrorResult alone = kernelError(source, options);
    for (std::size_t c = 0; c < curves; ++c) {
      const KernelErrorRow& one = alone.rows[c];
      const KernelErrorRow& row = together.rows[m * curves + c];
      REQUIRE(row.projections == several[m]);
      CHECK(row.negativeRows == one.negativeRows);
      CHECK(row.zeroRows == one.zeroRows);
      CHECK(row.kernel.mse == Approx(one.kernel.mse).epsilon(1e-9));
      CHECK(row.matrix.mse == Approx(one.matrix.mse).epsilon(1e-6));
      // The closer a denominator is to zero, the more uncertain trigonometric errors are.
      for (std::size_t r = 0; r < row.errors.size(); ++r)
        CHECK(row.errors[r] == Approx(one.errors[r]).epsilon(1e-6));
    }
  }
}

TEST_CASE("the first rows of drawn projections are what drawing only those rows gives") {
  for (const ProjectionKind kind : {ProjectionKind::Iid, ProjectionKind::Orthogonal}) {
    const Matrix<double> all = drawProjection({kind, Norms::Chi, 11, 4, 5});
    for (const Index rows : {1, 4, 7}) {
      const Matrix<double> few = drawProjection({kind, Norms::Chi, rows, 4, 5});
      CHECK(std::equal(few.values().begin(), few.values().end(), all.values().begin()));
    }
  }
}

TEST_CASE("errors of kernel entries agree with the closed form within their spread") {
  KernelErrorOptions options = smallSweep();
  options.repeats = 80;
  options.projections = {3, 8};
  const KernelErrorResult result = kernelError(gaussianSource(30, 4, 0.25, 1), options);
  for (const KernelErrorRow& row : result.rows) {
    INFO(name(row.curve.map) << " " << name(row.curve.projection) << " " << row.projections);
    CHECK(row.kernel.mse > row.theory / 2);
    CHECK(row.kernel.mse < row.theory * 2);
    const bool bounded = row.curve.map == FeatureMap::Positive && row.projections <= 4 &&
                         row.curve.projection == ProjectionKind::Orthogonal;
    CHECK(std::isnan(row.bound) != bounded);
    if (bounded)
      CHECK(row.theory <= row.bound);
  }
}

TEST_CASE("all entries of a small matrix can be compared instead of pairs") {
  KernelErrorOptions options = smallSweep();
  options.allEntries = true;
  CHECK(kernelError(gaussianSource(20, 3, 0.5, 1), options).pairs == 5 * 400);
  options.causal = true;
  CHECK(kernelError(gaussianSource(20, 3, 0.5, 1), options).pairs == 5 * 210);
}

TEST_CASE("the sweep gives the same bits at any number of threads and reports rows as they finish",
          "[threads]") {
  KernelErrorOptions options = smallSweep();
  const auto source = gaussianSource(70, 4, 1, 2);
  std::vector<Index> seen;
  const KernelErrorResult one = kernelError(source, options, [&](const KernelErrorResult& soFar) {
    seen.push_back(soFar.rows.back().projections);
  });
  CHECK(seen == std::vector<Index>{4, 4, 4, 4, 4, 4, 16, 16, 16, 16, 16, 16});
  for (const int threads : {2, 3}) {
    options.threads = threads;
    CHECK(same(one, kernelError(source, options)));
  }
  options.seed = 4;
  CHECK_FALSE(same(one, kernelError(source, options)));
}

TEST_CASE("the sweep stops when asked", "[threads]") {
  std::stop_source source;
  Run run;
  run.stop = source.get_token();
  double share = 0;
  run.progress = [&](double x) {
    share = x;
    if (x > 0.5)
      source.request_stop();
  };
  CHECK_THROWS_AS(kernelError(gaussianSource(64, 4, 1, 2), smallSweep(), {}, run), Stopped);
  CHECK(share > 0.5);
}

TEST_CASE("repeats over one input differ only in their projections") {
  KernelErrorOptions options = smallSweep();
  options.sameInput = true;
  Index asked = 0;
  KernelErrorSource source = gaussianSource(20, 3, 0.8, 9);
  source.draw = [&, draw = source.draw](Index repeat) {
    ++asked;
    return draw(repeat);
  };
  const KernelErrorResult result = kernelError(source, options);
  CHECK(asked == 1);
  CHECK(result.rows.front().errors[0] != result.rows.front().errors[1]);
}

TEST_CASE("rows of long vectors that vanish or overflow are counted") {
  KernelErrorOptions options = smallSweep();
  const KernelErrorResult result = kernelError(gaussianSource(16, 4, 60, 2), options);
  Index failures = 0;
  for (const KernelErrorRow& row : result.rows)
    failures += row.zeroRows + row.nonFiniteRows;
  CHECK(failures > 0);
  options.stabilize = Stabilize::Robust;
  const KernelErrorResult robust = kernelError(gaussianSource(16, 4, 60, 2), options);
  for (const KernelErrorRow& row : robust.rows)
    CHECK(std::isnan(row.kernel.mse));
}

TEST_CASE("medians and quartiles of repeats are interpolated") {
  const Spread spread = spreadOf({5, 1, 4, 2, 3});
  CHECK(spread.mean == 3);
  CHECK(spread.median == 3);
  CHECK(spread.std == Approx(std::sqrt(2.5)));
  CHECK(spread.q25 == 2);
  CHECK(spread.q90 == Approx(4.6));
  CHECK(spreadOf({1, 2, 3, 4}).median == 2.5);
  const Spread two = spreadOf({198, 44});
  CHECK(two.median == 121);
  CHECK(two.q25 == 82.5);
  CHECK(two.q75 == 159.5);
  CHECK(spreadOf({7}).std == 0);
  const Spread broken = spreadOf({1, std::numeric_limits<double>::quiet_NaN(), 2});
  CHECK(std::isinf(broken.mean));
  CHECK(broken.median == 2);
  CHECK(std::isinf(broken.q75));
  CHECK(std::isinf(spreadOf({1, HUGE_VAL, 2, HUGE_VAL}).median));
}

TEST_CASE("the sweep refuses wrong options by name") {
  const auto run = [](const std::function<void(KernelErrorOptions&)>& change) {
    KernelErrorOptions options = smallSweep();
    change(options);
    return codeAndSubject([&] { kernelError(gaussianSource(8, 2, 1, 1), options); });
  };
  CHECK(run([](KernelErrorOptions& o) { o.repeats = 0; }) == "E_RANGE repeats");
  CHECK(run([](KernelErrorOptions& o) { o.pairs = 0; }) == "E_RANGE pairs");
  CHECK(run([](KernelErrorOptions& o) { o.projections = {4, 0}; }) == "E_RANGE m");
  CHECK(run([](KernelErrorOptions& o) { o.projections.clear(); }) == "E_RANGE m");
  CHECK(run([](KernelErrorOptions& o) { o.curves.clear(); }) == "E_RANGE features");
  CHECK(run([](KernelErrorOptions& o) { o.curves[0].map = FeatureMap::Relu; }) ==
        "E_RANGE features");
  CHECK(run([](KernelErrorOptions& o) { o.eps = -1; }) == "E_RANGE eps");
  CHECK(run([](KernelErrorOptions& o) { o.repeats = kMostErrorNumbers; }) == "E_RANGE repeats");
  CHECK(codeAndSubject([] { gaussianSource(0, 2, 1, 1); }) == "E_N n");
  CHECK(codeAndSubject([] { gaussianSource(4, 0, 1, 1); }) == "E_RANGE d");
  CHECK(codeAndSubject([] { gaussianSource(4, 2, std::nan(""), 1); }) == "E_NONFINITE sigma");
}

TEST_CASE("a sweep that is too large is refused before anything is drawn") {
  const auto refusal = [](Index n, Index d,
                          const std::function<void(KernelErrorOptions&)>& change) {
    KernelErrorOptions options = smallSweep();
    change(options);
    KernelErrorSource source = gaussianSource(n, d, 1, 1);
    source.draw = [](Index) -> KernelErrorInput { throw Error(ErrorCode::Io, "drawn", "drawn"); };
    return codeAndSubject([&] { kernelError(source, options); });
  };
  const auto nothing = [](KernelErrorOptions&) {};
  CHECK(refusal(64, 4, nothing) == "E_IO drawn");
  CHECK(refusal(kMaxLength, 4, nothing) == "E_RANGE repeats");
  CHECK(refusal(8, 2, [](KernelErrorOptions& o) { o.pairs = 10'000'000'000; }) == "E_RANGE pairs");
  CHECK(refusal(8, 2, [](KernelErrorOptions& o) { o.projections = {kMostErrorFeatures}; }) ==
        "E_RANGE m");
  // Within the bounds for seeded pairs, beyond them for all entries.
  const auto all = [](KernelErrorOptions& o) { o.allEntries = true; };
  CHECK(refusal(1 << 18, 4, nothing) == "E_IO drawn");
  CHECK(refusal(1 << 18, 4, all) == "E_RANGE repeats");
  // All numbers of projections count, not only the largest.
  const auto once = [](KernelErrorOptions& o) { o.projections = {1 << 20}; };
  const auto often = [](KernelErrorOptions& o) { o.projections.assign(1 << 11, 1 << 20); };
  CHECK(refusal(64, 4, once) == "E_IO drawn");
  CHECK(refusal(64, 4, often) == "E_RANGE repeats");
}

TEST_CASE("the bound of a sweep counts the multiplications of its parts") {
  KernelErrorOptions options = smallSweep();
  options.repeats = 3;
  options.curves.resize(2);
  options.projections = {4, 8};
  options.pairs = 100;
  const KernelErrorSource source = gaussianSource(10, 5, 1, 1);
  // Per repeat: 10² · 5 for exact attention, and 12 projections for each curve.
  CHECK(errorProducts(source, options) == 3 * (500 + 2 * (12 * (15 * 5 + 100) + 500)));
  options.allEntries = true;
  options.pairs = 7;
  CHECK(errorProducts(source, options) == 3 * (500 + 2 * (12 * (15 * 5 + 100) + 35)));
}
