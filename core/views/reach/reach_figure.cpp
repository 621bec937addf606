#include "core/views/reach/reach_figure.h"

#include "core/analysis/reach/reach_text.h"
#include "core/pattern/coverage.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace attention {
namespace {

void requireFew(const std::string& what, Index found, Index most) {
  if (found > most)
    throw Error(ErrorCode::Range, what,
                "the graph shows up to " + std::to_string(most) +
                    (what == "n" ? " tokens" : " layers") + "; " + what + " is " +
                    std::to_string(found));
}

class GraphMaker {
public:
  GraphMaker(const LayerStack& stack, const LayerGraphSpec& spec) : stack_(stack), spec_(spec) {
    mark_.tokens = stack.n();
    mark_.layers = spec.layers;
    mark_.path = spec.path;
    if (stack.residual && !spec.path.empty()) // what the path does not need carries it on
      mark_.path.insert(mark_.path.begin(),
                        static_cast<std::size_t>(spec.layers) + 1 - spec.path.size(),
                        spec.path.front());
    mark_.lit.assign(static_cast<std::size_t>(spec.layers) + 1,
                     std::vector<bool>(static_cast<std::size_t>(mark_.tokens), false));
    if (spec.token)
      mark_.lit.back()[static_cast<std::size_t>(*spec.token)] = true;
  }

  // From the top down: what a lit token reads is lit.
  LayersMark make() {
    for (Index layer = spec_.layers; layer >= 1; --layer)
      for (Index query = 0; query < mark_.tokens; ++query)
        addRow(layer, query);
    if (mark_.edges.size() > kMostGraphEdges)
      std::erase_if(mark_.edges, [](const LayerEdge& edge) { return !edge.lit; });
    if (mark_.edges.size() > kMostGraphEdges)
      throw Error(ErrorCode::Range, "n",
                  "the graph shows up to " + groupedDigits(kMostGraphEdges) + " lit edges; " +
                      countText(mark_.tokens, "token") + " in " + countText(spec_.layers, "layer") +
                      " have more");
    return std::move(mark_);
  }

private:
  void addRow(Index layer, Index query) {
    stack_.pattern(layer).row(query, row_);
    for (const KeyRange& range : row_)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index key = begin; key < end; ++key)
          addEdge({layer, query, key, false, false});
      });
    if (stack_.residual && !stack_.pattern(layer).contains(query, query))
      addEdge({layer, query, query, true, false});
  }

  void addEdge(LayerEdge edge) {
    const auto layer = static_cast<std::size_t>(edge.layer);
    const bool shown = edge.layer > spec_.layers - spec_.shown.value_or(spec_.layers);
    edge.lit = shown && mark_.lit[layer][static_cast<std::size_t>(edge.query)];
    if (edge.lit)
      mark_.lit[layer - 1][static_cast<std::size_t>(edge.key)] = true;
    mark_.edges.push_back(edge);
  }

  const LayerStack& stack_;
  const LayerGraphSpec& spec_;
  LayersMark mark_;
  KeyRanges row_;
};

// What pointers tell of a matrix's numbers.
std::vector<PlaceWords> hopWords(const Matrix<float>& values) {
  std::vector<PlaceWords> all;
  const std::set<float> different(values.values().begin(), values.values().end());
  for (const float value : different) {
    const auto number = static_cast<Index>(value);
    const bool lost = number <= kLostHops;
    all.push_back(
        {{}, hopsText("{key}", "{query}", lost ? kLostHops - number : number, lost), {}, number});
  }
  return all;
}

// The largest number of hops of the pairs in a pixel, or that one of them is lost.
Index largest(const HopMatrix& hops, const LostPairs* lost, const Lattice& pixels, Index y,
              Index x) {
  const auto row = static_cast<std::size_t>(y);
  const auto column = static_cast<std::size_t>(x);
  Index most = -1;
  for (Index i = pixels.rowEdges[row]; i < pixels.rowEdges[row + 1]; ++i)
    for (Index j = pixels.keyEdges[column]; j < pixels.keyEdges[column + 1]; ++j) {
      if (lost && lost->pairs(i, j))
        return kLostHops - hops(i, j);
      most = std::max(most, hops(i, j));
    }
  return most;
}

} // namespace

