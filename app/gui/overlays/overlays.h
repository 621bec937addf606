// The overlays: each draws itself in a box over the dimmed window and reports what it did by
// changing the workbench's wishes between frames. Escape or a click beside the box closes it.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/overlays/overlay_state.h"
#include "app/gui/widgets/ui.h"

#include <optional>

namespace attention::gui {

// Draws the open overlay, if there is one.
void drawOverlay(Workbench& bench, const PanelContext& context);

// The widget log's scope of its controls: "Gallery"; empty if none is open.
std::string_view overlayScope(const Overlay& overlay);

// What an overlay did in this frame.
enum class OverlayStep { Stay, Close };

OverlayStep drawGallery(GalleryState& state, const PanelContext& context);
OverlayStep drawPalette(PaletteState& state, const Workbench& bench, const PanelContext& context);
OverlayStep drawKeys(const Workbench& bench, const PanelContext& context);
OverlayStep drawAbout(const PanelContext& context);
OverlayStep drawCode(const CodeState& state, const PanelContext& context);
OverlayStep drawTour(TourState& state, const PanelContext& context);
// Sets `agreed` where the answer is yes.
OverlayStep drawQuestion(const QuestionState& state, const PanelContext& context, bool& agreed);
// Sets `write` where its file is to be asked for.
OverlayStep drawAnimation(AnimationState& state, const PanelContext& context, bool& write);

// Chooses a file to open or a name to save under: lists the folders and files of a folder, filtered
// by ending; a name or a whole path may be typed. Sets `chosen` once a file is chosen.
OverlayStep drawFileDialog(FileDialogState& state, const PanelContext& context,
                           std::vector<std::filesystem::path>& chosen);

// ---- the tour of a first start ----

// Opens the tour where it was never shown.
void beginTour(Workbench& bench);

// What the current stop is about, on the screen; nothing where it is folded away.
std::optional<Rect> tourTarget(const Ui& ui, const TourState& state);

// The upper left corner of a box of that size: beside the target and within the window.
ImVec2 tourCorner(const Ui& ui, const TourState& state, const ImVec2& box);

} // namespace attention::gui
