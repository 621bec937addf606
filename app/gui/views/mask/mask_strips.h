// One query's row below the matrix and one key's column beside it, under the matrix's own axes, and
// the line of words between: "query 97 attends to 19 keys".
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/pictures/raster_picture.h"
#include "app/gui/views/mask/mask_layout.h"

#include <optional>
#include <string>

namespace attention::gui {

struct StripPictures {
  RasterPicture row{RasterPicture::Look::Strip};
  RasterPicture column{RasterPicture::Look::Strip};
};

// The query that strips and images show: the pinned one, else the one under the pointer.
std::optional<Index> shownQuery(const ViewContext& context);

void drawRowStrip(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
                  const Rect& strip, float density, RasterPicture& picture);
void drawKeyStrip(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
                  const Rect& strip, float density, RasterPicture& picture);

// "query 97 attends to 19 keys · key 64 is seen by 23 queries"; for several masks their counts in
// order, or one where they agree; "query 97: 19 keys · key 64: 23 queries" where `width` points are
// too few for more. Missing numbers are left out.
std::string stripCaption(const ViewContext& context, const Masks& masks, float width);

} // namespace attention::gui
