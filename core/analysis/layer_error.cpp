#include "core/analysis/layer_error.h"

#include "core/analysis/kernel_error_size.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/features/feature_attention.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/philox.h"
#include "core/support/products.h"
#include "core/support/stoppable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace attention {
namespace {

// Streams that inputs (sub 3r and on) and generators (2^30 and on) leave free.
constexpr std::uint32_t kStackSub = std::uint32_t{1} << 29;
constexpr std::uint64_t kWeightNumbers = std::uint64_t{1} << 48;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// d × d each.
struct LayerWeights {
  Matrix<double> q, k, v;
};

// What a repeat draws.
class Draw {
public:
  Draw(const LayerErrorOptions& options, Index repeat)
      : options_(options), stream_{options.seed, philox::Purpose::Data,
                                   kStackSub + static_cast<std::uint32_t>(repeat)} {}

  Matrix<double> input() const { return normals(options_.n, 0, 1); }

  LayerWeights layer(Index layer) const {
    const double unit = 1 / std::sqrt(static_cast<double>(options_.d));
    const auto size = static_cast<std::uint64_t>(options_.d * options_.d);
    const std::uint64_t first = kWeightNumbers + 3 * static_cast<std::uint64_t>(layer) * size;
    return {normals(options_.d, first, options_.sigma * unit),
            normals(options_.d, first + size, options_.sigma * unit),
            normals(options_.d, first + 2 * size, unit)};
  }

private:
  Matrix<double> normals(Index rows, std::uint64_t first, double factor) const {
    Matrix<double> m(rows, options_.d);
    for (Index x = 0; x < rows * options_.d; ++x)
      m.data()[x] = factor * philox::normal(stream_, first + static_cast<std::uint64_t>(x));
    return m;
  }

  const LayerErrorOptions& options_;
  philox::Stream stream_;
};

// Scales rows to a root mean square of 1; rows of zeros, and rows with squares that overflow, stay
// unchanged.
void scaleRows(Matrix<double>& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    double squares = 0;
    for (Index c = 0; c < x.cols(); ++c)
      squares += x(i, c) * x(i, c);
    const double size = std::sqrt(squares / static_cast<double>(x.cols()));
    for (Index c = 0; size > 0 && std::isfinite(size) && c < x.cols(); ++c)
      x(i, c) /= size;
  }
}

Matrix<double> product(const Matrix<double>& x, const Matrix<double>& w) {
  Matrix<double> out(x.rows(), w.cols());
  multiply(x.view(), w.view(), out.view());
  return out;
}

// X after the layer; `attend` takes q, k and v.
template <class Attend>
Matrix<double> behind(const LayerWeights& w, const Matrix<double>& x, Attend attend) {
  Matrix<double> next = attend(product(x, w.q), product(x, w.k), product(x, w.v));
  for (Index at = 0; at < next.rows() * next.cols(); ++at)
    next.data()[at] += x.data()[at];
  scaleRows(next);
  return next;
}

// +∞ where the estimate is not finite.
double relativeError(const Matrix<double>& estimate, const Matrix<double>& exact) {
  double gap = 0;
  double size = 0;
  for (std::size_t x = 0; x < exact.values().size(); ++x) {
    const double off = estimate.values()[x] - exact.values()[x];
    gap += off * off;
    size += exact.values()[x] * exact.values()[x];
  }
  const double error = std::sqrt(gap / size);
  return std::isfinite(error) ? error : kInfinity;
}

// Errors after one layer of an estimate.
struct LayerError {
  double error = 0;
  Index flaggedRows = 0;
};

// The stack that uses a curve's estimate as its attention.
class Estimate {
public:
  Estimate(const LayerErrorOptions& options, const Estimator& curve, Index repeat,
           Matrix<double> input, const Run& run)
      : causal_(options.causal), features_{curve.map, options.stabilize, options.eps, {}},
        x_(std::move(input)) {
    const Projection projection{curve.projection, curve.norms, options.projections, options.d,
                                projectionSeed(options.drawn, repeat)};
    w_ = stoppable([projection] { return drawProjection(projection); }, run);
  }

  // Errors after one more layer. Once an estimate is not finite, neither are those of later layers.
  LayerError errorBehind(const LayerWeights& weights, const Matrix<double>& exact, const Run& run) {
    if (std::isinf(last_.error))
      return {last_.error, x_.rows()};
    x_ = behind(weights, x_, [&](const auto& q, const auto& k, const auto& v) {
      auto result = featureAttention<double>(q.view(), k.view(), v.view(), w_, features_,
                                             {causal_, true, 1}, run);
      last_.flaggedRows = static_cast<Index>(result.flagged().size());
      return std::move(result.out);
    });
    last_.error = relativeError(x_, exact);
    return last_;
  }

private:
  bool causal_;
  FeatureOptions features_;
  Matrix<double> w_; // of all layers
  Matrix<double> x_;
  LayerError last_;
};

// Of one repeat, by layer and curve.
std::vector<LayerError> errorsOf(const LayerErrorOptions& options, Index repeat, const Run& run) {
  const Draw draw(options, repeat);
  Matrix<double> exact = draw.input();
  scaleRows(exact);
  std::vector<Estimate> estimates;
  for (const Estimator& curve : options.curves)
    estimates.emplace_back(options, curve, repeat, exact, run);
  const double scale = 1 / std::sqrt(static_cast<double>(options.d));
  std::vector<LayerError> errors;
  for (Index layer = 0; layer < options.layers; ++layer) {
    const LayerWeights weights = draw.layer(layer);
    exact = behind(weights, exact, [&](const auto& q, const auto& k, const auto& v) {
      return denseSoftmax(q.view(), k.view(), v.view(), {{scale}, options.causal, 1}, run).out;
    });
    for (Estimate& estimate : estimates)
      errors.push_back(estimate.errorBehind(weights, exact, run));
  }
  return errors;
}

void requireAtLeastOne(const char* name, Index value) {
  if (value < 1)
    throwRange(name, std::to_string(value), "an integer of at least 1");
}

void check(const LayerErrorOptions& options) {
  requireAtLeastOne("layers", options.layers);
  requireAtLeastOne("repeats", options.repeats);
  requireAtLeastOne("m", options.projections);
  requireAtLeastOne("n", options.n);
  requireAtLeastOne("d", options.d);
  if (!std::isfinite(options.sigma))
    throw Error(ErrorCode::NonFinite, "sigma", "sigma is not finite; it must be a finite number");
  checkEps(options.eps);
  checkCurves(options.curves);
  requireSmallStack(options);
}

} // namespace

std::vector<LayerErrorRow> layerErrors(const LayerErrorOptions& options, const Run& run) {
  check(options);
  std::vector<std::vector<LayerError>> repeats(static_cast<std::size_t>(options.repeats));
  parallelFor(options.repeats, options.threads, run, [&](Index r) {
    repeats[static_cast<std::size_t>(r)] = errorsOf(options, r, run.quiet());
  });
  const std::size_t curves = options.curves.size();
  std::vector<LayerErrorRow> rows;
  for (std::size_t c = 0; c < curves; ++c)
    for (Index layer = 1; layer <= options.layers; ++layer) {
      LayerErrorRow row{options.curves[c], layer, {}, {}, 0};
      for (const auto& repeat : repeats) {
        const LayerError& of = repeat[static_cast<std::size_t>(layer - 1) * curves + c];
        row.errors.push_back(of.error);
        row.flaggedRows += of.flaggedRows;
      }
      row.error = spreadOf(row.errors);
      rows.push_back(std::move(row));
    }
  return rows;
}

} // namespace attention
