// What stands around the view: the menu bar with the program's name and the tabs, the status bar,
// and notes at the view's foot.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/interface/results.h"
#include "app/gui/panels/panel.h"

#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

constexpr float kMenuHeight = 44;   // at scale 1
constexpr float kStatusHeight = 30; // at scale 1

void drawMenuBar(const Workbench& bench, const PanelContext& context, const Rect& area);
void drawStatusBar(const Workbench& bench, const PanelContext& context, const Rect& area,
                   float framesPerSecond);

// ---- notes with a way to act: a picture with a stopped job, files that changed ----

// Draws over the view in `area`, so that nobody takes an older picture for one of the current
// parameters: dims what is older than the parameters, and says so at the bottom beside a way to run
// it again. Returns the part of `area` that is left above.
Rect drawStopped(const PanelContext& c, const Rect& area, const StoppedPart& part);

// Likewise, of files: which of them changed, or that the input cannot be read again (yet), beside a
// way to read them. The view leaves it room, so that it covers nothing.
struct FileNote {
  std::string words;
};
std::optional<FileNote> fileNote(const PanelContext& c, const std::vector<std::string>& changed);
float heightOf(const Ui& ui, const FileNote& note, float width);
Rect drawFileNote(const PanelContext& c, const Rect& area, const FileNote& note);

} // namespace attention::gui
