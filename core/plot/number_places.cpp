#include "core/plot/number_places.h"

#include "core/plot/plane.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace attention {
namespace {

constexpr double kSmaller = 0.82; // of the type, where more numbers find a place in it

// All but the counts in sizes of type.
constexpr double kDigitHeight = 0.73;
constexpr double kBeside = 0.5; // from a dot to a number that stands beside it without a line
constexpr std::array kLed{0.85, 1.15, 1.5, 1.9,
                          2.4,  3.0,  3.8, 4.8}; // and to one at the end of a line
constexpr double kLineGap = 0.12;                // between the end of a line and its number
constexpr double kNumberGap = 0.32;              // between two numbers: half a digit
constexpr double kDotGap = 0.12;                 // between a number and any dot
constexpr double kNumberLeaderClear = 0.2;       // between a line and other dots and numbers
constexpr double kNumberEdgeGap = 0.12;          // between a number and the frame
constexpr double kNumberLead = 0.35; // that a dot is nearer than the next to a number without line
constexpr double kAlone = 1.2;       // from all dots to a number that a line leads to from afar
constexpr double kSame = 1e-6;       // pixels: dots in one place are equally near

// What makes a place better. A step is the step to the next longer line.
constexpr double kOnLine = 4;      // steps that it is worth to be off the plot's lines
constexpr double kCorner = 0.1;    // to be at a corner, or else straight beside, below or above
constexpr double kRight = 0.06;    // to be on the right
constexpr double kBelow = 0.03;    // to be below
constexpr double kApart = 0.5;     // to be further from the next dot by a type size
constexpr double kMostApart = 1.2; // sizes of type, beyond which that is worth nothing more
constexpr double kOfOthers = 3;    // to leave another number all its places

constexpr int kSides = 32; // clockwise from the right
constexpr int kTries = 6;

// Places of a dot, as bits: at most these, the best; a crowded one has fewer.
using PlaceSet = std::uint64_t;
constexpr std::size_t kMostPlaces = 64;

using Places = std::vector<std::optional<LabelPlaces::Place>>;

std::size_t countMissing(const Places& of) {
  return static_cast<std::size_t>(std::count(of.begin(), of.end(), std::nullopt));
}

struct Candidate {
  LabelPlaces::Place place;
  LineSegment leader; // from the dot, where the place is led
  double cost;
  Box all; // of number and line
};

Box boxAround(const Box& room, const LineSegment& line) {
  const double x0 = std::min({room.x, line.from.x, line.to.x});
  const double y0 = std::min({room.y, line.from.y, line.to.y});
  return {x0, y0, std::max({room.right(), line.from.x, line.to.x}) - x0,
          std::max({room.bottom(), line.from.y, line.to.y}) - y0};
}

PlaceSet firstPlaces(std::size_t count) {
  return count == kMostPlaces ? ~PlaceSet{0} : (PlaceSet{1} << count) - 1;
}

double costOfSide(int side) {
  constexpr int kEighth = kSides / 8;
  const double corner = side % kEighth != 0 ? 2 : side / kEighth % 2 == 0 ? 1 : 0;
  const double angle = 2 * std::acos(-1.0) * side / kSides;
  return kCorner * corner - kRight * std::cos(angle) - kBelow * std::sin(angle);
}

// How numbers are tried: in pixels, and whether they may stand outside a crowd, closer to another
// dot.
struct Trial {
  double type;
  bool fromAfar;
};

class NumbersPlacer {
public:
  NumbersPlacer(const Box& box, const Trial& trial, const std::vector<NumberedDot>& dots,
                const LabelPlaces& around)
      : inside_(grown(box, -kNumberEdgeGap * trial.type)), type_(trial.type),
        fromAfar_(trial.fromAfar), dots_(dots), around_(around), urgency_(dots.size()) {
    for (const NumberedDot& dot : dots)
      candidates_.push_back(candidatesOf(dot));
    conflicts_.resize(dots.size() * kMostPlaces * dots.size());
    for (std::size_t a = 0; a < dots.size(); ++a)
      for (std::size_t b = a + 1; b < dots.size(); ++b)
        noteConflicts(a, b);
  }

