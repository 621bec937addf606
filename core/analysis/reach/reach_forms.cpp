#include "core/analysis/reach/reach_forms.h"

#include "core/analysis/reach/band_form.h"
#include "core/pattern/mechanism/all.h"

#include <algorithm>

namespace attention {
namespace {

Pattern patternOf(const BandForm& band, Index n) {
  const auto wide = [&](Index side) { return side >= n - 1; };
  if (band.step > 1) {
    const Index l = band.step;
    return Dilated{std::min(band.before, n) / l, std::min(band.after, n) / l, l};
  }
  if (wide(band.before) && wide(band.after))
    return Full{};
  if (wide(band.before) && band.after == 0)
    return Causal{};
  return SlidingWindow{std::min(band.before, n), std::min(band.after, n)};
}

// Two bands, in either order.
std::optional<BandForm> joined(const BandForm& a, const BandForm& b) {
  if (a.diagonal())
    return b;
  if (b.diagonal())
    return a;
  if (a.step == b.step)
    return BandForm{std::min(a.before + b.before, kUnbounded),
                    std::min(a.after + b.after, kUnbounded), a.step};
  // i − j = q l + r: r by the window, q l by the comb (Child et al. 2019, §4.3).
  const BandForm& window = a.step == 1 ? a : b;
  const BandForm& comb = a.step == 1 ? b : a;
  const bool causal = comb.after == 0 && window.after == 0;
  const bool both = comb.after >= kUnbounded && window.after >= comb.step - 1;
  if (window.step == 1 && comb.before >= kUnbounded && window.before >= comb.step - 1 &&
      (causal || both))
    return BandForm{kUnbounded, comb.after, 1};
  return std::nullopt;
}

// Whether every token sees itself without the residual connection.
struct Reflexive {
  template <class M>
  bool operator()(const M&) const {
    return false;
  }
  bool operator()(const BlockLocal&) const { return true; }
  bool operator()(const Strided&) const { return true; }
  bool operator()(const Fixed& fixed) const { return fixed.head != Factor::Second; }
  bool operator()(const Longformer&) const { return true; }
  bool operator()(const BigBird&) const { return true; }
  bool operator()(const Sinks& sinks) const { return sinkWindow(sinks) > 0; }
  bool operator()(const Graph& graph) const { return graph.selfLoops; }
  bool operator()(const PrefixLm&) const { return true; }
  bool operator()(const Document&) const { return true; }
  bool operator()(const Neighborhood&) const { return true; }
  bool operator()(const BlockDiffusion&) const { return true; }
  bool operator()(const Spans&) const { return true; }
  bool operator()(const Tree&) const { return true; }
};

struct LowerOnly {
  template <class M>
  bool operator()(const M&) const {
    return false;
  }
  bool operator()(const Strided& strided) const { return strided.causal; }
  bool operator()(const Fixed& fixed) const { return fixed.causal; }
  bool operator()(const BlockLocal& local) const { return local.causal; }
  bool operator()(const Longformer& longformer) const { return longformer.causal; }
  bool operator()(const BigBird& bigbird) const { return bigbird.causal; }
  bool operator()(const Graph& graph) const { return graph.causal; }
  bool operator()(const Sinks&) const { return true; }
  bool operator()(const VerticalSlash&) const { return true; }
  bool operator()(const Tree&) const { return true; }
  bool operator()(const DilatedSegments& segments) const { return segments.causal; }
  bool operator()(const Document& document) const { return document.causal && !document.prefix; }
};

class Fold {
public:
  Fold(Index n, bool residual) : n_(n), residual_(residual) {}

  bool reflexive(const Pattern& p) const {
    return band(p) || std::visit(Reflexive{}, p.mechanism());
  }

  // The layer above what `below` reaches.
  std::optional<Pattern> above(const Pattern& layer, const Pattern& below) const {
    const auto upper = band(layer);
    const auto lower = band(below);
    if (upper && lower) {
      const auto both = joined(*upper, *lower);
      return both ? std::optional(patternOf(*both, n_)) : std::nullopt;
    }
    if (lower && lower->step == 1 && keepsComplete(layer, *lower))
      return below;
    return std::visit([&](const auto& a) { return same(a, below); }, layer.mechanism());
  }

  // A layer by itself, with the residual connection.
  Pattern alone(const Pattern& layer) const {
    if (residual_ && !reflexive(layer))
      return Compose(Operation::Union, {layer, SlidingWindow{0, 0}});
    return layer;
  }

private:
  std::optional<BandForm> band(const Pattern& p) const { return bandOf(p, residual_); }

  // The whole square, or the whole triangle below a causal layer.
  bool keepsComplete(const Pattern& layer, const BandForm& below) const {
    if (below.before < n_ - 1 || !(residual_ || reflexive(layer)))
      return false;
    return below.after >= n_ - 1 ||
           (below.after == 0 && std::visit(LowerOnly{}, layer.mechanism()));
  }

  template <class M>
  std::optional<Pattern> same(const M& layer, const Pattern& below) const {
    const M* other = below.as<M>();
    return other ? pair(layer, *other) : std::nullopt;
  }

