// Places words beside the points of a plot: never over dots or each other, inside the plot, and
// never closer to another point.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/plane.h"

#include <optional>
#include <vector>

namespace attention {

class LabelPlaces {
public:
  // Places words of `type` pixels in `box`.
  LabelPlaces(const Box& box, double type) : box_(box), type_(type) {}

  // Words go beside dots, not over them: announce all dots before the first words.
  void keepClear(const Point& dot, double radius);
  // Words avoid lines where there is another place.
  void avoid(const Point& from, const Point& to);

  // Whether such a line passes through `room`.
  bool crossed(const Box& room) const;

  // Words closer to their dot than to any other, or, if `led`, with a line from the dot to `from`
  // beside them, which avoids words and other dots where it can.
  struct Place {
    Box room;
    Point from;
    bool led;
  };

  // Reserves the place of words that already have one.
  void take(const Point& at, const Place& place);

  // The place for words of that width beside the dot `at`: right and below, then on the other
  // sides, straight below and above it, then further up and down where the picture is high enough
  // for lines to the dots; none if everything is taken. The returned place becomes taken.
  std::optional<Place> placeFor(const Point& at, double width);
  // The same for a few words over curves, and for numbers without a place near their dots, in a
  // picture of any height: also further to the sides.
  std::optional<Place> placeForFew(const Point& at, double width);

private:
  struct Dot {
    Point at;
    double radius;
  };
  // How much of the avoidable is avoided.
  enum class Care { OffLines, OffLabels, Anywhere };
  struct Reach {
    int steps;    // lines up or down
    int near;     // steps without a line to the dot
    double aside; // pixels further to the sides
    Care care;
  };

  struct AsideRange { // in sizes of type
    int least;
    int most;
  };

  enum class Across { Right, Left, Middle };
  struct Side {
    double down;  // lines from the dot to the middle of the words, minus the dot's own size
    double aside; // as above
    Across across;
    bool led;
  };

  Place placeAt(const Point& at, double width, const Side& side) const;
  std::optional<Place> placeWithin(const Point& at, double width, const Reach& reach);
  std::optional<Place> placeAside(const Point& at, double width, const AsideRange& range);
  bool suits(const Point& at, const Place& place, Care care) const;
  bool fits(const Box& room) const;
  bool nearest(const Point& at, const Box& room) const;
  bool onLeader(const Box& room) const;
  bool leads(const Point& at, const Point& to) const;   // past no other dot
  bool isClear(const Point& at, const Point& to) const; // of words and of lines to them

  Box box_;
  double type_;
  std::vector<Dot> dots_;
  std::vector<Box> taken_;   // by words
  std::vector<Point> lines_; // points along them
  std::vector<LineSegment> leaders_;
};

} // namespace attention
