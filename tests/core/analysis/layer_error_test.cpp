// Errors over a stack of layers: where they vanish, how they fall, and against a stack by hand.
#include "core/analysis/layer_error.h"
#include "core/support/philox.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace attention;

namespace {

LayerErrorOptions small() {
  LayerErrorOptions options;
  options.projections = 16;
  options.layers = 3;
  options.n = 24;
  options.d = 4;
  options.repeats = 5;
  return options;
}

using Rows = std::vector<std::vector<double>>;

Rows drawn(const LayerErrorOptions& options, Index repeat, Index rows, std::uint64_t first) {
  const philox::Stream stream{options.seed, philox::Purpose::Data,
                              (std::uint32_t{1} << 29) + static_cast<std::uint32_t>(repeat)};
  Rows made(static_cast<std::size_t>(rows));
  for (auto& row : made)
    for (Index c = 0; c < options.d; ++c)
      row.push_back(philox::normal(stream, first++));
  return made;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void toUnitMeanSquare(Rows& rows) {
  for (auto& row : rows) {
    const double size = std::sqrt(dot(row, row) / static_cast<double>(row.size()));
    for (double& x : row)
      x /= size;
  }
}

Rows times(const Rows& x, const Rows& w, double factor) {
  Rows out;
  for (const auto& row : x) {
    out.emplace_back(w.front().size(), 0.0);
    for (std::size_t t = 0; t < w.size(); ++t)
      for (std::size_t c = 0; c < w[t].size(); ++c)
        out.back()[c] += factor * row[t] * w[t][c];
  }
  return out;
}

// Causal attention whose unnormalised weight of j for i is `kernel`, added to x.
Rows behind(const Rows& x, const Rows& v, const std::function<double(Index, Index)>& kernel) {
  Rows next = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = 0;
    std::vector<double> out(v[i].size(), 0.0);
    for (std::size_t j = 0; j <= i; ++j) {
      const double weight = kernel(static_cast<Index>(i), static_cast<Index>(j));
      sum += weight;
      for (std::size_t c = 0; c < out.size(); ++c)
        out[c] += weight * v[j][c];
    }
    for (std::size_t c = 0; c < out.size(); ++c)
      next[i][c] += out[c] / sum;
  }
  toUnitMeanSquare(next);
  return next;
}

// Of the options' one curve, causal positive features: the definition, term by term.
std::vector<double> plainErrors(const LayerErrorOptions& options, Index repeat) {
  const Matrix<double> w = drawProjection(
      {options.curves.front().projection, options.curves.front().norms, options.projections,
       options.d, options.drawn + 1000 + static_cast<std::uint64_t>(repeat)});
  const double root = std::sqrt(static_cast<double>(options.d));
  // φ(q)·φ(k) m, with φ of q and k over d^¼.
  const auto features = [&](const std::vector<double>& q, const std::vector<double>& k) {
    double sum = 0;
    for (Index p = 0; p < options.projections; ++p) {
      double along = 0;
      for (Index c = 0; c < options.d; ++c)
        along += w(p, c) * (q[static_cast<std::size_t>(c)] + k[static_cast<std::size_t>(c)]);
      sum += std::exp(along / std::sqrt(root) - (dot(q, q) + dot(k, k)) / (2 * root));
    }
    return sum;
  };
  Rows exact = drawn(options, repeat, options.n, 0);
  toUnitMeanSquare(exact);
  Rows estimate = exact;
  std::vector<double> errors;
  const auto size = static_cast<std::uint64_t>(options.d * options.d);
  for (std::uint64_t layer = 0; layer < static_cast<std::uint64_t>(options.layers); ++layer) {
    const auto weights = [&](std::uint64_t which) {
      return drawn(options, repeat, options.d,
                   (std::uint64_t{1} << 48) + (3 * layer + which) * size);
    };
    const auto step = [&](const Rows& x, const auto& kernel) {
      const Rows q = times(x, weights(0), options.sigma / root);
      const Rows k = times(x, weights(1), options.sigma / root);
      return behind(x, times(x, weights(2), 1 / root), [&](Index i, Index j) {
        return kernel(q[static_cast<std::size_t>(i)], k[static_cast<std::size_t>(j)]);
      });
    };
    exact = step(exact, [&](const auto& q, const auto& k) { return std::exp(dot(q, k) / root); });
    estimate = step(estimate, features);
    double gap = 0;
    double all = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      for (std::size_t c = 0; c < exact[i].size(); ++c) {
        gap += (estimate[i][c] - exact[i][c]) * (estimate[i][c] - exact[i][c]);
        all += exact[i][c] * exact[i][c];
      }
    errors.push_back(std::sqrt(gap / all));
  }
  return errors;
}

const LayerErrorRow& rowOf(const std::vector<LayerErrorRow>& rows, FeatureMap map, Index layer) {
  for (const LayerErrorRow& row : rows)
    if (row.curve.map == map && row.curve.projection == ProjectionKind::Orthogonal &&
        row.layer == layer)
      return row;
  FAIL("no such row");
  return rows.front();
}

} // namespace

TEST_CASE("A stack has a row for each curve and layer, in order") {
  const LayerErrorOptions options = small();
  const auto rows = layerErrors(options);
  REQUIRE(rows.size() == 3 * options.curves.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(rows[k].curve == options.curves[k / 3]);
    CHECK(rows[k].layer == static_cast<Index>(k % 3) + 1);
    REQUIRE(rows[k].errors.size() == 5);
    CHECK(rows[k].error.median == spreadOf(rows[k].errors).median);
  }
}

