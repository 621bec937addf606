#include "tests/core/model/twins/plain_forward.h"

#include "core/pattern/prepared.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace attention::test {
namespace {

using Rows = Matrix<double>;

class PlainForward {
public:
  PlainForward(const Model& model, std::span<const Index> ids)
      : m_(model), ids_(ids), n_(std::ssize(ids)) {}

  Rows run() const {
    Rows x = embedded();
    for (const ModelLayer& layer : m_.layers)
      x = layerOf(layer, x);
    x = normed(m_.finalNorm, x);
    if (m_.encoder)
      return x;
    Rows z = product(m_.logits, x);
    for (Index i = 0; m_.logitCap && i < n_; ++i)
      for (double& value : z.view().row(i))
        value = *m_.logitCap * std::tanh(value / *m_.logitCap);
    return z;
  }

private:
  Rows embedded() const {
    Rows x(n_, m_.width);
    std::vector<float> row(static_cast<std::size_t>(m_.width));
    for (Index i = 0; i < n_; ++i) {
      readRow(m_.embedding, ids_[static_cast<std::size_t>(i)], row);
      for (Index c = 0; c < m_.width; ++c)
        x(i, c) =
            at(row, c) * m_.embeddingFactor + (m_.tokenType.empty() ? 0 : at(m_.tokenType, c));
      if (m_.positions.empty())
        continue;
      readRow(m_.positions, i, row);
      for (Index c = 0; c < m_.width; ++c)
        x(i, c) += at(row, c);
    }
    return normed(m_.embeddingNorm, x);
  }

  Rows layerOf(const ModelLayer& layer, const Rows& x) const {
    const BlockNorms& first = layer.attentionNorms;
    const BlockNorms& second = layer.feedForwardNorms;
    if (m_.afterSum) {
      const Rows y = normed(first.after, sum(x, attended(layer, x)));
      return normed(second.after, sum(y, fedForward(layer, y)));
    }
    const Rows y = sum(x, normed(first.after, attended(layer, normed(first.before, x))));
    const Rows& base = m_.parallelBlocks ? x : y;
    return sum(y, normed(second.after, fedForward(layer, normed(second.before, base))));
  }

  Rows attended(const ModelLayer& layer, const Rows& x) const {
    const Rows q = turned(layer, layer.queryNorm, product(layer.query, x), m_.heads);
    const Rows k = turned(layer, layer.keyNorm, product(layer.key, x), m_.kvHeads);
    const Rows v = product(layer.value, x);
    const auto mask = prepare(layer.pattern, Lengths{n_, n_});
    Rows out(n_, m_.heads * m_.headWidth);
    for (Index h = 0; h < m_.heads; ++h)
      for (Index i = 0; i < n_; ++i)
        attendRow(layer, *mask, {q, k, v}, h, i, out);
    return product(layer.output, out);
  }

  struct Heads {
    const Rows& q;
    const Rows& k;
    const Rows& v;
  };

  void attendRow(const ModelLayer& layer, const Prepared& mask, const Heads& heads, Index h,
                 Index i, Rows& out) const {
    const Index d = m_.headWidth;
    const Index from = h * d;
    const Index keys = h / (m_.heads / m_.kvHeads) * d;
    double total = 0;
    for (Index j = 0; j < n_; ++j) {
      if (!mask.contains(i, j))
        continue;
      double score = 0;
      for (Index c = 0; c < d; ++c)
        score += heads.q(i, from + c) * heads.k(j, keys + c);
      score *= *layer.modifiers.scale;
      if (const auto cap = layer.modifiers.softcap)
        score = *cap * std::tanh(score / *cap);
      const double weight = std::exp(score); // of small models: no maximum is needed
      total += weight;
      for (Index c = 0; c < d; ++c)
        out(i, from + c) += weight * heads.v(j, keys + c);
    }
    for (Index c = 0; c < d; ++c)
      out(i, from + c) /= total;
  }

