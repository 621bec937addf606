// General kernels against their plain twin, closed cases, and the linear order against explicit
// rows.
#include "core/attention/attend.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/kernel.h"
#include "core/attention/reference.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>
#include <limits>

using namespace attention;

namespace {

constexpr Kernel kAll[] = {Kernel::Softmax, Kernel::Gaussian, Kernel::Elu1, Kernel::Relu};

// Kernel values are off by a few ε times the size of their exponent; sums of n terms by n ε.
template <class T>
double tolerance(const RandomQkv<T>& in) {
  double norm = 0;
  for (const T x : in.q.values())
    norm = std::max(norm, std::abs(static_cast<double>(x)));
  const double n = static_cast<double>(in.k.rows());
  return 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
         (n + norm * norm * static_cast<double>(in.q.cols()));
}

template <class T>
void checkAgainstTwin(const Prepared& pattern, const RandomQkv<T>& in,
                      const KernelOptions& options) {
  const KernelAttention<T> fast =
      kernelAttention(pattern, in.qView(), in.kView(), in.vView(), options);
  const RandomQkv<double> wide = [&] {
    RandomQkv<double> w(1, 1, 1, 1, 0);
    const auto widen = [](const Matrix<T>& m) {
      return Matrix<double>(m.rows(), m.cols(),
                            std::vector<double>(m.values().begin(), m.values().end()));
    };
    w.q = widen(in.q);
    w.k = widen(in.k);
    w.v = widen(in.v);
    return w;
  }();
  const auto plain = kernelReference(pattern, wide.qView(), wide.kView(), wide.vView(), options);
  REQUIRE(fast.flagged() == plain.flagged());
  const double tol = tolerance(in);
  double worst = 0; // in tolerances
  for (Index i = 0; i < in.q.rows(); ++i) {
    const double d = plain.denominators[static_cast<std::size_t>(i)];
    const auto got = static_cast<double>(fast.denominators[static_cast<std::size_t>(i)]);
    worst = std::max(worst, std::abs(got - d) / (tol * std::max(d, 1e-30)));
    const double size = options.normalized ? 1 : std::max(d, 1.0);
    for (Index c = 0; c < in.v.cols(); ++c)
      worst = std::max(worst, std::abs(static_cast<double>(fast.out(i, c)) - plain.out(i, c)) /
                                  (5 * tol * size));
  }
  CHECK(worst <= 1);
}

} // namespace

TEST_CASE("kernel attention agrees with the plain twin over the whole family in both precisions") {
  const Index n = GENERATE(1, 2, 7, 70, 133);
  Dice dice(static_cast<int>(n) + 5);
  for (std::size_t m = 0; m < allMechanisms().size(); ++m) {
    const Pattern pattern = randomPattern(dice, m, n);
    std::shared_ptr<const Prepared> prepared;
    try {
      prepared = prepare(pattern, squareLengths(n));
    } catch (const Error&) {
      continue; // random parameters that do not fit together
    }
    INFO(shortText(pattern) << " at n = " << n);
    for (const Kernel kernel : kAll)
      for (const bool normalized : {true, false}) {
        INFO(name(kernel) << (normalized ? " normalised" : ""));
        checkAgainstTwin(*prepared, RandomQkv<float>(n, n, 11, 3, m), {kernel, normalized, 1});
        checkAgainstTwin(*prepared, RandomQkv<double>(n, n, 5, 3, m), {kernel, normalized, 2});
      }
  }
}

TEST_CASE("the normalised softmax kernel is softmax attention, even for huge logits") {
  const auto causal = prepare(Causal{}, squareLengths(40));
  const RandomQkv<double> in(40, 40, 4, 3, 9, 100);
  const auto kernel = kernelAttention(*causal, in.qView(), in.kView(), in.vView(), {});
  const auto exact = attendReference(*causal, in.qView(), in.kView(), in.vView());
  CHECK(kernel.out == exact.out);
  CHECK(kernel.flagged().empty());
}

TEST_CASE("the Gaussian kernel is the softmax kernel between factors of the norms") {
  const std::vector<double> x{0.3, -1.2, 0.8};
  const std::vector<double> y{1.1, 0.4, -0.6};
  const auto square = [](const std::vector<double>& a) {
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  };
  const double root = std::sqrt(3.0);
  CHECK(kernelValue(Kernel::Softmax, x, y) ==
        Approx(std::exp(square(x) / (2 * root)) * kernelValue(Kernel::Gaussian, x, y) *
               std::exp(square(y) / (2 * root)))
            .epsilon(1e-14));
  CHECK(kernelValue(Kernel::Gaussian, x, x) == 1.0);
  CHECK(kernelValue(Kernel::Relu, x, y) == Approx(0.33));
  CHECK(kernelValue(Kernel::Elu1, x, y) ==
        Approx(1.3 * 2.1 + std::exp(-1.2) * 1.4 + 1.8 * std::exp(-0.6)));
}

TEST_CASE("prefix sums equal the masked product for every length and chunk") {
  const Index n = GENERATE(1, 63, 64, 65, 600, 1100);
  const RandomQkv<double> in(n, n, 3, 2, 4);
  const auto causal = prepare(Causal{}, squareLengths(n));
  checkAgainstTwin(*causal, in, {Kernel::Elu1, true, 2});
  checkAgainstTwin(*causal, in, {Kernel::Relu, false, 1});
}

