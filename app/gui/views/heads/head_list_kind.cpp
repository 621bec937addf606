// The list of heads as a picture of the Attention view.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/views/heads/head_list_view.h"

namespace attention::gui {
namespace {

std::unique_ptr<ViewPane> makeHeadListPane() {
  return std::make_unique<HeadListView>();
}

// Sorted and filtered the list is a table of its own.
std::string headListCommand(const CommandScene& shown) {
  return tableText(shown.scene);
}

} // namespace

PictureKind headListKind() {
  return {.shows = listsHeads,
          .stages = headListStages,
          .pane = makeHeadListPane,
          .options = drawHeadListOptions,
          .facts = drawHeadListFacts,
          .command = headListCommand};
}

} // namespace attention::gui
