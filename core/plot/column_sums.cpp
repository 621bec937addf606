#include "core/plot/column_sums.h"

#include "core/plot/mask_color.h"
#include "core/plot/resample.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention {
namespace {

constexpr auto kLeastBar = static_cast<double>(kLeastSeen); // width of a bar with a label
constexpr double kLabelGap = 0.35;  // beside a bar, in sizes of type as what follows
constexpr double kLabelLine = 1.25; // from one row of labels to the next
constexpr std::size_t kLabelRows = 2;

class SumsPainter {
public:
  SumsPainter(const ColumnSums& sums, const Box& box, double beyond, double type, FigureTheme theme,
              const TextMeasure& measure, DisplayList& list)
      : sums_(sums), box_(box), beyond_(beyond), type_(type), theme_(theme), measure_(measure),
        list_(list), colors_(figureColors(theme)) {
    for (const double share : sums.shares) {
      most_ = std::max(most_, std::abs(share));
      signed_ = signed_ || share < 0;
    }
  }

  void run() {
    list_.add(Polyline{
        {{box_.x, box_.bottom()}, {box_.right(), box_.bottom()}}, colors_.frame, 1, Dash::Solid});
    if (!(most_ > 0))
      return;
    Strip strip = stripOf(box_.height);
    // Where bars leave some labels no room they are lower, below a row of labels.
    if (saidBy(strip) < std::pair(true, sums_.labels.size()))
      if (Strip lower = stripOf(box_.height - kLabelLine * type_); saidBy(lower) > saidBy(strip))
        strip = std::move(lower);
    draw(std::move(strip));
  }

private:
  struct Words {
    const std::string& text;
    Box room;
  };
  // Bars up to `high`, and the labels that have a place beside or above them.
  struct Strip {
    double high = 0;
    std::vector<Box> below; // bars of keys that lost
    std::vector<Box> above;
    std::vector<std::pair<bool, Box>> wide; // of the labels; whether below
    std::vector<Words> words;
    std::vector<Box> taken;
  };

  // Whether the largest has its whole label, and how many have any.
  std::pair<bool, std::size_t> saidBy(const Strip& strip) const {
    return {!strip.words.empty() && strip.words.front().text == sums_.labels.front().text,
            strip.words.size()};
  }

  double column() const { return box_.width / static_cast<double>(sums_.shares.size()); }
  double middle(Index at) const { return box_.x + (static_cast<double>(at) + 0.5) * column(); }
  Color colorOf(bool below) const {
    if (signed_)
      return rampColor(Ramp::Changes, below ? -1 : 1, 1, theme_);
    return colors_.series[0];
  }

  Box bar(double x, double width, double share, double high) const {
    const double own = std::max(std::abs(share) / most_ * high, share == 0 ? 0.0 : 0.5);
    return {x, box_.bottom() - own, width, own};
  }

  Strip stripOf(double high) const {
    Strip strip;
    strip.high = high;
    addBars(strip);
    for (const ColumnLabel& label : sums_.labels)
      addWideBar(label, strip);
    std::vector<Box> bars = strip.below;
    bars.insert(bars.end(), strip.above.begin(), strip.above.end());
    for (const auto& [below, box] : strip.wide)
      bars.push_back(box);
    for (std::size_t k = 0; k < sums_.labels.size(); ++k) {
      const ColumnLabel& label = sums_.labels[k];
      if (!addWords(label.text, strip.wide[k].second, bars, strip))
        addWords(label.brief, strip.wide[k].second, bars, strip);
    }
    return strip;
  }

  void addBars(Strip& strip) const {
    const auto columns = static_cast<Index>(sums_.shares.size());
    const auto room = static_cast<Index>(std::max(std::floor(box_.width), 1.0));
    const Index pixels = std::min(columns, room);
    const double each = box_.width / static_cast<double>(pixels);
    for (Index pixel = 0; pixel < pixels; ++pixel) {
      const auto begin = sums_.shares.begin() + pixel * columns / pixels;
      const auto end = sums_.shares.begin() + (pixel + 1) * columns / pixels;
      const double share = *std::max_element(
          begin, end, [](double a, double b) { return std::abs(a) < std::abs(b); });
      if (share != 0)
        (share < 0 ? strip.below : strip.above)
            .push_back(bar(box_.x + static_cast<double>(pixel) * each, each, share, strip.high));
    }
  }

