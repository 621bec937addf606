// The projections w_1 … w_v of random features (S7.3): rows of a v × d matrix, each by itself N(0,
// I_d).
//
//   iid         independent rows
//   orthogonal  blocks of d rows that are orthogonal to one another: Gram–Schmidt on the rows of a
//               d × d Gaussian matrix, each row's sign kept (raw QR is not uniform on the sphere
//               and makes one-sided features biased); the last block may be partial. Row lengths:
//               chi     those of Gaussian rows, so that each row stays N(0, I_d)
//               sqrt_d  all √d: the regularised kernel SMREG, a little below the softmax kernel
//
// Choromanski et al. 2021; Yu et al. 2016. Entries come from Philox (S9), so that a seed gives the
// same projections everywhere.
#pragma once

#include "core/support/matrix.h"

#include <cstdint>
#include <string_view>

namespace attention {

enum class ProjectionKind { Iid, Orthogonal };
enum class Norms { Chi, SqrtD }; // of orthogonal rows

std::string_view name(ProjectionKind kind); // "iid", "orthogonal"
std::string_view name(Norms norms);         // "chi", "sqrt_d"
// E_RANGE lists the known names.
ProjectionKind projectionNamed(std::string_view name);
Norms normsNamed(std::string_view name);

struct Projection {
  ProjectionKind kind = ProjectionKind::Orthogonal;
  Norms norms = Norms::Chi;
  Index rows = 1; // v
  Index d = 1;
  std::uint64_t seed = 0;
  bool operator==(const Projection&) const = default;
};

// max(1, ⌈d ln d⌉): where Theorem 4 begins to hold; a default, not a bound.
Index defaultProjections(Index d);

// v × d. E_RANGE: v or d below 1. O(v d), orthogonal O(v d²).
Matrix<double> drawProjection(const Projection& projection);

// A fresh, independent draw of the same kind: the next seed.
Projection redrawn(Projection projection);

} // namespace attention
