// What the Mask view shows of a Scene: the heads of the mechanism, weights over the mask, tokens as
// an image, and patterns side by side. Plain data of the Scene.
#pragma once

#include "core/analysis/tiles/rank_work.h"
#include "core/scene/panel.h"
#include "core/scene/settings.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attention {

enum class HeadsShown { One, SideBySide, Merged };

// The attention heads of the mechanism (S4.17), not of a model.
struct HeadsSpec {
  HeadsShown shown = HeadsShown::One;
  Index heads = 4;
  bool alternate = false;       // factors alternate instead of being merged
  Index subblocks = 1;          // fixed: distinct sub-blocks over the heads
  std::vector<Index> dilations; // longformer: one per head
  bool operator==(const HeadsSpec&) const = default;
};

// Attention weights over the mask; where a pixel holds several cells, their maximum or their sum.
enum class WeightsShown { Off, Maximum, Sum };

// The tokens as pixels of an image, row by row (Child et al. 2019, figure 3).
struct ImageSpec {
  bool shown = false;
  std::optional<Index> rows; // both absent: as square as n allows
  std::optional<Index> columns;
  bool operator==(const ImageSpec&) const = default;
};

// The mask as block-sparse kernels compute it: tiles of queries × keys (spec T9).
struct TilesSpec {
  bool shown = false;
  Index queries = 128;
  Index keys = 128;
  bool operator==(const TilesSpec&) const = default;
};

// The queries split over devices, and the pairs of each (spec T10).
struct RanksSpec {
  bool shown = false;
  Index ranks = 8;
  RankScheme scheme = RankScheme::Contiguous;
  Index chunk = 1; // queries dealt at once, of striped, sorted and greedy
  bool operator==(const RanksSpec&) const = default;
};

// What can be said of the mask without knowing where it comes from (spec T12), and the layer of a
// real model that it is compared with.
struct CheckSpec {
  bool shown = false;
  std::string model; // a name of core/analysis/stack/models.h; empty: none
  Index layer = 0;
  bool operator==(const CheckSpec&) const = default;
};

struct MaskSpec {
  HeadsSpec heads;
  WeightsShown weights = WeightsShown::Off;
  ImageSpec image;
  TilesSpec tiles;
  RanksSpec ranks;
  CheckSpec check;
  std::vector<std::string> hidden; // of layers over one square (branch_layers.h): parts not drawn
  std::vector<Panel> panels;       // side by side; empty: only the Scene's pattern
  bool operator==(const MaskSpec&) const = default;
};

// Settings of one part hold whatever the others are; the parts have settings of their own.
const Settings<HeadsSpec>& headsSettings();
const Settings<ImageSpec>& imageSettings();
const Settings<TilesSpec>& tilesSettings();
const Settings<RanksSpec>& ranksSettings();
const Settings<CheckSpec>& maskCheckSettings();
const Settings<MaskSpec>& maskSettings();

// E_RANGE names a setting of what is shown that is out of bounds: "mask.tiles.queries".
void check(const MaskSpec& spec);

// The rows and columns of the image of n tokens: given, completed (rows · columns = n), or the most
// square one. E_RANGE where they do not give n.
std::pair<Index, Index> imageShape(const ImageSpec& image, Index n);

} // namespace attention
