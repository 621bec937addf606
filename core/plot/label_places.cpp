#include "core/plot/label_places.h"

#include "core/plot/plane.h"
#include "core/plot/ticks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kGap = 0.55;      // sizes of type between a dot and its words
constexpr int kMostSteps = 4;      // lines that words go up or down to find room
constexpr int kNearSteps = 1;      // beyond these a thin line leads from the dot to its words
constexpr double kLeastLines = 12; // of the picture's height: in lower ones words only stand nearby
constexpr double kOverDot = 0.15;  // how many lines further words go straight above or below a dot
constexpr double kMostPoints = 1e4;   // along one piece of a line
constexpr int kFarAside = 12;         // sizes of type that few words go to the sides
constexpr int kNearAside = 4;         // and where their lines are followed at a glance
constexpr double kOwnLead = 0.35;     // sizes of type that a dot is nearer than the next, at least
constexpr double kWordGap = 0.32;     // sizes of type between words in a line: less reads as one
constexpr double kLeadEnd = 0.3;      // sizes of type before words at its side that a line ends
constexpr double kLeaderClear = 0.25; // sizes of type between a line to words and other dots

} // namespace

void LabelPlaces::keepClear(const Point& dot, double radius) {
  dots_.push_back({dot, radius});
}

void LabelPlaces::avoid(const Point& from, const Point& to) {
  const double length = distance(from, to);
  if (!std::isfinite(length)) // a gap
    return;
  const auto steps = static_cast<int>(std::min(std::ceil(length / (type_ / 2)), kMostPoints));
  for (int k = 0; k <= steps; ++k) {
    const double share = steps == 0 ? 0 : static_cast<double>(k) / steps;
    lines_.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
}

void LabelPlaces::take(const Point& at, const Place& place) {
  taken_.push_back(place.room);
  if (place.led)
    leaders_.push_back({at, place.from});
}

std::optional<LabelPlaces::Place> LabelPlaces::placeFor(const Point& at, double width) {
  const int most = box_.height < kLeastLines * kLineHeight * type_ ? kNearSteps : kMostSteps;
  for (const Care care : {Care::OffLines, Care::OffLabels, Care::Anywhere})
    if (const auto place = placeWithin(at, width, {most, kNearSteps, 0, care}))
      return place;
  return std::nullopt;
}

std::optional<LabelPlaces::Place> LabelPlaces::placeForFew(const Point& at, double width) {
  if (const auto place = placeAside(at, width, {0, kNearAside}))
    return place;
  if (const auto place = placeAside(at, width, {kNearAside + 1, kFarAside}))
    return place;
  for (int aside = 0; aside <= kFarAside; ++aside)
    if (const auto place = placeWithin(at, width, {kMostSteps, 0, aside * type_, Care::Anywhere}))
      return place;
  return std::nullopt;
}

std::optional<LabelPlaces::Place> LabelPlaces::placeAside(const Point& at, double width,
                                                          const AsideRange& range) {
  for (const Care care : {Care::OffLines, Care::OffLabels})
    for (int aside = range.least; aside <= range.most; ++aside)
      if (const auto place = placeWithin(at, width, {kMostSteps, 0, aside * type_, care}))
        return place;
  return std::nullopt;
}

std::optional<LabelPlaces::Place> LabelPlaces::placeWithin(const Point& at, double width,
                                                           const Reach& reach) {
  for (const bool led : {reach.aside > 0, true})
    for (int step = 0; step <= (led ? reach.steps : reach.near); ++step)
      for (const double down : {1.0, -1.0})
        for (const Across across : {Across::Right, Across::Left, Across::Middle}) {
          const Place place = placeAt(at, width, {down * (0.6 + step), reach.aside, across, led});
          if (!suits(at, place, reach.care))
            continue;
          take(at, place);
          return place;
        }
  return std::nullopt;
}

LabelPlaces::Place LabelPlaces::placeAt(const Point& at, double width, const Side& side) const {
  const double line = kLineHeight * type_;
  if (side.across == Across::Middle) {
    const double down = side.down + std::copysign(kOverDot, side.down);
    const double middle = at.y + down * line;
    return {{at.x - width / 2, middle - line / 2, width, line},
            {at.x, middle - std::copysign(line / 2, down)},
            side.led};
  }
  const double gap = kGap * type_ + side.aside;
  const bool right = side.across == Across::Right;
  const double x = right ? at.x + gap : at.x - gap - width;
  const double middle = at.y + side.down * line;
  const double from = right ? x - kLeadEnd * type_ : x + width + kLeadEnd * type_;
  return {{x, middle - line / 2, width, line}, {from, middle}, side.led};
}

bool LabelPlaces::suits(const Point& at, const Place& place, Care care) const {
  if (!fits(place.room) || (care == Care::OffLines && crossed(place.room)))
    return false;
  if (care != Care::Anywhere && onLeader(place.room))
    return false;
  if (!place.led)
    return nearest(at, place.room);
  return care == Care::Anywhere || (isClear(at, place.from) && leads(at, place.from));
}

bool LabelPlaces::fits(const Box& room) const {
  const double gap = kWordGap * type_;
  const Box apart{room.x - gap, room.y, room.width + 2 * gap, room.height};
  return room.x >= box_.x && room.right() <= box_.right() && room.y >= box_.y &&
         room.bottom() <= box_.bottom() &&
         std::none_of(taken_.begin(), taken_.end(),
                      [&](const Box& other) { return meet(apart, other); }) &&
         std::none_of(dots_.begin(), dots_.end(), [&](const Dot& dot) {
           return meet(room, {dot.at.x - dot.radius, dot.at.y - dot.radius, 2 * dot.radius,
                              2 * dot.radius});
         });
}

bool LabelPlaces::crossed(const Box& room) const {
  const auto inside = [&](const Point& p) {
    return p.x > room.x && p.x < room.right() && p.y > room.y && p.y < room.bottom();
  };
  return std::any_of(lines_.begin(), lines_.end(), inside);
}

// Words near two dots would be ambiguous.
bool LabelPlaces::nearest(const Point& at, const Box& room) const {
  const double own = distanceToBox(at, room);
  const auto rivals = [&](const Dot& dot) {
    return distanceToBox(dot.at, room) < own + kOwnLead * type_;
  };
  return std::count_if(dots_.begin(), dots_.end(), rivals) == 1; // itself
}

bool LabelPlaces::onLeader(const Box& room) const {
  return std::any_of(leaders_.begin(), leaders_.end(),
                     [&](const LineSegment& leader) { return passes(leader, room); });
}

bool LabelPlaces::leads(const Point& at, const Point& to) const {
  const auto hides = [&](const Dot& dot) { // dots under its own lead to it too
    return distance(dot.at, at) > dot.radius &&
           distanceToSegment(dot.at, {at, to}) < dot.radius + kLeaderClear * type_;
  };
  return std::none_of(dots_.begin(), dots_.end(), hides);
}

bool LabelPlaces::isClear(const Point& at, const Point& to) const {
  return std::none_of(taken_.begin(), taken_.end(),
                      [&](const Box& room) {
                        return passes({at, to}, room);
                      }) &&
         std::none_of(leaders_.begin(), leaders_.end(), [&](const LineSegment& leader) {
           return cross({at, to}, leader);
         });
}

} // namespace attention