TEST_CASE(
    "rows whose sum is zero are zero and flagged; those with a negative sum are only flagged") {
  const Matrix<double> q(3, 1, {1, 1, -1});
  const Matrix<double> k(3, 1, {1, -1, -3});
  const Matrix<double> v(3, 1, {2, 4, 8});
  const auto source = [](const Matrix<double>& m) { return sourceOf(m.view()); };
  const auto causal = linearAttention(source(q), source(k), v.view(), {true, true, 1});
  CHECK(causal.denominators == std::vector<double>{1, 0, 3});
  CHECK(causal.zeroRows == std::vector<Index>{1});
  CHECK(causal.negativeRows.empty());
  CHECK(causal.out.values() == std::vector<double>{2, 0, (-2 + 4 + 24) / 3.0});
  const auto full = linearAttention(source(q), source(k), v.view(), {false, true, 1});
  CHECK(full.denominators == std::vector<double>{-3, -3, 3});
  CHECK(full.negativeRows == std::vector<Index>{0, 1});
  CHECK(full.flagged() == std::vector<Index>{0, 1});
  CHECK(full.out(0, 0) == Approx(26 / 3.0));
  const auto raw = linearAttention(source(q), source(k), v.view(), {true, false, 1});
  CHECK(raw.flagged().empty());
  CHECK(raw.out.values() == std::vector<double>{2, -2, 26});
  // relu of negative vectors, and rows without keys.
  const auto pattern = prepare(Full{}, squareLengths(3));
  const auto relu =
      kernelAttention(*pattern, q.view(), k.view(), v.view(), {Kernel::Relu, true, 1});
  CHECK(relu.zeroRows == std::vector<Index>{2});
  Local local;
  local.window = 0;
  const auto none = kernelAttention(*prepare(local, squareLengths(3)), q.view(), k.view(), v.view(),
                                    {Kernel::Gaussian, true, 1});
  CHECK(none.zeroRows == std::vector<Index>{0, 1, 2});
}

TEST_CASE("what overflows is named in either precision") {
  const auto causal = prepare(Causal{}, squareLengths(2));
  const Matrix<float> x(2, 1, {1, 30});
  const auto result =
      kernelAttention(*causal, x.view(), x.view(), x.view(), {Kernel::Softmax, false, 1});
  CHECK(result.nonFiniteRows == std::vector<Index>{1});
  CHECK(std::isfinite(result.out(0, 0)));
}

TEST_CASE("kernel attention gives the same bits at any number of threads", "[threads]") {
  const Index n = 1500;
  const RandomQkv<float> in(n, n, 6, 3, 8);
  Strided strided;
  strided.stride = 40;
  for (const Pattern& pattern : {Pattern(Causal{}), Pattern(Full{}), Pattern(strided)})
    for (const Kernel kernel : {Kernel::Gaussian, Kernel::Elu1}) {
      const auto prepared = prepare(pattern, squareLengths(n));
      const auto at = [&](int threads) {
        return kernelAttention(*prepared, in.qView(), in.kView(), in.vView(),
                               {kernel, true, threads});
      };
      const auto one = at(1);
      for (const int threads : {2, 3}) {
        const auto more = at(threads);
        CHECK(one.out == more.out);
        CHECK(one.denominators == more.denominators);
      }
    }
}

TEST_CASE("kernels and their inputs are refused by name") {
  CHECK(codeAndSubject([] { kernelNamed("sofmax"); }) == "E_UNKNOWN kernel");
  for (const std::string_view name : kernelNames())
    CHECK(attention::name(kernelNamed(name)) == name);
  const auto full = prepare(Full{}, squareLengths(4));
  RandomQkv<double> in(4, 4, 3, 2, 1);
  const RandomQkv<double> five(5, 5, 3, 2, 1);
  const auto run = [&](MatrixView<const double> v) {
    return codeAndSubject([&] {
      kernelAttention(*full, in.qView(), in.kView(), v, {Kernel::Relu, true, 1});
    });
  };
  CHECK(run(in.vView()).empty());
  CHECK(run(five.vView()) == "E_SHAPE V");
  in.q(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(run(in.vView()) == "E_NONFINITE Q");
  const Matrix<double> q(2, 3);
  const Matrix<double> k(3, 3);
  const Matrix<double> wide(3, 4);
  const auto order = [&](const Matrix<double>& a, const Matrix<double>& b, bool causal) {
    return codeAndSubject([&] {
      linearAttention(sourceOf(a.view()), sourceOf(b.view()), k.view(), {causal, true, 1});
    });
  };
  CHECK(order(q, k, false).empty());
  CHECK(order(q, k, true) == "E_SHAPE Q");
  CHECK(order(q, wide, false) == "E_SHAPE features");
}

TEST_CASE("the matrix of a kernel times the values is its output") {
  const Index n = GENERATE(30, 70); // 70: more rows than are computed at a time
  const RandomQkv<double> in(n, n, 4, 3, 2);
  Strided strided;
  strided.stride = 5;
  const auto pattern = prepare(strided, squareLengths(n));
  for (const Kernel kernel : kAll)
    for (const bool normalized : {true, false}) {
      const KernelOptions options{kernel, normalized, 1};
      const auto result = kernelAttention(*pattern, in.qView(), in.kView(), in.vView(), options);
      const auto implied = impliedByKernel(*pattern, in.qView(), in.kView(), options);
      const Matrix<double> a = implied.rowsAt(n - 23, n);
      for (Index i = n - 23; i < n; ++i)
        for (Index c = 0; c < 3; ++c) {
          double sum = 0;
          for (Index j = 0; j < n; ++j) {
            sum += a(i - (n - 23), j) * in.v(j, c);
            if (!pattern->contains(i, j))
              CHECK(a(i - (n - 23), j) == 0);
          }
          CHECK(sum == Approx(result.out(i, c)).margin(1e-10));
        }
    }
}
