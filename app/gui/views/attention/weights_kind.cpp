// Maps, heads and lines as pictures of the Attention view.
#include "app/gui/files/command_text.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/views/attention/weights_view.h"

namespace attention::gui {
namespace {

std::string weightsCommand(const CommandScene& shown) {
  const AttentionSpec& spec = shown.scene.attention;
  if (spec.picture == AttentionPicture::Heads || !shown.hasInput())
    return tableText(shown.scene);
  const char* base = spec.base == AttentionBase::Meaningful ? ""
                     : spec.base == AttentionBase::Full     ? " --base full"
                                                            : " --base causal";
  return infoText(shown, shown.scene.pattern, base);
}

} // namespace

PictureKind weightsKind() {
  return {.shows = showsWeights,
          .stages = weightsStages,
          .pane = weightsPane,
          .options = drawWeightsOptions,
          .facts = drawWeightsFacts,
          .command = weightsCommand,
          .leastHeight = 470,
          .leastHeightNarrow = 850};
}

} // namespace attention::gui
