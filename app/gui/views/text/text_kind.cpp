// The running text as a picture of the Attention view.
#include "app/gui/files/command_text.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/views/text/text_view.h"

namespace attention::gui {
namespace {

std::string textCommand(const CommandScene& shown) {
  return tableText(shown.scene);
}

bool isText(const AttentionSpec& spec) {
  return spec.picture == AttentionPicture::Text;
}

} // namespace

PictureKind textKind() {
  return {.shows = isText,
          .stages = textStages,
          .pane = textPane,
          .options = drawTextOptions,
          .facts = drawTextFacts,
          .command = textCommand};
}

} // namespace attention::gui
