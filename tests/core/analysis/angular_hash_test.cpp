// Hashing in the plane against geometry: quarters that turn, sectors of Gaussian matrices, closed
// forms of shares.
#include "core/analysis/angular_hash.h"
#include "core/support/error.h"
#include "core/support/philox.h"
#include "tests/catch.h"

#include <cmath>
#include <numbers>

using namespace attention;

namespace {

constexpr double kPi = std::numbers::pi;

AngularOptions gaussian(Index buckets, Index rounds, std::uint64_t seed) {
  return {AngularDraw::Gaussian, buckets, rounds, seed};
}

// The bucket of the sector that contains an angle.
Index bucketAt(const AngularRound& round, double angle) {
  for (const Sector& sector : round.sectors)
    for (const double turned : {angle, angle + 2 * kPi})
      if (turned >= sector.from && turned < sector.to)
        return sector.bucket;
  return -1;
}

} // namespace

TEST_CASE("Rotations cut the circle into quarters about the turned axes") {
  const std::vector<double> angles{0.1, 2.0, 4.5};
  for (const AngularRound& round : angularRounds(angles, {AngularDraw::Rotation, 4, 5, 3})) {
    REQUIRE(round.sectors.size() == 4);
    for (const Sector& sector : round.sectors)
      CHECK(sector.to - sector.from == Approx(kPi / 2));
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const auto quarter = static_cast<Index>(
          std::floor((std::fmod(angles[k] + round.turn, 2 * kPi) + kPi / 4) / (kPi / 2)));
      CHECK(round.bucket[k] == quarter % 4);
    }
  }
}

TEST_CASE("A round is the product with its matrix and the argmax of both signs") {
  const std::vector<double> angles{0.3, 1.7, 2.9, 5.0};
  const auto rounds = angularRounds(angles, gaussian(6, 4, 9));
  for (std::size_t r = 0; r < rounds.size(); ++r)
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const philox::Stream stream{9, philox::Purpose::LshRotations, static_cast<std::uint32_t>(r)};
      Index best = 0;
      double most = -1e300;
      for (Index b = 0; b < 6; ++b) {
        const auto column = static_cast<std::uint64_t>(b % 3);
        const double y = std::cos(angles[k]) * philox::normal(stream, column) +
                         std::sin(angles[k]) * philox::normal(stream, 3 + column);
        if ((b < 3 ? y : -y) > most) {
          most = b < 3 ? y : -y;
          best = b;
        }
      }
      CHECK(rounds[r].bucket[k] == best);
    }
}

TEST_CASE("Sectors fill the circle and hold the points of their buckets") {
  const Index buckets = GENERATE(2, 4, 8, 16);
  std::vector<double> angles;
  for (int k = 0; k < 100; ++k)
    angles.push_back(0.01 + 0.06 * k);
  for (const AngularRound& round : angularRounds(angles, gaussian(buckets, 6, 1))) {
    double sum = 0;
    for (std::size_t s = 0; s < round.sectors.size(); ++s) {
      sum += round.sectors[s].to - round.sectors[s].from;
      const Sector& next = round.sectors[(s + 1) % round.sectors.size()];
      CHECK(std::remainder(next.from - round.sectors[s].to, 2 * kPi) == Approx(0).margin(1e-9));
    }
    CHECK(sum == Approx(2 * kPi));
    for (std::size_t k = 0; k < angles.size(); ++k)
      CHECK(bucketAt(round, angles[k]) == round.bucket[k]);
  }
}

TEST_CASE("Points at an angle share a bucket as often as the closed form says") {
  const auto shares = sameBucketShares({AngularDraw::Rotation, 4, 1, 5}, 512);
  REQUIRE(shares.size() == 61);
  CHECK(shares.front().share == 1);
  CHECK(shares.back().angle == Approx(kPi));
  // Turns by whole steps leave the angle within a step: each round is exact to 1 of 120.
  for (const SameBucket& of : shares)
    CHECK(of.share == Approx(sameQuarter(of.angle)).margin(1e-9));
  CHECK(sameQuarter(kPi / 4) == Approx(0.5));
  CHECK(sameQuarter(kPi) == 0);
}

TEST_CASE("Near points share buckets of Gaussian matrices more often than distant ones") {
  const auto shares = sameBucketShares(gaussian(8, 1, 2), 256);
  CHECK(shares.front().share == 1);
  CHECK(shares[5].share > shares[20].share);
  CHECK(shares.back().share == 0); // opposite points have opposite signs
  CHECK(atLeastOnce(0.5, 3) == Approx(0.875));
  CHECK(atLeastOnce(0, 9) == 0);
}

TEST_CASE("Hashing in the plane refuses settings that have no picture") {
  const std::vector<double> angles{0};
  CHECK_THROWS_AS(angularRounds(angles, {AngularDraw::Rotation, 6, 1, 0}), Error);
  CHECK_THROWS_AS(angularRounds(angles, gaussian(3, 1, 0)), Error);
  CHECK_THROWS_AS(angularRounds(angles, gaussian(18, 1, 0)), Error);
  CHECK_THROWS_AS(angularRounds(angles, gaussian(4, 0, 0)), Error);
}
