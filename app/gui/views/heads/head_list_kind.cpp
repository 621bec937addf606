// The list of heads as a picture of the Attention view.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/views/heads/head_list_view.h"

#include <algorithm>

namespace attention::gui {
namespace {

// Sorted and filtered the list is a table of its own.
std::string headListCommand(const CommandScene& shown) {
  return tableText(shown.scene);
}

// A page on or back; at the end of the list a lesson goes on, and otherwise nothing that is seen
// would change.
bool pageHeads(Workbench& bench, int by) {
  constexpr Index kPage = 10; // fewer lines than a presented list has on any usual screen
  const auto& shown = bench.engine.results().part<HeadListResults>().shown;
  const Index most = shown ? std::max<Index>(0, std::ssize(shown->order) - kPage) : 0;
  const Index now = bench.document.scene().attention.list.from;
  const Index from = std::clamp<Index>(now + by * kPage, 0, most);
  if (from == now)
    return !bench.lesson;
  bench.document.apply(
      {"scroll", [from](Scene& s) { s.attention.list.from = from; }, "scroll heads"});
  return true;
}

// "Sort heads by previous token", from any view: one question about heads is one press.
void addHeadListActions(ActionTable& table) {
  const Setting<HeadListSpec>& order = settingNamed(headListSettings(), "order");
  for (std::size_t k = 0; k < order.choices.size(); ++k) {
    const Choice& choice = order.choices[k];
    ActionEntry entry;
    entry.id = "heads.sort." + choice.value;
    entry.label = "Sort heads by " + choice.label;
    entry.tooltip = choice.meaning;
    entry.run = [set = order.set, by = Value{choice.value}](Workbench& b) {
      if (b.document.scene().view != View::Attention)
        b.actions.run("view.attention", b);
      b.document.apply({"sort heads", [&](Scene& s) {
                          s.attention.picture = AttentionPicture::Heads;
                          s.attention.list.shown = true;
                          set(s.attention.list, by);
                          s.attention.list.rising = false;
                          s.attention.list.from = 0;
                        }});
    };
    entry.group = "All heads";
    table.add(std::move(entry));
  }
}

} // namespace

PictureKind headListKind() {
  return {.shows = listsHeads,
          .stages = headListStages,
          .pane = headListPane,
          .options = drawHeadListOptions,
          .facts = drawHeadListFacts,
          .command = headListCommand,
          .step = pageHeads,
          .addActions = addHeadListActions};
}

} // namespace attention::gui
