// The Attention view in the window.
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_view.h"
#include "core/scene/pattern_files.h"
#include "core/views/view_unit.h"

#include <memory>

namespace attention::gui {
namespace {

struct ActionNames {
  const char* id;
  const char* label;
  const char* tooltip;
};

std::unique_ptr<ViewPane> makePane(const std::filesystem::path&) {
  return std::make_unique<AttentionView>();
}

std::string commandOf(const CommandScene& shown) {
  const AttentionSpec& spec = shown.scene.attention;
  if (spec.picture == AttentionPicture::Heads || !shown.hasInput())
    return tableText(shown.scene);
  const char* base = spec.base == AttentionBase::Meaningful ? ""
                     : spec.base == AttentionBase::Full     ? " --base full"
                                                            : " --base causal";
  return infoText(shown, shown.scene.pattern, base);
}

// The next head of the input (the one before where negative), through all layers and around.
void stepHead(Workbench& bench, int step) {
  const Input* input = bench.engine.results().input.value.get();
  if (!input)
    return;
  const InputSpec& spec = bench.document.scene().input;
  const Index all = input->batches * input->heads;
  const Index at = floorMod(spec.batch * input->heads + spec.head + step, all);
  bench.document.apply({"model head",
                        [batch = at / input->heads, head = at % input->heads](Scene& s) {
                          choosePlane(s, {batch, head});
                        },
                        "heads"});
}

void showPicture(Workbench& bench, AttentionPicture picture) {
  bench.document.apply({"picture", [picture](Scene& s) { s.attention.picture = picture; }});
}

void addAttentionPicture(ActionTable& table, const ActionNames& names, char key,
                         AttentionPicture picture) {
  table.add(
      {names.id,
       "View",
       names.label,
       names.tooltip,
       {{static_cast<Key>(key)}},
       [picture](Workbench& b) { showPicture(b, picture); },
       shows(View::Attention),
       [picture](const Workbench& b) { return b.document.scene().attention.picture == picture; }});
}

void addActions(ActionTable& table) {
  addAttentionPicture(table,
                      {"attention.maps", "Maps of weights",
                       "Full attention, the pattern and their difference as matrices"},
                      'M', AttentionPicture::Maps);
  addAttentionPicture(table,
                      {"attention.heads", "All heads", "Every layer and head of the input, small"},
                      'H', AttentionPicture::Heads);
  addAttentionPicture(
      table, {"attention.lines", "Lines between tokens", "Weights as lines from queries to keys"},
      'T', AttentionPicture::Lines);
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
          .fitted = noCamera,
          .stages = attentionStages,
          .pane = makePane,
          .options = drawAttentionOptions,
          .facts = drawAttentionFacts,
          .sizes = pairsText,
          .command = commandOf,
          .hasSteps = always,
          .step = stepHead,
          .addActions = addActions};
}

} // namespace attention::gui