  // In transformers' order of a head's numbers, normed and rotated.
  Rows turned(const ModelLayer& layer, const Norm& norm, const Rows& made, Index heads) const {
    const Index d = m_.headWidth;
    Rows x = made;
    for (Index i = 0; layer.pairedRows && i < n_; ++i)
      for (Index c = 0; c < heads * d; ++c) {
        const Index within = c % d;
        x(i, c) = made(i, c - within + (within < d / 2 ? 2 * within : 2 * within - d + 1));
      }
    const Index normWidth = std::ssize(norm.weight);
    for (Index i = 0; normWidth > 0 && i < n_; ++i)
      for (Index begin = 0; begin < heads * d; begin += normWidth)
        normalise(norm, x.view().row(i).subspan(static_cast<std::size_t>(begin),
                                                static_cast<std::size_t>(normWidth)));
    if (layer.rotation)
      for (Index i = 0; i < n_; ++i)
        for (Index h = 0; h < heads; ++h)
          rotate(*layer.rotation, i, x.view().row(i).subspan(static_cast<std::size_t>(h * d)));
    return x;
  }

  static void rotate(const Rotation& rotation, Index position, std::span<double> head) {
    const std::size_t half = rotation.frequencies.size();
    for (std::size_t c = 0; c < half; ++c) {
      const double angle = static_cast<double>(position) * rotation.frequencies[c];
      const double a = head[c];
      const double b = head[c + half];
      head[c] = (a * std::cos(angle) - b * std::sin(angle)) * rotation.factor;
      head[c + half] = (b * std::cos(angle) + a * std::sin(angle)) * rotation.factor;
    }
  }

  Rows fedForward(const ModelLayer& layer, const Rows& x) const {
    Rows up = product(layer.up, x);
    const Rows gate = layer.gate.empty() ? up : product(layer.gate, x);
    for (Index i = 0; i < up.rows(); ++i)
      for (Index c = 0; c < up.cols(); ++c)
        up(i, c) = activated(gate(i, c)) * (layer.gate.empty() ? 1 : up(i, c));
    return product(layer.down, up);
  }

  double activated(double x) const {
    switch (m_.activation) {
    case Activation::Silu:
      return x / (1 + std::exp(-x));
    case Activation::Gelu:
      return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
    case Activation::GeluTanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::Relu:
      return x > 0 ? x : 0;
    }
    return x;
  }

  Rows normed(const Norm& norm, Rows x) const {
    for (Index i = 0; !norm.empty() && i < n_; ++i)
      normalise(norm, x.view().row(i));
    return x;
  }

  void normalise(const Norm& norm, std::span<double> x) const {
    const auto width = static_cast<double>(x.size());
    double mean = 0;
    double square = 0;
    if (m_.normKind == NormKind::Layer)
      for (const double value : x)
        mean += value / width;
    for (const double value : x)
      square += (value - mean) * (value - mean) / width;
    for (std::size_t c = 0; c < x.size(); ++c)
      x[c] = (x[c] - mean) / std::sqrt(square + m_.normEpsilon) * norm.weight[c] +
             (norm.bias.empty() ? 0 : norm.bias[c]);
  }

  Rows product(const Linear& linear, const Rows& x) const {
    Rows y(n_, linear.weight.rows);
    std::vector<float> row(static_cast<std::size_t>(linear.weight.cols));
    for (Index r = 0; r < y.cols(); ++r) {
      readRow(linear.weight, r, row);
      for (Index i = 0; i < n_; ++i) {
        y(i, r) = linear.bias.empty() ? 0 : at(linear.bias, r);
        for (Index c = 0; c < x.cols(); ++c)
          y(i, r) += at(row, c) * x(i, c);
      }
    }
    return y;
  }

  static Rows sum(Rows a, const Rows& b) {
    for (Index i = 0; i < a.rows(); ++i)
      for (Index c = 0; c < a.cols(); ++c)
        a(i, c) += b(i, c);
    return a;
  }

  static double at(const std::vector<float>& values, Index i) {
    return static_cast<double>(values[static_cast<std::size_t>(i)]);
  }

  const Model& m_;
  std::span<const Index> ids_;
  Index n_;
};

} // namespace

Matrix<double> plainForward(const Model& model, std::span<const Index> ids) {
  return PlainForward(model, ids).run();
}

} // namespace attention::test
