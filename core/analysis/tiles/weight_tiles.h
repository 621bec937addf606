// The tiles of block-sparse kernels over attention weights: which are full, partial or empty in the
// pattern (tile_layer.h), and how much of all attention lies in each.
#pragma once

#include "core/analysis/tiles/tile_layer.h"
#include "core/analysis/weight_maps.h"

#include <vector>

namespace attention {

// By square of the layer, row by row: the sum of its weights over the number of all queries, so
// that all squares together have the share of queries that have weights.
struct WeightTiles {
  TileLayer layer;             // of the pattern
  std::vector<double> dense;   // over the base's keys
  std::vector<double> pattern; // over the pattern's
};

// O(cells of the grid · d). Stopped.
WeightTiles weightTiles(const HeadWeights& of, const TileGrid& grid, const Run& run = {});

// What dense attention has in all squares of a kind: in the empty ones, what the pattern loses.
double denseMassIn(const WeightTiles& tiles, TileKind kind);

} // namespace attention
