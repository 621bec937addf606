// Angular hashing in the plane as circles and a curve (choosing_figure.h).
#include "core/support/number_text.h"
#include "core/views/choosing/choosing_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace attention {
namespace {

constexpr double kRim = 1.08;
constexpr double kWordsRadius = 1.27;
constexpr double kCircle = 2 * std::numbers::pi;
constexpr double kArcStep = 0.05; // radians
constexpr double kClear = 0.3;    // radians between a bucket's number and a line
constexpr double kAround = 0.7;   // sizes of type that a point's name reaches beyond
constexpr double kDegree = std::numbers::pi / 180;

// y down, so counter-clockwise angles rise on the screen.
Point at(double angle, double radius) {
  return {kCircleSide / 2 + radius * std::cos(angle), kCircleSide / 2 - radius * std::sin(angle)};
}

DiagramLine arc(double from, double to, double radius) {
  DiagramLine line;
  const int steps = std::max(1, static_cast<int>(std::ceil((to - from) / kArcStep)));
  for (int k = 0; k <= steps; ++k)
    line.points.push_back(at(from + (to - from) * k / steps, radius));
  return line;
}

std::string degreesText(double radians) {
  return readableNumber(std::fmod(radians / kDegree + 720, 360)) + "°";
}

// The part of the circle, with its rim and names, between two angles.
PlaceWords wedge(double from, double to, std::string words) {
  PlaceWords place{{}, std::move(words), arc(from, to, kWordsRadius).points};
  if (to - from < kCircle - 1e-9)
    place.outline.push_back(at(0, 0));
  const auto [left, right] =
      std::minmax_element(place.outline.begin(), place.outline.end(),
                          [](const Point& a, const Point& b) { return a.x < b.x; });
  const auto [top, bottom] =
      std::minmax_element(place.outline.begin(), place.outline.end(),
                          [](const Point& a, const Point& b) { return a.y < b.y; });
  place.box = {left->x, top->y, right->x - left->x, bottom->y - top->y};
  return place;
}

class CircleDiagram {
public:
  CircleDiagram(const CircleAnswer& answer, std::size_t pair, std::size_t round)
      : answer_(answer), pair_(answer.pairs[pair]),
        of_(answer.rounds[round]), buckets_{of_.bucket[2 * pair], of_.bucket[2 * pair + 1]} {}

  DiagramMark make() {
    mark_.width = kCircleSide;
    mark_.height = kCircleSide;
    mark_.lines.push_back(arc(0, kCircle, 1));
    for (const Sector& sector : of_.sectors)
      addSector(sector);
    // Near points have their names on the sides facing away from each other.
    const double apart = std::remainder(pair_.second - pair_.first, kCircle);
    addPoint(pair_.first, "x", apart > 0 ? -1 : 1);
    addPoint(pair_.second, "y", apart > 0 ? 1 : -1);
    mark_.around = kAround;
    mark_.foot = verdict();
    return std::move(mark_);
  }

private:
  DiagramFoot verdict() const {
    const bool same = buckets_[0] == buckets_[1];
    const std::string mark = same ? "✓" : "✗";
    const std::string sign = mark + " ";
    const std::string first = std::to_string(buckets_[0]);
    const std::string both = same ? first : first + " and " + std::to_string(buckets_[1]);
    const std::string found = sign + (same ? "both in bucket " : "buckets ") + both;
    const std::string angle = readableNumber(pair_.degrees) + "°: ";
    const std::string few = same ? first : first + ", " + std::to_string(buckets_[1]);
    return {{angle + found, angle + sign + both, angle + sign + few, angle + mark}, same};
  }

  void addSector(const Sector& sector) {
    const double from = sector.from + of_.turn;
    const double to = sector.to + of_.turn;
    const auto hue = static_cast<std::size_t>(sector.bucket) % kGroupHues;
    const double share = groupShare(static_cast<std::size_t>(sector.bucket));
    DiagramLine rim = arc(from, to, kRim);
    rim.hue = hue;
    rim.share = share;
    rim.width = 6;
    mark_.lines.push_back(std::move(rim));
    if (answer_.rounds.front().sectors.size() > 1)
      mark_.lines.push_back({{at(from, 0), at(from, kRim)}, {}, 1, 1, Dash::Dashed});
    const Point middle = at(clearAngle(from, to), 0.62);
    mark_.texts.push_back({middle, std::to_string(sector.bucket), TextAlign::Center, true, true,
                           0.6 * (to - from), false});
  }

