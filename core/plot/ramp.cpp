#include "core/plot/ramp.h"

#include "core/plot/number_axis.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attention {
namespace {

// In sizes of type.
constexpr double kBefore = 0.9; // from the matrix
constexpr double kWide = 0.8;
constexpr double kBelowBar = 0.5; // from the matrix, where it is below
constexpr double kHigh = 0.6;
constexpr double kTickLength = 0.25;
constexpr double kTickText = 0.4;
constexpr double kLine = 1.3; // from number to number at least
constexpr int kSteps = 256;   // of colour

bool hasBothSigns(Ramp ramp) {
  return ramp == Ramp::Changes || ramp == Ramp::Differences || ramp == Ramp::Diverging;
}

// Colours use the square root of the share, and so does the bar, which gives small values room.
double valueAt(double at, const BarScale& scale) {
  const double root = hasBothSigns(scale.ramp) ? 2 * at - 1 : at;
  return std::copysign(root * root, root) * scale.top;
}

double placeOf(double value, const BarScale& scale) {
  const double root = std::copysign(std::sqrt(std::abs(value) / scale.top), value);
  return hasBothSigns(scale.ramp) ? (root + 1) / 2 : root;
}

std::string numberText(double value, bool both) {
  return (both && value > 0 ? "+" : "") + readableNumber(value, 2);
}

struct BarLook {
  double type;
  FigureTheme theme;
  const TextMeasure& measure;
};

void drawColors(const BarScale& scale, const Box& at, const BarLook& look, DisplayList& list) {
  const bool upright = at.height > at.width;
  const double length = std::max(at.width, at.height);
  const int steps = std::clamp(static_cast<int>(std::round(length)), 1, kSteps);
  Image image{upright ? 1 : steps, upright ? steps : 1, {}};
  for (int k = 0; k < steps; ++k) {
    const double from = (k + 0.5) / steps;
    image.pixels.push_back(
        rampColor(scale.ramp, valueAt(upright ? 1 - from : from, scale), scale.top, look.theme));
  }
  list.add(Picture{at, std::make_shared<const Image>(std::move(image))});
  list.add(StrokeBox{at, figureColors(look.theme).frame, 1});
}

void drawBeside(const RampBar& bar, const BarScale& scale, const Box& box, const BarLook& look,
                DisplayList& list) {
  const FigureColors& colors = figureColors(look.theme);
  const double type = look.type;
  const Box at{std::round(box.right() + kBefore * type), box.y, std::round(kWide * type),
               box.height};
  drawColors(scale, at, look, list);
  for (const BarTick& tick : barTicks(bar, scale, kLine * type / box.height)) {
    const double y = at.bottom() - tick.at * at.height;
    list.add(Polyline{
        {{at.right(), y}, {at.right() + kTickLength * type, y}}, colors.frame, 1, Dash::Solid});
    list.add(Text{{at.right() + kTickText * type, y + 0.35 * type},
                  tick.text,
                  type,
                  colors.dim,
                  TextAlign::Left,
                  false,
                  false});
  }
  list.add(Text{
      {at.x, box.y - 0.95 * type}, bar.label, type, colors.dim, TextAlign::Left, false, false});
}

// Its numbers below it, its name to its left where that has room.
void drawBelow(const RampBar& bar, const BarScale& scale, const Box& box, const BarLook& look,
               DisplayList& list) {
  const FigureColors& colors = figureColors(look.theme);
  const double type = look.type;
  const Box at{box.x, std::round(box.bottom() + kBelowBar * type), box.width,
               std::round(kHigh * type)};
  drawColors(scale, at, look, list);
  double widest = 0;
  for (const BarTick& tick : barTicks(bar, scale, 0))
    widest = std::max(widest, look.measure(tick.text, type, false));
  for (const BarTick& tick : barTicks(bar, scale, (widest + 0.6 * type) / box.width)) {
    const double x = at.x + tick.at * at.width;
    list.add(Polyline{
        {{x, at.bottom()}, {x, at.bottom() + kTickLength * type}}, colors.frame, 1, Dash::Solid});
    list.add(Text{{x, at.bottom() + (kTickText + 0.8) * type},
                  tick.text,
                  type,
                  colors.dim,
                  TextAlign::Center,
                  false,
                  false});
  }
  if (look.measure(bar.label, type, false) + kTickText * type <= at.x)
    list.add(Text{{at.x - kTickText * type, at.bottom()},
                  bar.label,
                  type,
                  colors.dim,
                  TextAlign::Right,
                  false,
                  false});
}

} // namespace

Image rampImage(const Matrix<float>& values, const RampScale& scale, const Run& run) {
  Image image{static_cast<int>(values.cols()), static_cast<int>(values.rows()), {}};
  image.pixels.reserve(values.values().size());
  std::optional<float> last; // neighbours are often equal
  for (Index row = 0; row < values.rows(); ++row) {
    run.check();
    for (const float value : values.view().row(row)) {
      image.pixels.push_back(last == value
                                 ? image.pixels.back()
                                 : rampColor(scale.ramp, static_cast<double>(value),
                                             static_cast<double>(scale.top), scale.theme));
      last = value;
    }
  }
  return image;
}

std::vector<BarTick> barTicks(const RampBar& bar, const BarScale& scale, double apart) {
  const bool both = hasBothSigns(scale.ramp);
  std::vector<BarTick> ticks;
  const auto add = [&](double value, const std::string& text) {
    const double at = placeOf(value, scale);
    const bool free = std::all_of(ticks.begin(), ticks.end(), [&](const BarTick& other) {
      return std::abs(other.at - at) >= apart - 1e-9 && other.text != text;
    });
    if (free)
      ticks.push_back({at, text});
  };
  add(scale.top, (bar.beyond ? "≥ " : "") + numberText(scale.top, both));
  add(0, "0");
  if (both)
    add(-scale.top, (bar.beyond ? "≤ " : "") + numberText(-scale.top, both));
  for (const double share : {0.3, 0.1, 0.6, 0.03}) {
    const double value = roundTowardZero(share * scale.top);
    add(value, numberText(value, both));
    if (both)
      add(-value, numberText(-value, both));
  }
  return ticks;
}

double barWidth(const RampBar& bar, const BarScale& scale, double type,
                const TextMeasure& measure) {
  double words = 0;
  if (scale.top > 0)
    for (const BarTick& tick : barTicks(bar, scale, 0))
      words = std::max(words, measure(tick.text, type, false));
  return std::max((kBefore + kWide + kTickText) * type + words,
                  kBefore * type + measure(bar.label, type, false));
}

double barHeight(double type) {
  return (kBelowBar + kHigh + kTickText + 1) * type;
}

void drawRampBar(const RampBar& bar, const BarScale& scale, const Box& box, double type,
                 FigureTheme theme, const TextMeasure& measure, DisplayList& list) {
  if (!(scale.top > 0))
    return;
  if (bar.below)
    drawBelow(bar, scale, box, {type, theme, measure}, list);
  else
    drawBeside(bar, scale, box, {type, theme, measure}, list);
}

} // namespace attention
