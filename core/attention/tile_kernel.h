// The computation of one tile: scores S = Q Kᵀ by dense products over pieces of the key line, a
// running maximum and sum a row (online softmax), and O += exp(S − m) V. What a row does not see is
// computed with the rest and set to exactly zero.
#pragma once

#include "core/attention/tile_plan.h"
#include "core/support/matrix.h"

#include <vector>

namespace attention {

// What the rows have gathered so far: maximum of the scores, sum and weighted values relative to
// it. Rows of different blocks may be written by different threads.
struct SoftmaxState {
  Matrix<float> out;          // n_q × d_v, not yet divided by sum
  std::vector<float> maximum; // −∞ to begin with
  std::vector<float> sum;

  SoftmaxState(Index queries, Index dv);
};

struct TileInputs {
  MatrixView<const float> q;
  MatrixView<const float> k;
  MatrixView<const float> v;
  float scale = 1;
};

// Buffers of one thread's work on one block.
class TileKernel {
public:
  TileKernel(const TileInputs& inputs, Index mostRows);

  // Adds what the tile's rows see to their state.
  void add(const BlockRows& block, const Tile& tile, SoftmaxState& state);

private:
  void load(const BlockRows& block, const Tile& tile, const SoftmaxState& state);
  void store(const BlockRows& block, const Tile& tile, SoftmaxState& state) const;
  void addPiece(const Tile& tile, Index begin, const KeyLine::Piece& piece);
  bool anySees(const Tile& tile, Index begin, Index end);
  void scores(Index keys, MatrixView<const float> k);
  void softmaxRow(const Tile& tile, Index r, Index begin, Index end);
  void addValues(Index keys, MatrixView<const float> v);

  TileInputs inputs_;
  Index rows_ = 0;
  Matrix<float> q_;      // rows × d, scaled
  Matrix<float> keys_;   // gathered: piece × d
  Matrix<float> values_; // gathered: piece × d_v
  Matrix<float> scores_; // rows × piece
  Matrix<float> out_;    // rows × d_v
  std::vector<float> maximum_;
  std::vector<float> sum_;
  std::vector<std::size_t> cursor_; // the first interval of every row that is not wholly behind
};

} // namespace attention
