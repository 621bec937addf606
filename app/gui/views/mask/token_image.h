// The tokens as pixels of an image, row by row: the query's pixel and those that it attends to, in
// the hues of the parts, as in figure 3 of Child et al. (2019).
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/raster_picture.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/region.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace attention::gui {

using ImageShape = std::pair<Index, Index>; // rows, columns

// The Scene's image, if it is shown and its rows and columns give n.
std::optional<ImageShape> shownImage(const Scene& scene, const Lengths& lengths);

// How the image's pixels are gathered into texels where there are more than the screen has: a texel
// is a block of pixels, counted as stretches of keys.
struct ImageTexels {
  ImageShape shape;
  Index rows = 0;    // texels
  Index columns = 0; // texels
  // Stretches of one image row, or of several whole ones where a texel is as wide as the image.
  Lattice lattice(Index query) const;
  Index stretches() const { return columns == 1 ? rows : shape.first; } // of image rows
};

// At most `width` × `height` texels, and few enough stretches to count them all.
ImageTexels imageTexels(const ImageShape& shape, Index width, Index height);

// The colours of the texels, the query's in a colour of its own.
gl::Pixels tokenPixels(const CoverageRaster& raster, const ImageTexels& texels, Index query,
                       FigureTheme theme);

// While it lives, images are drawn and take input in the view's region, or, for a room elsewhere,
// in a window of their own, which Tab reaches.
class ImageGround {
public:
  ImageGround(const Ui& ui, const std::optional<RoomElsewhere>& room);
  ~ImageGround();
  ImageGround(ImageGround&&) = delete;

private:
  std::optional<Region> region_;
};

// Where the image lies inside its room, below its heading.
Rect imageArea(const Ui& ui, const Rect& room, const ImageShape& shape);

// `label` is its name in scripts: "Image".
CanvasInput imageInput(const Ui& ui, std::string_view label, const Rect& area,
                       const ImageShape& shape);

// "query 97: row 8, column 1": of the query that the image shows, the middle one if none is shown
// elsewhere.
std::string imageWords(const ViewContext& context, const ImageShape& shape);

// The token under a point of the image.
std::optional<Index> tokenAt(const Rect& area, const ImageShape& shape, float x, float y);

// The image of one mask; `slot` names its raster.
void drawTokenImage(const ViewContext& context, const ShownMask& tile, const std::string& slot,
                    const Rect& area, const ImageShape& shape, float density,
                    RasterPicture& picture);

// A heading over the image and the query's place below it, in `room`.
void drawImageCaptions(const ViewContext& context, const Rect& room, const Rect& area,
                       const ImageShape& shape);

} // namespace attention::gui