  void addWideBar(const ColumnLabel& label, Strip& strip) const {
    const double share = sums_.shares[static_cast<std::size_t>(label.column)];
    const double wide = std::max(column(), kLeastBar);
    const double x =
        std::clamp(middle(label.column) - wide / 2, box_.x, std::max(box_.x, box_.right() - wide));
    strip.wide.emplace_back(share < 0, bar(x, wide, share, strip.high));
  }

  // Beside a bar or above it, in the first row where no bar and no other words stand; whether there
  // is such a place.
  bool addWords(const std::string& words, const Box& of, const std::vector<Box>& bars,
                Strip& strip) const {
    const double width = measure_(words, type_, true);
    const double gap = kLabelGap * type_;
    for (std::size_t row = 0; row < kLabelRows; ++row)
      for (const double left : {of.right() + gap, of.x - gap - width, above(of, width)}) {
        const Box room{left, box_.y + static_cast<double>(row) * kLabelLine * type_, width,
                       kLabelLine * type_};
        if (!isWithin(room, row == 0 ? beyond_ : 0) || meetsAny(room, bars) ||
            meetsAny(room, strip.taken))
          continue;
        strip.taken.push_back({room.x - gap, room.y, room.width + 2 * gap, room.height});
        strip.words.push_back({words, room});
        return true;
      }
    return false;
  }

  // Over the middle of a bar, but within the strip.
  double above(const Box& of, double width) const {
    return std::clamp(of.x + of.width / 2 - width / 2, box_.x,
                      std::max(box_.x, box_.right() - width));
  }

  bool isWithin(const Box& room, double beyond) const {
    return room.x >= box_.x - 0.5 && room.right() <= box_.right() + beyond + 0.5;
  }

  // A bar that ends where the words begin does not count.
  static bool meetsAny(const Box& room, const std::vector<Box>& others) {
    constexpr double kTouch = 0.01;
    return std::any_of(others.begin(), others.end(), [&](const Box& other) {
      return room.x < other.right() && other.x < room.right() && room.y < other.bottom() - kTouch &&
             other.y < room.bottom() - kTouch;
    });
  }

  // By colour, to be filled in one go each.
  void draw(Strip strip) {
    for (const bool below : {false, true})
      if (std::vector<Box>& boxes = below ? strip.below : strip.above; !boxes.empty())
        list_.add(FillBoxes{std::move(boxes), colorOf(below), {}, {1, 1}});
    for (const auto& [below, box] : strip.wide)
      list_.add(FillBoxes{{box}, colorOf(below), {}, {1, 1}});
    for (const auto& [text, room] : strip.words)
      list_.add(Text{{room.x, room.y + 0.95 * type_},
                     text,
                     type_,
                     colors_.text,
                     TextAlign::Left,
                     true,
                     false});
  }

  const ColumnSums& sums_;
  Box box_;
  double beyond_;
  double type_;
  FigureTheme theme_;
  const TextMeasure& measure_;
  DisplayList& list_;
  const FigureColors& colors_;
  double most_ = 0;
  bool signed_ = false;
};

} // namespace

Box sumsBox(const Box& box, double type) {
  return {box.x, box.y - (kSumsHeight + kSumsGap) * type, box.width, kSumsHeight * type};
}

void drawColumnSums(const ColumnSums& sums, const Box& box, double beyond, double type,
                    FigureTheme theme, const TextMeasure& measure, DisplayList& list) {
  if (!sums.shares.empty())
    SumsPainter(sums, sumsBox(box, type), beyond, type, theme, measure, list).run();
}

} // namespace attention
