#include "core/analysis/angular_hash.h"

#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/lsh_rounds.h"
#include "core/support/error.h"
#include "core/support/philox.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace attention {
namespace {

constexpr double kCircle = 2 * std::numbers::pi;
constexpr Index kMostRounds = 4096;
constexpr Index kSteps = 120; // of the circle, where shares are counted

PatternData pointsAt(std::span<const double> angles) {
  Matrix<double> points(static_cast<Index>(angles.size()), 2);
  for (std::size_t k = 0; k < angles.size(); ++k) {
    points(static_cast<Index>(k), 0) = std::cos(angles[k]);
    points(static_cast<Index>(k), 1) = std::sin(angles[k]);
  }
  const auto shared = std::make_shared<const Matrix<double>>(std::move(points));
  return {shared, shared};
}

void check(const AngularOptions& options) {
  if (options.buckets < 2 || options.buckets > kMostAngularBuckets || options.buckets % 2 != 0)
    throwRange("n_buckets", std::to_string(options.buckets),
               "an even integer from 2 to " + std::to_string(kMostAngularBuckets));
  if (options.draw == AngularDraw::Rotation && options.buckets != 4)
    throwRange("n_buckets", std::to_string(options.buckets), "4 for rotations of the plane");
  if (options.rounds < 1 || options.rounds > kMostRounds)
    throwRange("n_rounds", std::to_string(options.rounds),
               "an integer from 1 to " + std::to_string(kMostRounds));
}

std::vector<double> turnsOf(const AngularOptions& options) {
  std::vector<double> turns(static_cast<std::size_t>(options.rounds));
  if (options.draw == AngularDraw::Rotation)
    for (std::size_t r = 0; r < turns.size(); ++r)
      turns[r] = kCircle * philox::unit(philox::draw({options.seed, philox::Purpose::LshRotations,
                                                      static_cast<std::uint32_t>(r)},
                                                     0)
                                            .a);
  return turns;
}

// x R turns the row x by the angle.
MatrixSource rotationsBy(const std::vector<double>& turns) {
  std::vector<double> values;
  for (const double turn : turns)
    values.insert(values.end(), {std::cos(turn), std::sin(turn), -std::sin(turn), std::cos(turn)});
  return {"", {static_cast<Index>(turns.size()), 2, 2}, SharedList<double>(std::move(values))};
}

Lsh lshOf(const AngularOptions& options, const std::vector<double>& turns) {
  Lsh lsh;
  lsh.buckets = IndexList({options.buckets});
  lsh.rounds = options.rounds;
  lsh.within = Lsh::Within::Bucket;
  lsh.seed = options.seed;
  if (options.draw == AngularDraw::Rotation)
    lsh.rotations = rotationsBy(turns);
  return lsh;
}

LshRounds hashed(std::span<const double> angles, const Lsh& lsh, const Run& run) {
  return lshRounds(lsh, squareLengths(static_cast<Index>(angles.size())), pointsAt(angles), run, 1);
}

// The buckets' directions: columns of R, then their negatives.
std::vector<std::pair<double, double>> directionsOf(const Matrix<double>& rotation) {
  std::vector<std::pair<double, double>> directions;
  for (const double sign : {1.0, -1.0})
    for (Index b = 0; b < rotation.cols(); ++b)
      directions.emplace_back(sign * rotation(0, b), sign * rotation(1, b));
  return directions;
}

// The angles at which two directions tie: between them, the bucket is one.
std::vector<double> tiesOf(const Matrix<double>& rotation) {
  const auto directions = directionsOf(rotation);
  std::vector<double> ties;
  for (std::size_t s = 0; s < directions.size(); ++s)
    for (std::size_t t = 0; t < s; ++t) {
      const double x = directions[s].first - directions[t].first;
      const double y = directions[s].second - directions[t].second;
      for (const double quarter : {0.25, 0.75}) {
        const double angle = std::fmod(std::atan2(y, x) + (1 + quarter) * kCircle, kCircle);
        ties.push_back(angle);
      }
    }
  std::sort(ties.begin(), ties.end());
  return ties;
}

// Joins neighbours of one bucket, also across the end of the circle.
std::vector<Sector> joined(const std::vector<Sector>& pieces) {
  std::vector<Sector> sectors;
  for (const Sector& piece : pieces)
    if (!sectors.empty() && sectors.back().bucket == piece.bucket)
      sectors.back().to = piece.to;
    else
      sectors.push_back(piece);
  if (sectors.size() > 1 && sectors.front().bucket == sectors.back().bucket) {
    sectors.back().to = sectors.front().to + kCircle;
    sectors.erase(sectors.begin());
  }
  return sectors;
}

// The bucket between two ties is that of the middle.
std::vector<Sector> sectorsOf(const Matrix<double>& rotation, const Lsh& lsh) {
  std::vector<double> ties = tiesOf(rotation);
  std::vector<Sector> pieces;
  std::vector<double> middles;
  for (std::size_t k = 0; k < ties.size(); ++k) {
    const double to = k + 1 < ties.size() ? ties[k + 1] : ties.front() + kCircle;
    if (to - ties[k] < 1e-12)
      continue;
    pieces.push_back({ties[k], to, 0});
    middles.push_back((ties[k] + to) / 2);
  }
  Lsh one = lsh;
  one.rounds = 1;
  one.rotations = MatrixSource{
      "", {1, rotation.rows(), rotation.cols()}, SharedList<double>(rotation.values())};
  const LshRounds rounds = hashed(middles, one, {});
  for (std::size_t k = 0; k < pieces.size(); ++k)
    pieces[k].bucket = rounds.rounds.front().bucket[k];
  return joined(pieces);
}

} // namespace

std::vector<AngularRound> angularRounds(std::span<const double> angles,
                                        const AngularOptions& options, const Run& run) {
  check(options);
  const std::vector<double> turns = turnsOf(options);
  const Lsh lsh = lshOf(options, turns);
  const LshRounds found = hashed(angles, lsh, run);
  std::vector<AngularRound> rounds;
  for (std::size_t r = 0; r < turns.size(); ++r) {
    run.check();
    const LshRound& round = found.rounds[r];
    rounds.push_back({turns[r], sectorsOf(round.rotation, lsh), round.bucket});
  }
  return rounds;
}

std::vector<SameBucket> sameBucketShares(const AngularOptions& options, Index rounds,
                                         const Run& run) {
  AngularOptions many = options;
  many.rounds = rounds;
  check(many);
  std::vector<double> angles(kSteps);
  for (Index k = 0; k < kSteps; ++k)
    angles[static_cast<std::size_t>(k)] =
        kCircle * static_cast<double>(k) / static_cast<double>(kSteps);
  const LshRounds found = hashed(angles, lshOf(many, turnsOf(many)), run);
  std::vector<SameBucket> shares;
  for (Index step = 0; step <= kSteps / 2; ++step) {
    run.check();
    Index same = 0;
    for (const LshRound& round : found.rounds)
      for (Index k = 0; k < kSteps; ++k)
        same += round.bucket[static_cast<std::size_t>(k)] ==
                        round.bucket[static_cast<std::size_t>((k + step) % kSteps)]
                    ? 1
                    : 0;
    shares.push_back({angles[static_cast<std::size_t>(step)],
                      static_cast<double>(same) / static_cast<double>(rounds * kSteps)});
  }
  return shares;
}

double sameQuarter(double angle) {
  return std::max(0.0, 1 - 2 * angle / std::numbers::pi);
}

double atLeastOnce(double share, Index rounds) {
  return 1 - std::pow(1 - share, static_cast<double>(rounds));
}

} // namespace attention
