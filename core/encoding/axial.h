// Axial positional encodings (S11; Ho et al. 2019, Reformer): positions 0 … n − 1 laid out on a
// grid of l1 × l2 cells, each encoding made of a row of E1 (l1 × d1) beside a row of E2 (l2 × d2).
// So l1 d1 + l2 d2 parameters stand for l1 l2 (d1 + d2).
//
//   docs   E[j] = [E1[j mod l1], E2[⌊j / l1⌋]]     Hugging Face's documentation
//   code   E[j] = [E1[⌊j / l2⌋], E2[j mod l2]]     its AxialPositionEmbeddings, and trax
//
// Each is the other with (l1, d1) and (l2, d2) exchanged and the two halves swapped. All rows are
// distinct if and only if the rows of E1 are and the rows of E2 are.
#pragma once

#include "core/support/matrix.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace attention {

enum class AxialReading { Docs, Code };

std::string_view name(AxialReading reading);           // "docs", "code"
AxialReading axialReadingNamed(std::string_view name); // E_RANGE

struct AxialShape {
  Index l1 = 64;
  Index l2 = 64;
  Index d1 = 64; // the defaults are Hugging Face's
  Index d2 = 192;
  std::optional<Index> n; // l1 l2 where not given
  std::optional<Index> d; // the model's width; d1 + d2 where not given
  AxialReading reading = AxialReading::Docs;
  bool truncate = false; // n below l1 l2 takes the first n rows

  Index length() const { return n.value_or(l1 * l2); }
  Index width() const { return d1 + d2; }
};

// E_RANGE: a length or width below 1 or above 2^30, l1 l2 ≠ n (truncate: below n), d1 + d2 ≠ d;
// E_N: n < 1.
void check(const AxialShape& shape);

// The rows of E1 and E2 that position j uses. O(1).
std::pair<Index, Index> axialRows(const AxialShape& shape, Index j);

// The position that uses these rows: the inverse. O(1).
Index axialPosition(const AxialShape& shape, Index row1, Index row2);

// The positions below length() that use that row of E1, or of E2, ascending. O(l2), O(l1).
std::vector<Index> positionsOfRow1(const AxialShape& shape, Index row);
std::vector<Index> positionsOfRow2(const AxialShape& shape, Index row);

// The encoding of position j: width() numbers. Tables as below, which are not checked here.
template <class To, class From>
void axialRow(const AxialShape& shape, MatrixView<const From> e1, MatrixView<const From> e2,
              Index j, To* row) {
  const auto [a, b] = axialRows(shape, j);
  for (const std::span<const From>& part : {e1.row(a), e2.row(b)})
    for (const From x : part)
      *row++ = static_cast<To>(x);
}

// n × (d1 + d2). E_SHAPE where the tables are not l1 × d1 and l2 × d2; E_NONFINITE. O(n d).
template <class T>
Matrix<T> axialEncoding(const AxialShape& shape, MatrixView<const T> e1, MatrixView<const T> e2);

// Numbers of parameters to learn.
struct AxialParameters {
  Index axial = 0; // l1 d1 + l2 d2
  Index full = 0;  // l1 l2 (d1 + d2): a table with one row per position
};
AxialParameters axialParameters(const AxialShape& shape);

// Whether no two rows are equal: checked on each table. O(l d log l).
template <class T>
bool rowsDistinct(MatrixView<const T> table);

} // namespace attention
