#include "app/gui/views/attention/attention_pictures.h"

#include "app/gui/frame/workbench.h"
#include "app/gui/pictures/picture_parts.h"
#include "core/scene/pattern_files.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

struct NamedPicture {
  AttentionPicture picture;
  const char* tab;
  const char* tip; // of the tab
  const char* id;  // of the action, as what follows
  const char* label;
  const char* tooltip;
  char key;
};

// In the order of the tabs.
constexpr std::array kPictures{
    NamedPicture{AttentionPicture::Maps, "Maps",
                 "Weights over all keys, over the pattern, and their difference (M)",
                 "attention.maps", "Maps of weights",
                 "Full attention, the pattern and their difference as matrices", 'M'},
    NamedPicture{AttentionPicture::Heads, "All heads", "Every layer and head of the input (H)",
                 "attention.heads", "All heads", "Every layer and head of the input, small", 'H'},
    NamedPicture{AttentionPicture::Lines, "Lines",
                 "Queries at the left, keys at the right, lines by weight (T)", "attention.lines",
                 "Lines between tokens", "Weights as lines from queries to keys", 'T'},
    NamedPicture{AttentionPicture::Steps, "Steps",
                 "One query computed step by step, with every number (S)", "attention.steps",
                 "Steps of one query",
                 "Scores, mask, softmax and output of one query, with every number", 'S'}};

} // namespace

std::span<const PictureKind> pictureKinds() {
  static const std::array kAll{weightsKind(), stepsKind()};
  return kAll;
}

const PictureKind& kindOf(AttentionPicture picture) {
  const auto all = pictureKinds();
  return *std::find_if(all.begin(), all.end(),
                       [&](const PictureKind& kind) { return kind.shows(picture); });
}

void drawAttentionTabs(const ViewContext& context, const Rect& area) {
  std::array<TabWords, kPictures.size()> tabs;
  std::size_t selected = kPictures.size();
  for (std::size_t k = 0; k < kPictures.size(); ++k) {
    tabs[k] = {kPictures[k].tab, kPictures[k].tip};
    if (kPictures[k].picture == context.scene.attention.picture)
      selected = k;
  }
  if (const auto chosen = drawTabs(context.ui, area, tabs, selected))
    context.actions.edit("picture", [picture = kPictures[*chosen].picture](Scene& s) {
      s.attention.picture = picture;
    });
}

void addPictureActions(ActionTable& table) {
  for (const NamedPicture& of : kPictures)
    table.add(
        {of.id,
         "View",
         of.label,
         of.tooltip,
         {{static_cast<Key>(of.key)}},
         [picture = of.picture](Workbench& b) {
           b.document.apply({"picture", [picture](Scene& s) { s.attention.picture = picture; }});
         },
         shows(View::Attention),
         [picture = of.picture](const Workbench& b) {
           return b.document.scene().attention.picture == picture;
         }});
}

void stepHead(Workbench& bench, int by) {
  const Input* input = bench.engine.results().input.value.get();
  if (!input)
    return;
  const InputSpec& spec = bench.document.scene().input;
  const Index all = input->batches * input->heads;
  const Index at = floorMod(spec.batch * input->heads + spec.head + by, all);
  bench.document.apply({"model head",
                        [batch = at / input->heads, head = at % input->heads](Scene& s) {
                          choosePlane(s, {batch, head});
                        },
                        "heads"});
}

} // namespace attention::gui