  // The best of some tries: what has no place in one comes earlier in the next.
  Places run() {
    const auto hopeless = static_cast<std::size_t>(
        std::count_if(candidates_.begin(), candidates_.end(),
                      [](const std::vector<Candidate>& of) { return of.empty(); }));
    Places best = placeAll();
    for (int k = 1; k < kTries && countMissing(best) > hopeless; ++k) {
      for (std::size_t dot = 0; dot < dots_.size(); ++dot)
        urgency_[dot] += placed_[dot] ? 0 : 1;
      if (const Places other = placeAll(); countMissing(other) < countMissing(best))
        best = other;
    }
    return best;
  }

private:
  const Places& placeAll() {
    open_.clear();
    for (const std::vector<Candidate>& of : candidates_)
      open_.push_back(firstPlaces(of.size()));
    placed_.assign(dots_.size(), std::nullopt);
    while (const auto next = mostUrgent())
      take(*next, bestOf(*next));
    return placed_;
  }

  std::vector<Candidate> candidatesOf(const NumberedDot& dot) const {
    std::vector<Candidate> all;
    for (std::size_t step = 0; step <= kLed.size(); ++step)
      for (int side = 0; side < kSides; ++side) {
        const bool led = step > 0;
        const double reach = (led ? kLed[step - 1] : kBeside) * type_;
        const LabelPlaces::Place place = placeAt(dot, reach, side, led);
        const LineSegment leader{dot.at, led ? place.from : dot.at};
        if (suits(dot, place))
          all.push_back({place, leader, costOf(dot, place, step, side),
                         led ? boxAround(place.room, leader) : place.room});
      }
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    if (all.size() > kMostPlaces)
      all.erase(all.begin() + kMostPlaces, all.end());
    return all;
  }

  double costOf(const NumberedDot& dot, const LabelPlaces::Place& place, std::size_t step,
                int side) const {
    const double apart = (rival(dot, place.room) - distanceToBox(dot.at, place.room)) / type_;
    const double lines = around_.crossed(place.room) ? kOnLine : 0;
    return static_cast<double>(step) + lines - kApart * std::min(apart, kMostApart) +
           costOfSide(side);
  }

  // The room touches, at most, the circle of that radius around the dot.
  LabelPlaces::Place placeAt(const NumberedDot& dot, double reach, int side, bool led) const {
    const double angle = 2 * std::acos(-1.0) * side / kSides;
    const double across = std::cos(angle);
    const double down = std::sin(angle);
    const double height = kDigitHeight * type_;
    const auto slid = [](double share) { return std::clamp(std::sqrt(2.0) * share, -1.0, 1.0); };
    const Point middle{dot.at.x + reach * across + slid(across) * dot.width / 2,
                       dot.at.y + reach * down + slid(down) * height / 2};
    const Box room{middle.x - dot.width / 2, middle.y - height / 2, dot.width, height};
    return {room, edgeToward(dot.at, room), led};
  }

  // Where a line from there to the middle of a number ends.
  Point edgeToward(const Point& from, const Box& room) const {
    const Box edge = grown(room, kLineGap * type_);
    const double dx = from.x - (room.x + room.width / 2);
    const double dy = from.y - (room.y + room.height / 2);
    const double share =
        std::min({1.0, edge.width / 2 / std::abs(dx), edge.height / 2 / std::abs(dy)});
    return {from.x - (1 - share) * dx, from.y - (1 - share) * dy};
  }

  // How near the nearest of the other dots is.
  double rival(const NumberedDot& dot, const Box& room) const {
    double least = HUGE_VAL;
    for (const NumberedDot& other : dots_)
      if (&other != &dot)
        least = std::min(least, distanceToBox(other.at, room));
    return least;
  }

  bool suits(const NumberedDot& dot, const LabelPlaces::Place& place) const {
    const Box& room = place.room;
    if (room.x < inside_.x || room.right() > inside_.right() || room.y < inside_.y ||
        room.bottom() > inside_.bottom())
      return false;
    const double own = distanceToBox(dot.at, room);
    const double led = (fromAfar_ ? std::min(own, kAlone * type_) : own) - kSame;
    const double least = place.led ? led : own + kNumberLead * type_;
    if (rival(dot, room) < least)
      return false;
    return std::none_of(dots_.begin(), dots_.end(), [&](const NumberedDot& other) {
      return distanceToBox(other.at, room) < other.radius + kDotGap * type_ ||
             (place.led && hides(other, {dot.at, place.from}));
    });
  }

  // A line keeps off other dots; from under one that lies over its own it leads straight away.
  bool hides(const NumberedDot& other, const LineSegment& leader) const {
    const double clear =
        std::min(other.radius + kNumberLeaderClear * type_, distance(other.at, leader.from));
    return distanceToSegment(other.at, leader) < clear - kSame;
  }