  // The middle of a sector; where the line to a point lies over it, the quarter that is farthest
  // from both lines.
  double clearAngle(double from, double to) const {
    double best = (from + to) / 2;
    double most = kClear;
    for (const double share : {0.5, 0.3, 0.7}) {
      const double angle = from + share * (to - from);
      const auto distance = [&](double point) {
        return std::abs(std::remainder(point + of_.turn - angle, kCircle));
      };
      const double least = std::min(distance(pair_.first), distance(pair_.second));
      if (share == 0.5 && least >= kClear)
        return angle;
      if (least > most || share == 0.5) {
        most = least;
        best = angle;
      }
    }
    return best;
  }

  // `turns`: the direction in which its name moves where the other one is near.
  void addPoint(double angle, const char* name, double turns) {
    const double turned = angle + of_.turn;
    mark_.lines.push_back({{at(turned, 0), at(turned, 1)}, {}, 1, 1.6, Dash::Solid});
    mark_.dots.push_back({at(turned, 1), {}, 5});
    DiagramText words{at(turned, kWordsRadius), name, TextAlign::Center, true};
    words.aside = Point{-turns * std::sin(turned), -turns * std::cos(turned)};
    mark_.texts.push_back(std::move(words));
  }

  const CircleAnswer& answer_;
  const CirclePair& pair_;
  const AngularRound& of_;
  std::array<Index, 2> buckets_;
  DiagramMark mark_;
};

Curve sharesCurve(const CircleAnswer& answer, Index rounds, std::size_t hue, Dash dash) {
  Curve curve;
  curve.label = rounds == 1 ? "one round" : "at least 1 of " + std::to_string(rounds);
  curve.hue = hue;
  curve.dash = dash;
  for (std::size_t k = 0; k < answer.shares.size(); k += 2)
    curve.points.push_back(
        {answer.shares[k].angle / kDegree, atLeastOnce(answer.shares[k].share, rounds)});
  return curve;
}

} // namespace

Plot circlePlot(const CircleAnswer& answer, std::size_t pair, std::size_t round) {
  return {CircleDiagram(answer, pair, round).make(), std::nullopt, std::nullopt};
}

std::string pointWords(const CircleAnswer& answer, std::size_t pair, std::size_t round,
                       bool second) {
  const CirclePair& of = answer.pairs[pair];
  return std::string(second ? "y" : "x") + " at " + degreesText(second ? of.second : of.first) +
         ": bucket " + std::to_string(answer.rounds[round].bucket[2 * pair + (second ? 1 : 0)]);
}

std::string sectorWords(const Sector& sector) {
  return "bucket " + std::to_string(sector.bucket) + ": points from " + degreesText(sector.from) +
         " to " + degreesText(sector.to);
}

std::vector<PlaceWords> circleWords(const CircleAnswer& answer, std::size_t pair,
                                    std::size_t round) {
  const AngularRound& of = answer.rounds[round];
  std::vector<PlaceWords> all;
  for (const bool second : {false, true}) {
    const double angle = of.turn + (second ? answer.pairs[pair].second : answer.pairs[pair].first);
    all.push_back(
        wedge(angle - kNearAngle, angle + kNearAngle, pointWords(answer, pair, round, second)));
  }
  for (const Sector& sector : of.sectors)
    all.push_back(wedge(sector.from + of.turn, sector.to + of.turn, sectorWords(sector)));
  return all;
}

Plot circleSharesPlot(const CircleAnswer& answer) {
  CurvesMark mark;
  mark.x = {"angle between the points, degrees", Scale::Linear, 0, 180, false};
  mark.y = {"share in one bucket", Scale::Linear, 0, 1, false};
  mark.aspect = 0.8;
  const Index rounds = answer.spec.rounds;
  if (rounds > 1)
    mark.curves.push_back(sharesCurve(answer, rounds, 1, Dash::Dashed));
  mark.curves.push_back(sharesCurve(answer, 1, 0, Dash::Solid));
  for (const CirclePair& pair : answer.pairs)
    mark.uprights.push_back({pair.degrees, pair.name});
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::optional<double> angleUnder(const CircleAnswer& answer, std::size_t round, Point place) {
  const double x = place.x - kCircleSide / 2;
  const double y = kCircleSide / 2 - place.y;
  if (std::hypot(x, y) > kWordsRadius)
    return std::nullopt;
  const double angle = std::atan2(y, x) - answer.rounds[round].turn;
  return std::fmod(std::fmod(angle, kCircle) + kCircle, kCircle);
}

} // namespace attention
