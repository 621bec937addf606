// A picture of a page as PNG files: one where readers of light and of dark pages can share it.
#pragma once

#include "core/export/level_picture.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct EncodedPicture {
  std::string first;                                  // for both themes, or for light pages only
  std::optional<std::string> second = {};             // for dark pages
  std::optional<std::vector<LevelColors>> table = {}; // of the levels of `first`, else its colours
};

// Pictures that show the same in a light and in a dark theme. Noise compresses badly: where the
// files are large and the picture has two pixels per unit, it gets one, the mean of four.
EncodedPicture encodedPicture(const Picture& light, const Picture& dark);

} // namespace attention
