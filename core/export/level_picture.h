// A large picture of a page as one grey PNG for readers of light and of dark pages: its levels
// stand for pairs of colours, which filters of the page put in their place. Masks have few of them.
#pragma once

#include "core/plot/display_list.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attention {

// The colours of a level on a light page and on a dark one.
using LevelColors = std::pair<Color, Color>;

struct LevelPicture {
  std::vector<LevelColors> table; // at most 256, from light to dark
  std::string png;                // level k of n is the byte in the middle of its n-th part of all
};

// Pictures of one size that show the same. Pairs that differ by a few steps at most in each channel
// count as one, the commonest, where there are more than 256. Nothing for small pictures, whose
// table would be longer than the picture, and for those with more colours than that.
std::optional<LevelPicture> levelPicture(const Image& light, const Image& dark);

// The filter of SVG that puts a table's colours in the place of its levels.
std::string levelFilter(const std::vector<LevelColors>& table, bool dark, const std::string& id);

} // namespace attention
