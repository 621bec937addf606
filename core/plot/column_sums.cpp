#include "core/plot/column_sums.h"

#include "core/plot/mask_color.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attention {
namespace {

constexpr double kLeastBar = 3;     // pixels: width of a bar with a label
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
    drawBars();
    for (const ColumnLabel& label : sums_.labels)
      drawLabel(label);
  }

private:
  double column() const { return box_.width / static_cast<double>(sums_.shares.size()); }
  double middle(Index at) const { return box_.x + (static_cast<double>(at) + 0.5) * column(); }
  double height(double share) const {
    return std::max(std::abs(share) / most_ * box_.height, share == 0 ? 0.0 : 0.5);
  }
  Color colorOf(double share) const {
    if (signed_)
      return rampColor(Ramp::Changes, std::copysign(1.0, share), 1, theme_);
    return colors_.series[0];
  }

  // By colour, to be filled in one go each.
  void drawBars() {
    const auto columns = static_cast<Index>(sums_.shares.size());
    const auto room = static_cast<Index>(std::max(std::floor(box_.width), 1.0));
    const Index pixels = std::min(columns, room);
    std::map<bool, std::vector<Box>> bars;
    for (Index pixel = 0; pixel < pixels; ++pixel) {
      const auto begin = sums_.shares.begin() + pixel * columns / pixels;
      const auto end = sums_.shares.begin() + (pixel + 1) * columns / pixels;
      const double share = *std::max_element(
          begin, end, [](double a, double b) { return std::abs(a) < std::abs(b); });
      if (share == 0)
        continue;
      const double each = box_.width / static_cast<double>(pixels);
      const double high = height(share);
      bars[share < 0].push_back(
          {box_.x + static_cast<double>(pixel) * each, box_.bottom() - high, each, high});
    }
    for (auto& [below, boxes] : bars)
      list_.add(FillBoxes{std::move(boxes), colorOf(below ? -1 : 1), {}, {1, 1}});
  }

  // A wide bar, and its words beside the top of it where no others stand.
  void drawLabel(const ColumnLabel& label) {
    const double share = sums_.shares[static_cast<std::size_t>(label.column)];
    const double wide = std::max(column(), kLeastBar);
    const double x =
        std::clamp(middle(label.column) - wide / 2, box_.x, std::max(box_.x, box_.right() - wide));
    const double high = height(share);
    list_.add(FillBoxes{{{x, box_.bottom() - high, wide, high}}, colorOf(share), {}, {1, 1}});
    if (!drawWords(label.text, x, wide))
      drawWords(label.brief, x, wide);
  }

  // Beside a bar, in the first row where there is a place; whether there is one.
  bool drawWords(const std::string& words, double bar, double wide) {
    const double width = measure_(words, type_, true);
    const double gap = kLabelGap * type_;
    for (std::size_t row = 0; row < kLabelRows; ++row)
      for (const double left : {bar + wide + gap, bar - gap - width}) {
        const Box room{left, box_.y + static_cast<double>(row) * kLabelLine * type_, width,
                       kLabelLine * type_};
        if (!isFree(room, row == 0 ? beyond_ : 0))
          continue;
        taken_.push_back({room.x - gap, room.y, room.width + 2 * gap, room.height});
        list_.add(Text{{left, room.y + 0.95 * type_},
                       words,
                       type_,
                       colors_.text,
                       TextAlign::Left,
                       true,
                       false});
        return true;
      }
    return false;
  }

  bool isFree(const Box& room, double beyond) const {
    if (room.x < box_.x - 0.5 || room.right() > box_.right() + beyond + 0.5)
      return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
      return room.x < other.right() && other.x < room.right() && room.y < other.bottom() &&
             other.y < room.bottom();
    });
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
  std::vector<Box> taken_;
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
