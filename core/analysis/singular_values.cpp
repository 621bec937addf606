// The part of the low-rank analysis that needs Eigen's decompositions (BDCSVD and Householder QR),
// which compile slowly and are therefore kept apart.
#include "core/analysis/low_rank.h"

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/philox.h"
#include "core/support/products.h"
#include "core/support/stoppable.h"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kBlock = 64;
constexpr Index kSpans = 8;                         // partial sums of Aᵀ Q, merged in order
constexpr std::uint32_t kSketchStream = 0xFFFFFFFE; // of purpose 1, which inputs leave free

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColMajor = Eigen::MatrixXd;

ColMajor toEigen(const Matrix<double>& a) {
  return Eigen::Map<const RowMajor>(a.data(), a.rows(), a.cols());
}

Matrix<double> fromEigen(const ColMajor& a) {
  Matrix<double> m(a.rows(), a.cols());
  Eigen::Map<RowMajor>(m.data(), a.rows(), a.cols()) = a;
  return m;
}

void requireFinite(const Matrix<double>& a) {
  if (a.rows() < 1 || a.cols() < 1)
    throw Error(ErrorCode::Shape, "A", "A is empty; it must have at least one row and one column");
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      if (!std::isfinite(a(i, j)))
        throw Error(ErrorCode::NonFinite, "A",
                    "A has a number that is not finite in row " + std::to_string(i) +
                        "; every number must be finite");
}

std::vector<double> listOf(const Eigen::VectorXd& values) {
  return {values.data(), values.data() + values.size()};
}

// An orthonormal basis of the columns of y.
Matrix<double> orthonormal(const Matrix<double>& y) {
  const Eigen::HouseholderQR<ColMajor> qr(toEigen(y));
  return fromEigen(qr.householderQ() * ColMajor::Identity(y.rows(), y.cols()));
}

class Sketch {
public:
  Sketch(const ImpliedMatrix<double>& matrix, const RandomizedOptions& options, const Run& run)
      : matrix_(matrix), options_(options), run_(run),
        size_(std::min({options.rank + options.oversampling, matrix.rows, matrix.cols})),
        passes_(3 + 2 * options.powers) {}

  RandomizedSpectrum compute() {
    Matrix<double> q = orthonormal(times(draw()));
    for (Index p = 0; p < options_.powers; ++p)
      q = orthonormal(times(orthonormal(transposedTimes(q))));
    const Matrix<double> bt = transposedTimes(q); // Bᵀ: cols × size
    RandomizedSpectrum spectrum;
    spectrum.values = singularValues(bt);
    addNorms(spectrum, q, bt);
    return spectrum;
  }

private:
  Index blocks() const { return ceilDiv(matrix_.rows, kBlock); }
  Index end(Index block) const { return std::min((block + 1) * kBlock, matrix_.rows); }

  // Each pass over A is an equal share of the progress.
  Run nextPass() {
    Run part = run_;
    const double from = static_cast<double>(pass_++) / static_cast<double>(passes_);
    if (run_.progress)
      part.progress = [this, from](double x) {
        run_.progress(from + x / static_cast<double>(passes_));
      };
    return part;
  }

  Matrix<double> draw() const {
    const philox::Stream stream{options_.seed, philox::Purpose::Data, kSketchStream};
    Matrix<double> omega(matrix_.cols, size_);
    for (Index x = 0; x < matrix_.cols * size_; ++x)
      omega.data()[x] = philox::normal(stream, static_cast<std::uint64_t>(x));
    return omega;
  }

  // A x: rows × size.
  Matrix<double> times(const Matrix<double>& x) {
    Matrix<double> y(matrix_.rows, size_);
    parallelFor(blocks(), options_.threads, nextPass(), [&](Index b) {
      const Matrix<double> a = matrix_.rowsAt(b * kBlock, end(b));
      multiply(a.view(), x.view(), rowsOf(y.view(), b * kBlock, end(b)));
    });
    return y;
  }

  // Aᵀ q: cols × size.
  Matrix<double> transposedTimes(const Matrix<double>& q) {
    const Index spans = std::min(kSpans, blocks());
    std::vector<Matrix<double>> parts(static_cast<std::size_t>(spans));
    parallelFor(spans, options_.threads, nextPass(), [&](Index s) {
      Matrix<double> part(matrix_.cols, size_);
      for (Index b = s * blocks() / spans; b < (s + 1) * blocks() / spans; ++b) {
        run_.check();
        const Matrix<double> a = matrix_.rowsAt(b * kBlock, end(b));
        transposedMultiply(a.view(), rowsOf(q.view(), b * kBlock, end(b)), part.view(), true);
      }
      parts[static_cast<std::size_t>(s)] = std::move(part);
    });
    Matrix<double> sum = std::move(parts.front());
    for (std::size_t s = 1; s < parts.size(); ++s)
      for (Index x = 0; x < matrix_.cols * size_; ++x)
        sum.data()[x] += parts[s].data()[x];
    return sum;
  }

  // |A|_F and |A − Q B|_F by a last pass over A.
  void addNorms(RandomizedSpectrum& spectrum, const Matrix<double>& q, const Matrix<double>& bt) {
    std::vector<std::pair<double, double>> squares(static_cast<std::size_t>(blocks()));
    parallelFor(blocks(), options_.threads, nextPass(), [&](Index b) {
      const Matrix<double> a = matrix_.rowsAt(b * kBlock, end(b));
      Matrix<double> seen(a.rows(), a.cols());
      multiplyTransposed(rowsOf(q.view(), b * kBlock, end(b)), bt.view(), seen.view());
      auto& [whole, rest] = squares[static_cast<std::size_t>(b)];
      for (std::size_t x = 0; x < a.values().size(); ++x) {
        const double value = a.values()[x];
        const double left = value - seen.values()[x];
        whole += value * value;
        rest += left * left;
      }
    });
    double whole = 0;
    double rest = 0;
    for (const auto& [one, other] : squares) {
      whole += one;
      rest += other;
    }
    spectrum.frobenius = std::sqrt(whole);
    spectrum.residual = std::sqrt(rest);
  }

  const ImpliedMatrix<double>& matrix_;
  const RandomizedOptions& options_;
  const Run& run_;
  Index size_;
  Index passes_;
  Index pass_ = 0;
};

} // namespace

std::vector<double> singularValues(const Matrix<double>& a, const Run& run) {
  requireFinite(a);
  return stoppable(
      [matrix = toEigen(a)] { return listOf(Eigen::BDCSVD<ColMajor>(matrix).singularValues()); },
      run);
}

Svd svd(const Matrix<double>& a) {
  requireFinite(a);
  const Eigen::BDCSVD<ColMajor> of(toEigen(a), Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {fromEigen(of.matrixU()), listOf(of.singularValues()), fromEigen(of.matrixV())};
}

RandomizedSpectrum randomizedSpectrum(const ImpliedMatrix<double>& matrix,
                                      const RandomizedOptions& options, const Run& run) {
  if (options.rank < 1)
    throwRange("rank", std::to_string(options.rank), "an integer of at least 1");
  if (options.oversampling < 0)
    throwRange("oversampling", std::to_string(options.oversampling), "an integer of at least 0");
  if (options.powers < 0)
    throwRange("powers", std::to_string(options.powers), "an integer of at least 0");
  return Sketch(matrix, options, run).compute();
}

} // namespace attention
