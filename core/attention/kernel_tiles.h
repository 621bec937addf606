// Kernel attention by explicit rows: blocks of neighbouring queries over tiles of the pattern, as
// softmax attention takes them, but without a running maximum, since A itself is wanted.
#pragma once

#include "core/attention/kernel.h"
#include "core/attention/tile_plan.h"

#include <vector>

namespace attention {

// Adds A [V 1] of the rows of one block to `sums`. One object a thread.
template <class T>
class KernelTiles {
public:
  // v1: n_k × (d_v + 1).
  KernelTiles(Kernel kernel, MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v1);

  void add(const BlockRows& block, const Tile& tile, MatrixView<T> sums);

private:
  void addPiece(const Tile& tile, Index begin, const KeyLine::Piece& piece);
  // Kernel values of the tile's rows with `keys` keys, in values_.
  void evaluate(MatrixView<const T> keys);
  void evaluateRow(Index r, MatrixView<const T> keys);
  void hide(const Tile& tile, Index begin, Index end);
  MatrixView<const T> gathered(const KeyLine& line, Index begin, Index end,
                               MatrixView<const T> from, Matrix<T>& room);

  Kernel kernel_;
  MatrixView<const T> q_, k_, v1_;
  Index rows_ = 0;
  Matrix<T> queries_;  // of the tile, mapped by φ where the kernel has one
  Matrix<T> keys_;     // of the piece, the same
  Matrix<T> gathered_; // [V 1] of the piece
  Matrix<T> values_;   // A of the piece
  Matrix<T> out_;      // of the tile's rows
};

} // namespace attention
