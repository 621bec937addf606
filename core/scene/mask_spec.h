// What the Mask view shows of a Scene: the heads of the mechanism, weights over the mask, tokens as
// an image, and patterns side by side. Plain data of the Scene.
#pragma once

#include "core/scene/panel.h"
#include "core/scene/settings.h"

#include <optional>
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

struct MaskSpec {
  HeadsSpec heads;
  WeightsShown weights = WeightsShown::Off;
  ImageSpec image;
  std::vector<Panel> panels; // side by side; empty: only the Scene's pattern
  bool operator==(const MaskSpec&) const = default;
};

// Settings of one part hold whatever the others are; `heads` and `image` have settings of their
// own.
const Settings<HeadsSpec>& headsSettings();
const Settings<ImageSpec>& imageSettings();
const Settings<MaskSpec>& maskSettings();

// The rows and columns of the image of n tokens: given, completed (rows · columns = n), or the most
// square one. E_RANGE where they do not give n.
std::pair<Index, Index> imageShape(const ImageSpec& image, Index n);

} // namespace attention
