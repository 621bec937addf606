// The Encodings view: the tables E1 and E2 as heat maps, the grid of positions and the encoding
// that they make. The chosen position, and the one under the pointer, is traced through all of
// them.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "core/views/encodings/scene_encodings.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

std::unique_ptr<ViewPane> encodingsPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> encodingsStages(Results& results);
void drawEncodingsOptions(const PanelContext& context); // sizes of the tables, what is in them
void drawEncodingsFacts(const PanelContext& context);   // the traced position, parameter counts
// Where the mathematics of its pictures comes from.
std::string encodingsSource(const Scene& scene);

// What it shows: tables and pictures; they do not depend on the Scene's position.
struct EncodingsShown {
  EncodingsAnswer answer;
  EncodingsPlots plots;
};

struct EncodingsResults {
  Latest<EncodingsShown> shown;
};

} // namespace attention::gui
