#include "core/analysis/score/score_board.h"

#include "tests/catch.h"

#include <limits>
#include <random>

using namespace attention;

namespace {

bool beats(const CostAndGain& a, const CostAndGain& b) {
  return a.cost <= b.cost && a.gain >= b.gain && (a.cost < b.cost || a.gain > b.gain);
}

} // namespace

TEST_CASE("no point beats one on the front and every other point is beaten", "[score]") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<CostAndGain> points(random() % 12);
    for (CostAndGain& point : points)
      point = {static_cast<double>(random() % 5), static_cast<double>(random() % 5)};
    const std::vector<std::size_t> front = paretoFront(points);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const bool in = std::find(front.begin(), front.end(), k) != front.end();
      bool beaten = false;
      bool again = false; // an equal point stands before it
      for (std::size_t m = 0; m < points.size(); ++m) {
        beaten |= beats(points[m], points[k]);
        again |= m < k && points[m].cost == points[k].cost && points[m].gain == points[k].gain;
      }
      CHECK(in == (!beaten && !again));
    }
    for (std::size_t k = 1; k < front.size(); ++k)
      CHECK(points[front[k - 1]].cost < points[front[k]].cost);
  }
}

TEST_CASE("points that are not finite are on no front", "[score]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<CostAndGain> points{
      {1, -infinity}, {2, std::numeric_limits<double>::quiet_NaN()}, {3, 1}};
  CHECK(paretoFront(points) == std::vector<std::size_t>{2});
  CHECK(paretoFront({}).empty());
}
