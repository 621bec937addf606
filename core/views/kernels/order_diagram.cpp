// The order of multiplication as a diagram (Choromanski et al. 2021, figure 1).
#include "core/support/number_text.h"
#include "core/views/kernels/kernels_figure.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Units of the diagram.
constexpr double kWidth = 100;
constexpr double kRowHeight = 30;
constexpr double kLong = 15; // the longest side, where there is room
constexpr double kLeast = 3.4;
constexpr double kGap = 4.6;    // between two factors, where their sign stands
constexpr double kFrame = 2.4;  // around a group
constexpr double kWordsAt = 72; // where the counts begin
constexpr double kOffWords = 4; // at least, from the last factor to them
constexpr std::size_t kQueryHue = 0;
constexpr std::size_t kKeyHue = 1;
constexpr std::size_t kValueHue = 2;
constexpr std::size_t kBetweenHue = 5;

std::string grouped(double value) {
  if (value >= 1e15)
    return readableNumber(value);
  return groupedDigits(std::llround(value));
}

class OrderDiagram {
public:
  explicit OrderDiagram(const ProductShapes& shapes) : shapes_(shapes) {
    const double room = kWordsAt - kOffWords - 2 * kFrame - 3 * kGap;
    const double widest = std::max(m() + 2 * l() + d(), l() + 2 * d() + m());
    long_ *= std::min(1.0, room / widest);
  }

  DiagramMark make() {
    mark_.width = kWidth;
    mark_.height = 2 * kRowHeight + 6;
    note(); // before the counts, which keep off it
    matrixFirstRow(8);
    valuesFirstRow(8 + kRowHeight);
    return std::move(mark_);
  }

private:
  void note() {
    DiagramText words;
    words.at = {0, mark_.height - 1.6};
    words.text = "L = " + grouped(static_cast<double>(shapes_.length)) +
                 ", m = " + grouped(static_cast<double>(shapes_.features)) +
                 " features, d = " + grouped(static_cast<double>(shapes_.dv)) +
                 (shapes_.causal ? ", causal" : "") + "; boxes are not to scale";
    words.dim = true;
    words.yields = true;
    mark_.texts.push_back(std::move(words));
  }

  // As wide as the square root of what it stands for, since long sides are much longer than short
  // ones.
  double side(Index numbers) const {
    const Index most = std::max({shapes_.length, shapes_.features, shapes_.dv});
    const double share = static_cast<double>(numbers) / static_cast<double>(most);
    return std::clamp(long_ * std::sqrt(share), kLeast, long_);
  }
  double l() const { return side(shapes_.length); }
  double m() const { return side(shapes_.features); }
  double d() const { return side(shapes_.dv); }

  // A factor at `x`, in the middle of the row; returns its right end.
  double factor(double x, double middle, Size size, const DiagramBox& words) {
    DiagramBox box = words;
    box.box = {x, middle - size.height / 2, size.width, size.height};
    mark_.boxes.push_back(box);
    return x + size.width;
  }
  double sign(double x, double middle, const std::string& text) {
    mark_.texts.push_back({{x + kGap / 2, middle}, text, TextAlign::Center, true, false});
    return x + kGap;
  }
  void group(double from, double to, double middle) {
    mark_.groups.push_back(
        {from - kFrame, middle - kLong / 2 - 4.6, to - from + 2 * kFrame, kLong + 9.2});
  }

  void counts(double top, const std::string& title, const ProductOrder& order,
              const std::string& formula, const std::string& between) {
    const auto line = [&](double down, const std::string& text, bool bold, bool dim) {
      DiagramText words{{kWordsAt, top + down}, text, TextAlign::Left, bold, dim};
      words.yields = true;
      mark_.texts.push_back(std::move(words));
    };
    line(0, title, true, false);
    line(4.2, grouped(order.total()), true, false);
    line(7.2, "multiplications", false, true);
    line(10.2, formula, false, true);
    line(14.4, grouped(order.between), true, false);
    line(17.4, "numbers held: " + between, false, true);
  }

  void matrixFirstRow(double top) {
    const double middle = top + kLong / 2;
    double x = kFrame;
    const double from = x;
    x = factor(x, middle, {m(), l()}, {{}, kQueryHue, "Q′", "L × m"});
    x = sign(x, middle, "·");
    x = factor(x, middle, {l(), m()}, {{}, kKeyHue, "K′ᵀ", "m × L"});
    group(from, x, middle);
    x = sign(x + kFrame, middle, "→");
    x = factor(x, middle, {l(), l()}, {{}, kBetweenHue, "Â", "L × L"});
    x = sign(x, middle, "·");
    factor(x, middle, {d(), l()}, {{}, kValueHue, "V", "L × d"});
    const std::string pairs = shapes_.causal ? "½ L (L + 1)" : "L²";
    counts(top, "(Q′ K′ᵀ) V", matrixFirst(shapes_), pairs + " (m + d)", pairs);
  }

  void valuesFirstRow(double top) {
    const double middle = top + kLong / 2;
    double x = kFrame;
    const double from = x;
    x = factor(x, middle, {l(), m()}, {{}, kKeyHue, "K′ᵀ", "m × L"});
    x = sign(x, middle, "·");
    x = factor(x, middle, {d(), l()}, {{}, kValueHue, "V", "L × d"});
    group(from, x, middle);
    x = sign(x + kFrame, middle, "→");
    x = factor(x, middle, {m(), l()}, {{}, kQueryHue, "Q′", "L × m"});
    x = sign(x, middle, "·");
    factor(x, middle, {d(), m()},
           {{}, kBetweenHue, shapes_.causal ? "Σ k′ᵢ vᵢᵀ" : "K′ᵀV", "m × d"});
    counts(top, "Q′ (K′ᵀ V)", valuesFirst(shapes_), "2 L m d", "m d");
  }

  ProductShapes shapes_;
  double long_ = kLong;
  DiagramMark mark_;
};

} // namespace

Plot orderDiagram(const ProductShapes& shapes) {
  return {OrderDiagram(shapes).make(), std::nullopt, std::nullopt};
}

} // namespace attention
