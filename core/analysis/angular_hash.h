// Angular hashing in the plane (Kitaev et al. 2020, figure 1): what S6 does, made visible on
// two-dimensional points. A round turns the plane at random and reads off the signed axis nearest
// to a point; or, as in S6, it multiplies by a Gaussian matrix: its columns and their negatives cut
// the circle into sectors of different widths.
#pragma once

#include "core/support/integers.h"
#include "core/support/run.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attention {

enum class AngularDraw {
  Rotation, // by a uniform angle: four buckets, quarters of the circle
  Gaussian  // N(0, 1) entries, 2 × buckets / 2: the sectors differ from round to round
};

struct AngularOptions {
  AngularDraw draw = AngularDraw::Rotation;
  Index buckets = 4; // even; 4 with rotations
  Index rounds = 3;
  std::uint64_t seed = 0;
};
constexpr Index kMostAngularBuckets = 16;

// Angles from `from` to `to`, counter-clockwise in radians, 0 ≤ from < 2π, from < to ≤ from + 2π.
struct Sector {
  double from = 0;
  double to = 0;
  Index bucket = 0;
};

struct AngularRound {
  double turn = 0;             // the angle of the rotation; 0 with Gaussian matrices
  std::vector<Sector> sectors; // of the points before they are turned, ascending
  std::vector<Index> bucket;   // of every point
};

// Hashes the points at these angles on the unit circle by lshRounds. O(rounds · (points + buckets²)
// · buckets). E_RANGE names n_buckets, n_rounds.
std::vector<AngularRound> angularRounds(std::span<const double> angles,
                                        const AngularOptions& options, const Run& run = {});

// How often two points at an angle fall into one bucket, counted over all turns of the pair by
// whole steps of the circle and over `rounds` rounds.
struct SameBucket {
  double angle = 0; // between the points, 0 … π
  double share = 0; // of one round
};
std::vector<SameBucket> sameBucketShares(const AngularOptions& options, Index rounds,
                                         const Run& run = {});

// The same for rotations in closed form: max(0, 1 − 2 angle / π), 0 ≤ angle ≤ π.
double sameQuarter(double angle);
// The probability that it happens in at least one of `rounds` independent rounds: 1 − (1 −
// share)^rounds.
double atLeastOnce(double share, Index rounds);

} // namespace attention