  // The places of dot `b` that conflict with the k-th of dot `a`.
  PlaceSet& conflicts(std::size_t a, std::size_t k, std::size_t b) {
    return conflicts_[(a * kMostPlaces + k) * dots_.size() + b];
  }
  PlaceSet conflicts(std::size_t a, std::size_t k, std::size_t b) const {
    return conflicts_[(a * kMostPlaces + k) * dots_.size() + b];
  }

  void noteConflicts(std::size_t a, std::size_t b) {
    const std::vector<Candidate>& first = candidates_[a];
    const std::vector<Candidate>& second = candidates_[b];
    for (std::size_t k = 0; k < first.size(); ++k) {
      const Box near = grown(first[k].all, std::max(kNumberGap, kNumberLeaderClear) * type_);
      for (std::size_t l = 0; l < second.size(); ++l)
        if (meet(near, second[l].all) && conflict(first[k], second[l])) {
          conflicts(a, k, b) |= PlaceSet{1} << l;
          conflicts(b, l, a) |= PlaceSet{1} << k;
        }
    }
  }

  bool conflict(const Candidate& a, const Candidate& b) const {
    const auto over = [&](const Candidate& line, const Candidate& number) {
      return line.place.led &&
             passes(line.leader, grown(number.place.room, kNumberLeaderClear * type_));
    };
    return meet(grown(a.place.room, kNumberGap * type_), b.place.room) || over(a, b) ||
           over(b, a) || (a.place.led && b.place.led && cross(a.leader, b.leader));
  }

  // Among those that still have places; by default the one with the fewest.
  std::optional<std::size_t> mostUrgent() const {
    const auto before = [&](std::size_t a, std::size_t b) {
      return urgency_[a] != urgency_[b] ? urgency_[a] > urgency_[b]
                                        : std::popcount(open_[a]) < std::popcount(open_[b]);
    };
    std::optional<std::size_t> most;
    for (std::size_t k = 0; k < open_.size(); ++k)
      if (open_[k] != 0 && (!most || before(k, *most)))
        most = k;
    return most;
  }

  std::size_t bestOf(std::size_t dot) const {
    std::size_t best = 0;
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < candidates_[dot].size(); ++k) {
      if ((open_[dot] >> k & 1) == 0)
        continue;
      const double cost = candidates_[dot][k].cost + kOfOthers * takenFromOthers(dot, k);
      if (cost < least) {
        best = k;
        least = cost;
      }
    }
    return best;
  }

  // Shares of their places, summed.
  double takenFromOthers(std::size_t dot, std::size_t place) const {
    double taken = 0;
    for (std::size_t k = 0; k < open_.size(); ++k)
      if (const PlaceSet lost = conflicts(dot, place, k) & open_[k]; lost != 0)
        taken +=
            static_cast<double>(std::popcount(lost)) / static_cast<double>(std::popcount(open_[k]));
    return taken;
  }

  void take(std::size_t dot, std::size_t place) {
    placed_[dot] = candidates_[dot][place].place;
    open_[dot] = 0;
    for (std::size_t k = 0; k < open_.size(); ++k)
      open_[k] &= ~conflicts(dot, place, k);
  }

  Box inside_;
  double type_;
  bool fromAfar_;
  const std::vector<NumberedDot>& dots_;
  const LabelPlaces& around_;
  std::vector<std::vector<Candidate>> candidates_; // of each dot
  std::vector<PlaceSet> conflicts_;                // of each place with those of each dot
  std::vector<PlaceSet> open_;                     // of those without a place, what is free
  std::vector<int> urgency_;                       // tries in which each had no place
  Places placed_;
};

} // namespace

NumberPlaces placeNumbers(const Box& box, double type, const std::vector<NumberedDot>& dots,
                          const LabelPlaces& around) {
  NumberPlaces best{type, NumbersPlacer(box, {type, false}, dots, around).run()};
  for (const Trial& trial :
       {Trial{kSmaller * type, false}, Trial{type, true}, Trial{kSmaller * type, true}}) {
    if (missing(best) == 0)
      break;
    std::vector<NumberedDot> narrow = dots;
    for (NumberedDot& dot : narrow)
      dot.width *= trial.type / type;
    NumberPlaces other{trial.type, NumbersPlacer(box, trial, narrow, around).run()};
    if (missing(other) < missing(best))
      best = std::move(other);
  }
  return best;
}

std::size_t missing(const NumberPlaces& of) {
  return countMissing(of.places);
}

} // namespace attention