void requireGraph(const LayerStack& stack, Index layers) {
  checkStack(stack);
  requireFew("n", stack.n(), kMostGraphTokens);
  requireFew("layers", layers, kMostGraphLayers);
}

Plot layerGraph(const LayerStack& stack, const LayerGraphSpec& spec) {
  requireGraph(stack, spec.layers);
  if (spec.token && (*spec.token < 0 || *spec.token >= stack.n()))
    throwRange("token", std::to_string(*spec.token),
               "an integer from 0 to " + std::to_string(stack.n() - 1));
  Plot plot;
  plot.mark = GraphMaker(stack, spec).make();
  Axis tokens{"token", 0, stack.n(), {}};
  if (static_cast<Index>(spec.names.size()) >= stack.n())
    tokens.names.assign(spec.names.begin(), spec.names.begin() + stack.n());
  plot.keys = std::move(tokens);
  return plot;
}

Plot hopPlot(const HopMatrix& hops, Index longest, const LostPairs* lost,
             const std::optional<Rect>& cells, const Run& run) {
  constexpr Index kMostPixels = 1024;
  const Index n = hops.n();
  const Rect shown = cells.value_or(Rect{0, n, 0, n});
  const Lattice pixels = latticeOver(shown, std::min(shown.rowEnd - shown.rowBegin, kMostPixels),
                                     std::min(shown.keyEnd - shown.keyBegin, kMostPixels));
  Matrix<float> values(pixels.rows(), pixels.cols());
  for (Index y = 0; y < pixels.rows(); ++y) {
    run.check();
    for (Index x = 0; x < pixels.cols(); ++x)
      values(y, x) = static_cast<float>(largest(hops, lost, pixels, y, x));
  }
  ValuesMark mark;
  mark.values = std::make_shared<const Matrix<float>>(std::move(values));
  mark.cells = shown;
  mark.top = static_cast<float>(longest);
  mark.ramp = Ramp::Hops;
  Plot plot{mark, Axis{"key j", shown.keyBegin, shown.keyEnd, {}},
            Axis{"query i", shown.rowBegin, shown.rowEnd, {}}};
  plot.told = [values = mark.values] { return hopWords(*values); };
  return plot;
}

std::vector<LegendEntry> hopLegend(const Plot& hops, FigureTheme theme,
                                   const HopLegendOptions& options) {
  constexpr Index kMostEntries = 8;
  const auto top = static_cast<double>(std::get<ValuesMark>(hops.mark).top);
  const auto most = static_cast<Index>(top);
  const Index step = ceilDiv(most + 1, kMostEntries);
  std::vector<LegendEntry> legend;
  const auto add = [&](Index count) {
    legend.push_back({hopColor(static_cast<double>(count), top, theme),
                      options.unit.empty() ? groupedDigits(count) : counted(count, options.unit)});
  };
  const Index least = options.residual ? 0 : 1;
  for (Index count = least; count < most; count += step)
    add(count);
  if (most >= least)
    add(most);
  if (options.lost)
    legend.push_back({hopColor(static_cast<double>(kLostHops), top, theme),
                      options.unit.empty() ? "lost" : "lost again"});
  return legend;
}

Plot growthPlot(const std::vector<ReachGrowth>& curves) {
  static constexpr std::array kDashes{Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDotted};
  CurvesMark mark;
  Index last = 1;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const ReachGrowth& growth = curves[k];
    // Relative to what a token of that stack may see: a complete curve ends at 1.
    const auto ofVisible = [&](const LayerReach& layer) {
      return growth.causal ? layer.ofCausal : layer.ofFull;
    };
    const LayerReach itself = layerReach(0, growth.n, growth.n, growth.n);
    Curve curve;
    curve.label = growth.label;
    curve.hue = growth.hue;
    curve.dash = kDashes[k % kDashes.size()];
    curve.points.push_back({0, ofVisible(itself)});
    for (const LayerReach& layer : growth.layers) {
      curve.points.push_back({static_cast<double>(layer.layer), ofVisible(layer)});
      last = std::max(last, layer.layer);
    }
    mark.curves.push_back(std::move(curve));
  }
  mark.x = {"layers", Scale::Linear, 0, static_cast<double>(last), true};
  mark.y = {"share of visible tokens reached", Scale::Linear, 0, 1};
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