  template <class M>
  std::optional<Pattern> pair(const M&, const M&) const {
    return std::nullopt;
  }
  std::optional<Pattern> pair(const BlockLocal& a, const BlockLocal& b) const {
    if (a.blockSize != b.blockSize || a.causal != b.causal || a.wrap || b.wrap)
      return std::nullopt;
    BlockLocal wider = a;
    wider.before = std::min(a.before, n_) + std::min(b.before, n_);
    wider.after = std::min(a.after, n_) + std::min(b.after, n_);
    return wider;
  }
  std::optional<Pattern> pair(const Sinks& a, const Sinks& b) const {
    if (a.sinks != b.sinks || (!residual_ && (sinkWindow(a) == 0 || sinkWindow(b) == 0)))
      return std::nullopt;
    const auto steps = [&](const Sinks& s) {
      return std::max<Index>(std::min(sinkWindow(s), n_), 1) - 1;
    };
    return Sinks{a.sinks, std::min(steps(a) + steps(b) + 1, n_), Sinks::Reading::Exclusive};
  }
  std::optional<Pattern> pair(const Graph& a, const Graph& b) const {
    const bool rings = a.kind == Graph::Kind::Ring && b.kind == Graph::Kind::Ring;
    if (!rings || a.causal || b.causal || !(residual_ || (a.selfLoops && b.selfLoops)))
      return std::nullopt;
    Graph wider = a;
    wider.selfLoops = true;
    wider.k = std::min(std::min(a.k, n_) + std::min(b.k, n_), n_);
    return wider;
  }
  std::optional<Pattern> pair(const PrefixLm& a, const PrefixLm& b) const {
    return a == b ? std::optional<Pattern>(a) : std::nullopt;
  }
  std::optional<Pattern> pair(const Document& a, const Document& b) const {
    return a == b ? std::optional<Pattern>(a) : std::nullopt;
  }
  std::optional<Pattern> pair(const BlockDiffusion& a, const BlockDiffusion& b) const {
    return a == b ? std::optional<Pattern>(a) : std::nullopt;
  }
  std::optional<Pattern> pair(const Tree& a, const Tree& b) const {
    return a == b ? std::optional<Pattern>(a) : std::nullopt;
  }
  // Ids may give a span several pieces: text between them then sees ahead.
  std::optional<Pattern> pair(const Spans& a, const Spans& b) const {
    return a == b && a.spans && !a.window ? std::optional<Pattern>(a) : std::nullopt;
  }
  std::optional<Pattern> pair(const Longformer& a, const Longformer& b) const {
    return a == b && !a.causal && hasGlobals(a.globals) ? std::optional<Pattern>(Full{})
                                                        : std::nullopt;
  }
  std::optional<Pattern> pair(const BigBird& a, const BigBird& b) const {
    return a == b && !a.causal && a.globalFirst + a.globalLast > 0 ? std::optional<Pattern>(Full{})
                                                                   : std::nullopt;
  }
  std::optional<Pattern> pair(const Strided& a, const Strided& b) const {
    if (!(a == b) || a.head != Factor::Union)
      return std::nullopt;
    return a.causal ? Pattern(Causal{}) : Pattern(Full{});
  }
  std::optional<Pattern> pair(const Fixed& layer, const Fixed& below) const {
    Fixed united = layer;
    united.head = below.head;
    if (!(united == below) || !layer.causal)
      return std::nullopt;
    united.head = Factor::Union;
    if (layer.head == Factor::First && below.head == Factor::First)
      return Pattern(layer);
    const bool unions = layer.head == Factor::Union && below.head == Factor::Union;
    const bool order = layer.head == Factor::Second && below.head == Factor::First && residual_;
    if ((unions || order) && layer.subblock == 0)
      return wholeTriangle(layer);
    if (layer.head == Factor::First && below.head == Factor::Second && residual_)
      return Pattern(united);
    return std::nullopt;
  }
  // A short last block with moved columns is a different case.
  std::optional<Pattern> wholeTriangle(const Fixed& fixed) const {
    const bool moved = fixed.tail == Fixed::Tail::Shift && n_ % fixed.stride.value() != 0;
    return moved ? std::nullopt : std::optional<Pattern>(Causal{});
  }

  Index n_;
  bool residual_;
};

} // namespace

std::optional<Pattern> reachForm(std::span<const Pattern> layers, Index n, bool residual) {
  if (layers.empty())
    return Pattern(SlidingWindow{0, 0});
  const Fold fold(n, residual);
  std::optional<Pattern> reach = resolved(layers.front(), n);
  if (layers.size() == 1)
    return fold.alone(*reach);
  for (std::size_t t = 1; t < layers.size() && reach; ++t)
    reach = fold.above(resolved(layers[t], n), *reach);
  return reach;
}

std::optional<std::vector<LayerReach>> layersByForms(std::span<const Pattern> layers, Index n,
                                                     const PatternData& data, bool residual,
                                                     int threads, const Run& run) {
  const Lengths lengths = squareLengths(n);
  const auto triangle = prepare(Causal{}, lengths);
  const Fold fold(n, residual);
  std::vector<LayerReach> reached;
  std::optional<Pattern> below; // what the layers so far reach
  for (const Pattern& pattern : layers) {
    run.report(static_cast<double>(reached.size() + 1) / static_cast<double>(layers.size()));
    const Pattern layer = resolved(pattern, n);
    const auto reach = below ? fold.above(layer, *below) : layer;
    if (!reach)
      return std::nullopt;
    const auto t = static_cast<Index>(reached.size()) + 1;
    if (t > 2 && *reach == *below) { // the first layer alone may lack the diagonal
      reached.push_back(reached.back());
      reached.back().layer = t;
      continue;
    }
    const auto mask = prepare(below ? *reach : fold.alone(*reach), lengths, data, run);
    const auto causal = compose(Operation::Intersection, {mask, triangle}, {"reach", "causal"});
    reached.push_back(layerReach(t, n, mask->pairs(run, threads), causal->pairs(run, threads)));
    below = reach;
  }
  return reached;
}

} // namespace attention
