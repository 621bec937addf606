// At most a given number of colours for a picture that may have more.
#pragma once

#include "core/plot/color.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace attention {

// The colours that most pixels have, exactly as they are; every other colour becomes the nearest of
// them. Figures have few colours in their areas and many in smoothed edges, so that areas and text
// keep theirs. Colours that differ by less than 8 in each channel count as one, the commonest.
class Palette {
public:
  // `most` ≥ 1.
  Palette(std::span<const Color> pixels, std::size_t most);

  const std::vector<Color>& colors() const { return colors_; }
  // The index of the colour that stands for one of `pixels`.
  std::size_t at(const Color& color) const;

private:
  std::vector<Color> colors_;
  std::unordered_map<std::uint32_t, std::size_t> index_; // by exact colour
};

} // namespace attention
