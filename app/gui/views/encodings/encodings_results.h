// What the Encodings view shows.
#pragma once

#include "app/gui/interface/latest.h"
#include "core/views/encodings/scene_encodings.h"

namespace attention::gui {

// The Encodings view's tables and pictures; they do not depend on the Scene's position.
struct EncodingsShown {
  EncodingsAnswer answer;
  EncodingsPlots plots;
};

struct EncodingsResults {
  Latest<EncodingsShown> shown;
};

} // namespace attention::gui
