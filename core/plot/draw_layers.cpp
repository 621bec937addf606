#include "core/plot/draw_marks.h"

#include "core/plot/plot_margins.h"
#include "core/plot/ticks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace attention {
namespace {

constexpr double kMostRadius = 5.5; // pixels at 13 pixels of type, as all that follow
constexpr double kLitWidth = 1.4;
constexpr double kPathWidth = 3;
// Where more lines than this overlap on average between two rows, the background shines through
// them, so that many do not merge into one area; fainter than the minimum they would be invisible.
constexpr double kMostOverEachOther = 0.6;
constexpr double kLeastOpacity = 0.13;
constexpr Index kNeighbours = 4; // half tokens to either side that a place's mean is over

class LayerPainter {
public:
  LayerPainter(const LayersMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing)
      : mark_(mark), box_(box), style_(style), drawing_(drawing),
        colors_(figureColors(style.theme)), scale_(style.type / 13),
        cell_(box.width / static_cast<double>(mark.tokens)),
        radius_(std::min(kMostRadius * scale_, 0.36 * cell_)) {}

  void run(const std::optional<Axis>& tokens) {
    measureCrowds();
    for (const bool lit : {false, true})
      for (const LayerEdge& edge : mark_.edges)
        if (edge.lit == lit)
          drawEdge(edge);
    drawPath();
    drawTokens();
    for (Index row = 0; row <= mark_.layers && mark_.rowNames; ++row)
      addText({box_.x - 0.7 * style_.type, place(row, 0).y + 0.35 * style_.type}, rowName(row),
              TextAlign::Right, false);
    if (tokens)
      drawAxis(*tokens);
  }

private:
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }
  void addText(Point at, const std::string& text, TextAlign align, bool upwards) {
    add(Text{at, text, style_.type, colors_.dim, align, false, upwards});
  }
  Point place(Index row, Index token) const { return placeOf(mark_, box_, row, token); }

  double widthOf(bool lit) const {
    return scale_ * (lit ? std::min(kLitWidth, 0.1 * cell_ + 0.4) : 1);
  }

  // Lines are counted where they are halfway between two rows of tokens: in half tokens from 0.
  static Index halfway(const LayerEdge& edge) { return edge.query + edge.key; }

  void measureCrowds() {
    std::map<std::pair<Index, bool>, std::vector<Index>> lines;
    for (const LayerEdge& edge : mark_.edges) {
      auto& counts = lines[{edge.layer, edge.lit}];
      counts.resize(static_cast<std::size_t>(2 * mark_.tokens));
      ++counts[static_cast<std::size_t>(halfway(edge))];
    }
    for (const auto& [where, counts] : lines)
      opacity_[where] = opacities(counts, widthOf(where.second));
  }

  // The opacity of lines of this width at each place, by how many lie nearby.
  std::vector<double> opacities(const std::vector<Index>& counts, double width) const {
    const auto size = static_cast<Index>(counts.size());
    std::vector<double> opacities;
    for (Index at = 0; at < size; ++at) {
      const Index begin = std::max<Index>(at - kNeighbours, 0);
      const Index end = std::min(at + kNeighbours + 1, size);
      const auto lines = static_cast<double>(
          std::accumulate(counts.begin() + begin, counts.begin() + end, Index{0}));
      const double room = static_cast<double>(end - begin) * cell_ / 2;
      const double covered = std::max(lines * width / room, 1e-9);
      opacities.push_back(std::clamp(kMostOverEachOther / covered, kLeastOpacity, 1.0));
    }
    return opacities;
  }

  void drawEdge(const LayerEdge& edge) {
    Color color = edge.lit ? colors_.series[0] : colors_.line;
    color.a = roundedByte(
        255 * opacity_.at({edge.layer, edge.lit})[static_cast<std::size_t>(halfway(edge))]);
    add(Polyline{{place(edge.layer, edge.query), place(edge.layer - 1, edge.key)},
                 color,
                 widthOf(edge.lit),
                 edge.residual ? Dash::Dashed : Dash::Solid});
  }

  void drawPath() {
    if (mark_.path.size() < 2)
      return;
    Polyline line{{}, colors_.series[1], scale_ * kPathWidth};
    auto row = static_cast<Index>(mark_.path.size()) - 1; // fewer layers are the lowest ones
    for (const Index token : mark_.path)
      line.points.push_back(place(row--, token));
    add(std::move(line));
  }

  void drawTokens() {
    std::map<bool, Markers> discs;
    for (Index row = 0; row <= mark_.layers; ++row)
      for (Index token = 0; token < mark_.tokens; ++token) {
        const auto r = static_cast<std::size_t>(row);
        const bool lit = r < mark_.lit.size() && mark_.lit[r][static_cast<std::size_t>(token)];
        discs[lit].centres.push_back(place(row, token));
      }
    for (auto& [lit, of] : discs) {
      of.radius = radius_;
      of.color = lit ? colors_.series[0] : mix(colors_.ground, colors_.frame, 0.45);
      add(std::move(of));
    }
  }

  void drawAxis(const Axis& axis) {
    const double type = style_.type;
    const double y = box_.bottom() + type / 2;
    const bool names = style_.names && !axis.names.empty();
    const double gap = widestNumber(axis, type, drawing_.measure) + 1.2 * type;
    const auto ticks = names ? nameTicks(axis, box_.width, type, drawing_.measure)
                             : numberTicks(axis, box_.width, gap);
    double labels = type;
    for (const Tick& tick : ticks) {
      if (names)
        labels = std::max(labels, drawing_.measure(tick.text, type, false));
      const double token = tick.at - static_cast<double>(axis.begin);
      const double x = box_.x + token * cell_;
      if (names)
        addText({x + 0.35 * type, y + kTickGap * type}, tick.text, TextAlign::Right, true);
      else
        addText({x, y + (kTickGap + 0.75) * type}, tick.text, TextAlign::Center, false);
    }
    if (!axis.label.empty())
      addText({box_.x + box_.width / 2,
               y + kTickGap * type + labels + (kAxisLabelLine * kLineHeight - 0.25) * type},
              fitted(axis.label, box_.width, {type, false}, drawing_.measure), TextAlign::Center,
              false);
  }

  const LayersMark& mark_;
  Box box_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  const FigureColors& colors_;
  double scale_;
  double cell_; // between two tokens
  double radius_;
  // Of lines by layer, unlit and lit, at each place.
  std::map<std::pair<Index, bool>, std::vector<double>> opacity_;
};

} // namespace

void drawLayers(const LayersMark& mark, const std::optional<Axis>& tokens, const Box& box,
                const PlotStyle& style, const Drawing& drawing) {
  LayerPainter(mark, box, style, drawing).run(tokens);
}

Point placeOf(const LayersMark& mark, const Box& box, Index row, Index token) {
  const double x = (static_cast<double>(token) + 0.5) / static_cast<double>(mark.tokens);
  const double y =
      mark.layers == 0 ? 0.5 : static_cast<double>(row) / static_cast<double>(mark.layers);
  return {box.x + x * box.width, box.bottom() - y * box.height};
}

} // namespace attention