TEST_CASE("Features of queries and keys that are zero are exact in every layer") {
  LayerErrorOptions options = small();
  options.sigma = 0; // attention is the mean of the values
  options.causal = GENERATE(false, true);
  for (const LayerErrorRow& row : layerErrors(options))
    for (const double error : row.errors)
      CHECK(error < 1e-12);
}

TEST_CASE("More projections give smaller errors after every layer") {
  LayerErrorOptions few = small();
  few.repeats = 15;
  few.projections = 4;
  LayerErrorOptions many = few;
  many.projections = 256;
  const auto worse = layerErrors(few);
  const auto better = layerErrors(many);
  for (std::size_t k = 0; k < worse.size(); ++k)
    CHECK(better[k].error.median < 0.5 * worse[k].error.median);
}

TEST_CASE("Errors over layers are the same bits at any number of threads") {
  LayerErrorOptions one = small();
  one.threads = 1;
  LayerErrorOptions three = small();
  three.threads = 3;
  const auto first = layerErrors(one);
  const auto second = layerErrors(three);
  for (std::size_t k = 0; k < first.size(); ++k)
    CHECK(first[k].errors == second[k].errors);
}

TEST_CASE("Other projections change the errors; a deeper stack keeps those of its first layers") {
  const auto rows = layerErrors(small());
  LayerErrorOptions deeper = small();
  deeper.layers = 5;
  LayerErrorOptions redrawn = small();
  redrawn.drawn = 1;
  const auto more = layerErrors(deeper);
  const auto other = layerErrors(redrawn);
  for (Index layer = 1; layer <= 3; ++layer) {
    const LayerErrorRow& row = rowOf(rows, FeatureMap::Positive, layer);
    CHECK(rowOf(more, FeatureMap::Positive, layer).errors == row.errors);
    CHECK(rowOf(other, FeatureMap::Positive, layer).errors != row.errors);
  }
  // Repeat r of one seed has the projections of repeat r − 1 of the next.
  CHECK(projectionSeed(7, 3) == projectionSeed(8, 2));
}

TEST_CASE("A causal stack with positive features agrees with plain loops") {
  LayerErrorOptions options = small();
  options.layers = 2;
  options.repeats = 2;
  options.seed = 4;
  options.drawn = 6;
  options.causal = true;
  options.curves = {{FeatureMap::Positive, ProjectionKind::Iid, Norms::Chi}};
  const auto rows = layerErrors(options);
  for (Index repeat = 0; repeat < 2; ++repeat) {
    const std::vector<double> plain = plainErrors(options, repeat);
    for (std::size_t layer = 0; layer < 2; ++layer)
      CHECK(rows[layer].errors[static_cast<std::size_t>(repeat)] ==
            Approx(plain[layer]).epsilon(1e-9));
  }
}

TEST_CASE("A layer of one token with one dimension has the value worked out by hand") {
  // Attention of a single token returns its value whatever the features are: x + v, scaled to 1.
  LayerErrorOptions options = small();
  options.n = 1;
  options.d = 1;
  for (const LayerErrorRow& row : layerErrors(options))
    for (const double error : row.errors)
      CHECK(error < 1e-12);
}

TEST_CASE("Features that overflow leave an infinite error and no wrong number") {
  LayerErrorOptions options = small();
  options.sigma = 1e3; // trig's factor e^h overflows
  options.curves = {{FeatureMap::Trig, ProjectionKind::Iid, Norms::Chi}};
  for (const LayerErrorRow& row : layerErrors(options)) {
    for (const double error : row.errors)
      CHECK(std::isinf(error));
    CHECK(row.flaggedRows == options.n * options.repeats);
  }
}

TEST_CASE("Features that underflow leave the input and have their rows flagged") {
  LayerErrorOptions options = small();
  options.curves = {{FeatureMap::Positive, ProjectionKind::Iid, Norms::Chi},
                    {FeatureMap::Hyperbolic, ProjectionKind::Iid, Norms::Chi}};
  for (const LayerErrorRow& row : layerErrors(options))
    CHECK(row.flaggedRows == 0); // sums of positive numbers
  options.sigma = 1e3;
  for (const LayerErrorRow& row : layerErrors(options)) {
    for (const double error : row.errors)
      CHECK(std::isfinite(error));
    CHECK(row.flaggedRows == options.n * options.repeats);
  }
}

TEST_CASE("A stack without layers or curves or with numbers out of range is refused") {
  const auto refused = [](auto change) {
    LayerErrorOptions options = small();
    change(options);
    return codeAndSubject([&] { layerErrors(options); });
  };
  CHECK(refused([](auto& o) { o.layers = 0; }) == "E_RANGE layers");
  CHECK(refused([](auto& o) { o.repeats = 0; }) == "E_RANGE repeats");
  CHECK(refused([](auto& o) { o.projections = 0; }) == "E_RANGE m");
  CHECK(refused([](auto& o) { o.repeats = 1 << 20, o.n = 1 << 20; }) == "E_RANGE repeats");
  CHECK(refused([](auto& o) { o.layers = Index{1} << 40; }) == "E_RANGE layers");
  CHECK(refused([](auto& o) { o.d = 1 << 13; }) == "E_RANGE d");
  CHECK(refused([](auto& o) { o.projections = Index{1} << 30; }) == "E_RANGE m");
  CHECK(refused([](auto& o) { o.sigma = std::numeric_limits<double>::infinity(); }) ==
        "E_NONFINITE sigma");
  CHECK(refused([](auto& o) { o.eps = std::nan(""); }) == "E_NONFINITE eps");
  CHECK(refused([](auto& o) { o.eps = -1; }) == "E_RANGE eps");
  CHECK(refused([](auto& o) { o.curves.clear(); }) == "E_RANGE features");
  CHECK(refused([](auto& o) { o.curves.front().map = FeatureMap::Elu1; }) == "E_RANGE features");
}
