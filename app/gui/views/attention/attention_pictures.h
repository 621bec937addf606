// What the window asks of the pictures of the Attention view. Those that are made of the same
// results share a kind, which stands in its own files; nothing else asks which picture is shown.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/interface/window_view.h"

#include <memory>
#include <span>
#include <string>

namespace attention::gui {

struct PictureKind {
  bool (*shows)(const AttentionSpec& spec);
  std::unique_ptr<ViewStages> (*stages)(Results& results);
  std::unique_ptr<ViewPane> (*pane)();
  void (*options)(const PanelContext& context); // in the sidebar
  void (*facts)(const PanelContext& context);   // in the inspector
  std::string (*command)(const CommandScene& shown);
  // Points at scale 1 in which its pictures are still read, in a broad and in a narrow view.
  float leastHeight = 300;
  float leastHeightNarrow = 300;
  ViewPlay play = {};
  // Moves within the picture as arrows of a presentation do; false where it has come to its end.
  bool (*step)(Workbench& bench, int by) = nullptr;
  std::optional<Scene> (*sceneAhead)(const Workbench& bench) = nullptr; // what → would show of it
  void (*addActions)(ActionTable& table) = nullptr;
};

std::span<const PictureKind> pictureKinds();
const PictureKind& kindIn(const Scene& scene);

PictureKind weightsKind(); // maps, heads and lines
PictureKind headListKind();
PictureKind stepsKind();
PictureKind textKind();

// The view as a whole.
std::unique_ptr<ViewPane> attentionPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> attentionStages(Results& results);

// The tabs of all pictures, and their keys.
void drawAttentionTabs(const ViewContext& context, const Rect& area);
void addPictureActions(ActionTable& table);
// What stands below them where there is nothing to draw, and the way out.
void drawPictureProblem(const ViewContext& context, const Rect& tabs,
                        const std::optional<Problem>& problem);
// The next head of the input (the one before where negative), through all layers and around.
void stepHead(Workbench& bench, int by);

} // namespace attention::gui
