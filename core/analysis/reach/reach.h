// Receptive fields (S10): which inputs can influence which outputs of a stack of attention layers.
// R_0 = I; layer t (1 is the lowest) with mask M_t gives R_t = M_t ∘ R_{t−1} with
// (A ∘ B)[i][j] = ∨_a A[i][a] ∧ B[a][j]; with the residual connection M_t is replaced by M_t ∨ I.
// hops[i][j] is the least t with R_t[i][j].
//
// All of it is exact, holds one bit per pair, and gives the same bits at any number of threads.
// Beyond kMostReachTokens there are the frontier of one token (token_reach.h) and the closed forms
// (reach_forms.h).
#pragma once

#include "core/analysis/reach/bit_matrix.h"
#include "core/pattern/prepared.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace attention {

constexpr Index kMostReachTokens = 16384; // n of a whole matrix
constexpr Index kMostHops = 32767;        // layers that a hop matrix can tell apart

// Layers in turn: layer t ≥ 1 has the pattern (t − 1) mod patterns, the first one lowest.
struct LayerStack {
  std::vector<std::shared_ptr<const Prepared>> patterns;
  bool residual = true;

  const Prepared& pattern(Index layer) const {
    return *patterns[static_cast<std::size_t>((layer - 1) % static_cast<Index>(patterns.size()))];
  }
  Index n() const { return patterns.front()->lengths().keys; }
};

// Throws E_TYPE for no pattern, E_SHAPE where the patterns are not square or differ in length.
void checkStack(const LayerStack& stack);

// What layers 1 to `layer` together reach.
struct LayerReach {
  Index layer = 0;
  Index pairs = 0;       // Σ R
  Index causalPairs = 0; // those with j ≤ i
  double ofFull = 0;     // pairs / n²
  double ofCausal = 0;   // causalPairs / tri(n)
  bool operator==(const LayerReach&) const = default;
};
LayerReach layerReach(Index layer, Index n, Index pairs, Index causalPairs);

struct ReceptiveField {
  BitMatrix reach; // of all layers
  std::vector<LayerReach> layers;
};

// The reach as a mask, which pictures, files and counts take like any other.
std::shared_ptr<const Prepared> reachPattern(BitMatrix reach);

// R_1 … R_layers. E_RANGE: layers < 0, n > kMostReachTokens. Cost: see bit_product.h, one product
// per layer until nothing more can be reached; formulas and random graphs are evaluated once for
// all layers.
ReceptiveField receptiveField(const LayerStack& stack, Index layers, int threads = 0,
                              const Run& run = {});

// hops[i][j], −1 where no number of layers suffices; with the residual connection hops[i][i] = 0,
// without it every path has at least one layer. Different patterns repeat in turn for ever. Stops
// after the last new pair. Errors as above; E_RANGE beyond kMostHops layers.
class HopMatrix {
public:
  explicit HopMatrix(Index n) : n_(n), hops_(static_cast<std::size_t>(n * n), std::int16_t{-1}) {}
  Index n() const { return n_; }
  Index operator()(Index i, Index j) const { return hops_[static_cast<std::size_t>(i * n_ + j)]; }
  void set(Index i, Index j, Index hops) {
    hops_[static_cast<std::size_t>(i * n_ + j)] = static_cast<std::int16_t>(hops);
  }

private:
  Index n_;
  std::vector<std::int16_t> hops_;
};
HopMatrix hopMatrix(const LayerStack& stack, int threads = 0, const Run& run = {});
// The largest of them, 0 if nothing is reached. O(n²).
Index longestOf(const HopMatrix& hops, const Run& run = {});

// The largest of the hops: the longest of the shortest paths (Vaswani et al. 2017, table 1);
// 0 if nothing is reached. One pattern: O(log) products, by doubling; several in turn: one
// product per layer.
Index maximumPath(const LayerStack& stack, int threads = 0, const Run& run = {});

// Pairs that are lost again: without the residual connection a layer passes on only what it reads,
// so pairs that fewer layers reach need not be reached by all of them (S10: fixed attention).
struct LostPairs {
  BitMatrix pairs; // [i][j]: for some t < layers in R_t, and not in R_layers
  Index count = 0;
};

// `reach`: R_layers. Nothing if no pair is lost, which is always so with the residual
// connection. O(n²).
std::optional<LostPairs> lostPairs(const HopMatrix& hops, const BitMatrix& reach, Index layers,
                                   const Run& run = {});

} // namespace attention
