// What the commands that write pictures share: size and theme.
#pragma once

#include "app/cli/arguments.h"
#include "core/figure/color.h"
#include "core/figure/mask_raster.h"

#include <optional>

namespace attention::cli {

// --size 1280x800. E_TYPE.
std::optional<PixelSize> sizeFrom(const Arguments& arguments);

// --theme light or dark; light where it is absent. E_RANGE.
FigureTheme themeFrom(const Arguments& arguments);

} // namespace attention::cli
