#include "core/attention/features/projection.h"

#include "core/support/error.h"
#include "core/support/philox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace attention {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"iid", "orthogonal"};
constexpr std::array<std::string_view, 2> kNorms{"chi", "sqrt_d"};

template <class Enum>
Enum named(std::string_view name, const char* subject, const std::array<std::string_view, 2>& all) {
  const auto at = std::find(all.begin(), all.end(), name);
  if (at == all.end())
    throwRange(subject, "\"" + std::string(name) + "\"",
               std::string(all[0]) + " or " + std::string(all[1]));
  return static_cast<Enum>(at - all.begin());
}

// rows × cols normal numbers of a stream, from number 0.
Matrix<double> normals(const philox::Stream& stream, Index rows, Index cols) {
  Matrix<double> m(rows, cols);
  for (Index i = 0; i < rows * cols; ++i)
    m.data()[i] = philox::normal(stream, static_cast<std::uint64_t>(i));
  return m;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Row r minus its components along the earlier rows, twice for orthogonality to the last digit,
// then scaled to length 1. Its product with its original stays positive, so the sign is kept.
void orthonormalise(MatrixView<double> m, Index r) {
  const std::span<double> row = m.row(r);
  for (int pass = 0; pass < 2; ++pass)
    for (Index u = 0; u < r; ++u) {
      const double along = dot(m.row(u), row);
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] -= along * m(u, static_cast<Index>(c));
    }
  const double length = std::sqrt(dot(row, row));
  for (double& x : row)
    x /= length;
}

Matrix<double> orthogonalRows(const Projection& p) {
  Matrix<double> all(p.rows, p.d);
  for (Index begin = 0; begin < p.rows; begin += p.d) {
    const Index count = std::min(p.d, p.rows - begin);
    const auto sub = static_cast<std::uint32_t>(begin / p.d);
    Matrix<double> block = normals({p.seed, philox::Purpose::ProjectionBlocks, sub}, count, p.d);
    for (Index r = 0; r < count; ++r)
      orthonormalise(block.view(), r);
    std::copy(block.values().begin(), block.values().end(), &all(begin, 0));
  }
  return all;
}

void scaleRows(const Projection& p, Matrix<double>& rows) {
  const philox::Stream stream{p.seed, philox::Purpose::ProjectionNorms, 0};
  const Matrix<double> lengths =
      p.norms == Norms::Chi ? normals(stream, p.rows, p.d) : Matrix<double>();
  for (Index a = 0; a < p.rows; ++a) {
    const double length = p.norms == Norms::Chi
                              ? std::sqrt(dot(lengths.view().row(a), lengths.view().row(a)))
                              : std::sqrt(static_cast<double>(p.d));
    for (double& x : rows.view().row(a))
      x *= length;
  }
}

constexpr Index kMostDrawn = Index{1} << 28; // 2 GiB

void check(const Projection& p) {
  if (p.rows < 1)
    throwRange("m", std::to_string(p.rows), "an integer of at least 1");
  if (p.d < 1)
    throwRange("d", std::to_string(p.d), "an integer of at least 1");
  if (p.rows > kMostDrawn / p.d)
    throwRange("m", std::to_string(p.rows),
               "at most " + std::to_string(kMostDrawn / p.d) + " where d is " +
                   std::to_string(p.d) + " (projections may have at most 2^28 entries)");
}

} // namespace

std::string_view name(ProjectionKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string_view name(Norms norms) {
  return kNorms[static_cast<std::size_t>(norms)];
}

ProjectionKind projectionNamed(std::string_view name) {
  return named<ProjectionKind>(name, "projection", kKinds);
}

Norms normsNamed(std::string_view name) {
  return named<Norms>(name, "norms", kNorms);
}

Index defaultProjections(Index d) {
  const auto x = static_cast<double>(d);
  return std::max<Index>(1, static_cast<Index>(std::ceil(x * std::log(x))));
}

Matrix<double> drawProjection(const Projection& projection) {
  check(projection);
  if (projection.kind == ProjectionKind::Iid)
    return normals({projection.seed, philox::Purpose::ProjectionBlocks, 0}, projection.rows,
                   projection.d);
  Matrix<double> rows = orthogonalRows(projection);
  scaleRows(projection, rows);
  return rows;
}

Projection redrawn(Projection projection) {
  ++projection.seed;
  return projection;
}

} // namespace attention
