#include "core/attention/tile_kernel.h"

#include "core/attention/exp.h"

#include <Eigen/Core>

#include <algorithm>
#include <limits>

namespace attention {
namespace {

constexpr Index kPieceKeys = 128;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>>;
using Map = Eigen::Map<RowMajor, 0, Eigen::OuterStride<>>;

ConstMap mapped(MatrixView<const float> m) {
  return {m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride)};
}

Map mapped(Matrix<float>& m, Index rows, Index cols) {
  return {m.data(), rows, cols, Eigen::OuterStride<>(m.cols())};
}

float largest(std::span<const float> x) {
  return Eigen::Map<const Eigen::ArrayXf>(x.data(), static_cast<Index>(x.size())).maxCoeff();
}

// Replaces x by exp(x − shift) and returns the sum.
float exponentiate(std::span<float> x, float shift) {
  for (float& value : x)
    value = expOfNegative(value - shift);
  return Eigen::Map<const Eigen::ArrayXf>(x.data(), static_cast<Index>(x.size())).sum();
}

// Copies the runs of `line` within [begin, end) into the first rows of `to`.
void gather(const KeyLine& line, Index begin, Index end, MatrixView<const float> from,
            Matrix<float>& to) {
  if (from.cols == 0)
    return;
  line.forEachRun(begin, end, [&](Index key, Index position, Index length) {
    for (Index r = 0; r < length; ++r)
      std::copy_n(from.data + (key + r) * from.stride, from.cols, &to(position - begin + r, 0));
  });
}

MatrixView<const float> rowsOf(MatrixView<const float> m, Index first, Index count) {
  return {m.data + first * m.stride, count, m.cols, m.stride};
}

} // namespace

SoftmaxState::SoftmaxState(Index queries, Index dv)
    : out(queries, dv), maximum(static_cast<std::size_t>(queries), kMinusInfinity),
      sum(static_cast<std::size_t>(queries), 0.0F) {}

TileKernel::TileKernel(const TileInputs& inputs, Index mostRows)
    : inputs_(inputs), q_(mostRows, inputs.q.cols), keys_(kPieceKeys, inputs.k.cols),
      values_(kPieceKeys, inputs.v.cols), scores_(mostRows, kPieceKeys),
      out_(mostRows, inputs.v.cols), maximum_(static_cast<std::size_t>(mostRows)),
      sum_(static_cast<std::size_t>(mostRows)), cursor_(static_cast<std::size_t>(mostRows)) {}

void TileKernel::add(const BlockRows& block, const Tile& tile, SoftmaxState& state) {
  load(block, tile, state);
  for (Index t = 0; t < tile.line.size();) {
    const KeyLine::Piece piece = tile.line.pieceAt(t, kPieceKeys);
    if (anySees(tile, t, piece.end))
      addPiece(tile, t, piece);
    t = piece.end;
  }
  store(block, tile, state);
}

void TileKernel::load(const BlockRows& block, const Tile& tile, const SoftmaxState& state) {
  rows_ = tile.rowEnd - tile.rowBegin;
  for (Index r = 0; r < rows_; ++r) {
    const Index i = block.query(tile.rowBegin + r);
    const auto k = static_cast<std::size_t>(r);
    const std::span<const float> q = inputs_.q.row(i);
    for (Index c = 0; c < inputs_.q.cols; ++c)
      q_(r, c) = q[static_cast<std::size_t>(c)] * inputs_.scale;
    for (Index c = 0; c < out_.cols(); ++c)
      out_(r, c) = state.out(i, c);
    maximum_[k] = state.maximum[static_cast<std::size_t>(i)];
    sum_[k] = state.sum[static_cast<std::size_t>(i)];
    cursor_[k] = 0;
  }
}

void TileKernel::store(const BlockRows& block, const Tile& tile, SoftmaxState& state) const {
  for (Index r = 0; r < rows_; ++r) {
    const Index i = block.query(tile.rowBegin + r);
    const auto k = static_cast<std::size_t>(r);
    for (Index c = 0; c < out_.cols(); ++c)
      state.out(i, c) = out_(r, c);
    state.maximum[static_cast<std::size_t>(i)] = maximum_[k];
    state.sum[static_cast<std::size_t>(i)] = sum_[k];
  }
}

bool TileKernel::anySees(const Tile& tile, Index begin, Index end) {
  bool any = false;
  for (Index r = 0; r < rows_; ++r) {
    const std::span<const Interval> row = tile.row(r);
    std::size_t& at = cursor_[static_cast<std::size_t>(r)];
    while (at < row.size() && row[at].end <= begin)
      ++at;
    any = any || (at < row.size() && row[at].begin < end);
  }
  return any;
}

void TileKernel::addPiece(const Tile& tile, Index begin, const KeyLine::Piece& piece) {
  const Index keys = piece.end - begin;
  const bool direct = piece.firstKey >= 0;
  if (!direct) {
    gather(tile.line, begin, piece.end, inputs_.k, keys_);
    gather(tile.line, begin, piece.end, inputs_.v, values_);
  }
  scores(keys, direct ? rowsOf(inputs_.k, piece.firstKey, keys)
                      : MatrixView<const float>{keys_.data(), keys, keys_.cols(), keys_.cols()});
  for (Index r = 0; r < rows_; ++r)
    softmaxRow(tile, r, begin, piece.end);
  addValues(keys,
            direct ? rowsOf(inputs_.v, piece.firstKey, keys)
                   : MatrixView<const float>{values_.data(), keys, values_.cols(), values_.cols()});
}

// S = Q Kᵀ: einsum("rd,td->rt", q, k).
void TileKernel::scores(Index keys, MatrixView<const float> k) {
  mapped(scores_, rows_, keys).noalias() = mapped(q_, rows_, q_.cols()) * mapped(k).transpose();
}

// Turns row r of the scores at positions [begin, end) into exp(s − m) where the row sees, into zero
// where it does not, and takes maximum, sum and values to the new maximum m.
void TileKernel::softmaxRow(const Tile& tile, Index r, Index begin, Index end) {
  const auto k = static_cast<std::size_t>(r);
  const std::span<const Interval> row = tile.row(r);
  const std::span<float> s(&scores_(r, 0), static_cast<std::size_t>(end - begin));
  const auto seen = [&](const Interval& x) {
    const Index first = std::max(x.begin, begin);
    return s.subspan(static_cast<std::size_t>(first - begin),
                     static_cast<std::size_t>(std::min(x.end, end) - first));
  };
  float maximum = maximum_[k];
  for (std::size_t at = cursor_[k]; at < row.size() && row[at].begin < end; ++at)
    maximum = std::max(maximum, largest(seen(row[at])));
  if (maximum > maximum_[k]) {
    const float factor = expOfNegative(maximum_[k] - maximum);
    sum_[k] *= factor;
    for (Index c = 0; c < out_.cols(); ++c)
      out_(r, c) *= factor;
    maximum_[k] = maximum;
  }
  auto hidden = s.begin(); // what lies between the visible stretches
  for (std::size_t at = cursor_[k]; at < row.size() && row[at].begin < end; ++at) {
    const std::span<float> x = seen(row[at]);
    std::fill(hidden, x.begin(), 0.0F);
    sum_[k] += exponentiate(x, maximum);
    hidden = x.end();
  }
  std::fill(hidden, s.end(), 0.0F);
}

// O += P V: einsum("rt,tv->rv", p, v).
void TileKernel::addValues(Index keys, MatrixView<const float> v) {
  if (v.cols > 0)
    mapped(out_, rows_, v.cols).noalias() += mapped(scores_, rows_, keys) * mapped(v);
}

} // namespace attention
