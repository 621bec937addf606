// The Attention view in the window.
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "core/views/view_unit.h"

#include <memory>

namespace attention::gui {
namespace {

void drawOptions(const PanelContext& context) {
  kindIn(context.scene).options(context);
}

void drawPictureFacts(const PanelContext& context) {
  kindIn(context.scene).facts(context);
}

std::string commandOf(const CommandScene& shown) {
  return kindIn(shown.scene).command(shown);
}

bool canPlay(const Scene& scene) {
  const ViewPlay& play = kindIn(scene).play;
  return play.possible && play.possible(scene);
}

float pauseOf(const Scene& scene) {
  return kindIn(scene).play.pause(scene);
}

bool playOn(Workbench& bench, float seconds) {
  return kindIn(bench.document.scene()).play.step(bench, seconds);
}

bool stepInside(Workbench& bench, int by) {
  const auto step = kindIn(bench.document.scene()).step;
  return step && step(bench, by);
}

std::optional<Scene> sceneAhead(const Workbench& bench) {
  const auto ahead = kindIn(bench.document.scene()).sceneAhead;
  return ahead ? ahead(bench) : std::nullopt;
}

float leastHeightOf(const Scene& scene, bool narrow) {
  const PictureKind& kind = kindIn(scene);
  return narrow ? kind.leastHeightNarrow : kind.leastHeight;
}

void addActions(ActionTable& table) {
  addPictureActions(table);
  table.add({"attention.next",
             "View",
             "Next model head",
             "The next head, then the next layer",
             {{static_cast<Key>('N')}},
             [](Workbench& b) { stepHead(b, 1); },
             shows(View::Attention),
             {},
             true});
  table.add({"attention.previous",
             "View",
             "Previous model head",
             "The previous head, then the previous layer",
             {{static_cast<Key>('P')}},
             [](Workbench& b) { stepHead(b, -1); },
             shows(View::Attention)});
  for (const PictureKind& kind : pictureKinds())
    if (kind.addActions)
      kind.addActions(table);
}

} // namespace

WindowView attentionWindow() {
  return {.view = View::Attention,
          .label = "Attention",
          .action = "view.attention",
          .tooltip = "Attention weights on the input, and what the pattern keeps of them",
          .key = Key::Digit3,
          .leastHeight = 470,
          .leastHeightNarrow = 850,
          .leastHeightOf = leastHeightOf,
          .fitted = noCamera,
          .stages = attentionStages,
          .pane = attentionPane,
          .options = drawOptions,
          .facts = drawPictureFacts,
          .sizes = pairsText,
          .command = commandOf,
          .play = {canPlay, pauseOf, playOn},
          .hasSteps = always,
          .step = stepHead,
          .stepInside = stepInside,
          .sceneAhead = sceneAhead,
          .addActions = addActions};
}

} // namespace attention::gui
