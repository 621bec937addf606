#include "app/gui/views/attention/attention_pictures.h"

#include "app/gui/frame/workbench.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/scene/pattern_files.h"
#include "core/views/attention/scene_attention.h"

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
                 "One query computed step by step: scores, mask, softmax and output", 'S'},
    NamedPicture{AttentionPicture::Text, "Text",
                 "The running text, every word shaded by attention (X)", "attention.text",
                 "Running text", "Every word shaded by what the query gives it", 'X'}};

} // namespace

std::span<const PictureKind> pictureKinds() {
  static const std::array kAll{weightsKind(), headListKind(), stepsKind(), textKind()};
  return kAll;
}

const PictureKind& kindIn(const Scene& scene) {
  const auto all = pictureKinds();
  return *std::find_if(all.begin(), all.end(),
                       [&](const PictureKind& kind) { return kind.shows(scene.attention); });
}

namespace {

constexpr std::array kPairButtons{52.0F, 116.0F}; // at scale 1, as what follows
constexpr float kBackButton = 150;
constexpr float kPairGap = 4;

// At the right end of the tabs: heads drawn small, or listed by what they attend to; and the way
// back from a head that was opened in the list. Returns the room that is left for the tabs.
Rect drawHeadsPair(const ViewContext& context, const Rect& area) {
  const Ui& ui = context.ui;
  const AttentionSpec& spec = context.scene.attention;
  const bool back = spec.picture == AttentionPicture::Maps && spec.list.shown;
  if (spec.picture != AttentionPicture::Heads && !back)
    return area;
  const float width =
      back ? ui.px(kBackButton) : ui.px(kPairButtons[0] + kPairGap + kPairButtons[1]);
  const Rect left{area.x0, area.y0, area.x1 - width - ui.px(kPairGap), area.y1};
  const auto place = [&](float x) {
    ImGui::SetCursorScreenPos(ImVec2(area.x1 - width + x, area.y0 + ui.px(kPairGap)));
  };
  const WidgetScope scope(ui.log, "Heads");
  place(0);
  if (back) {
    if (button(ui, "◀ back to the list", {"The list of heads (H)", true, width}))
      context.actions.run("attention.heads");
    return left;
  }
  const auto press = [&](const char* label, const char* tooltip, bool list) {
    bool on = spec.list.shown == list;
    if (toggle(ui, label, on, {tooltip, true, ui.px(kPairButtons[list ? 1 : 0])}) &&
        spec.list.shown != list)
      context.actions.edit(label, [list](Scene& s) { s.attention.list.shown = list; });
  };
  press("grid", "Every layer and head, small", false);
  place(ui.px(kPairButtons[0] + kPairGap));
  press("what heads do", "All heads by what they attend to, in a list to sort", true);
  return left;
}

} // namespace

void drawAttentionTabs(const ViewContext& context, const Rect& whole) {
  const Rect area = drawHeadsPair(context, whole);
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

void drawPictureProblem(const ViewContext& context, const Rect& tabs,
                        const std::optional<Problem>& problem) {
  const Ui& ui = context.ui;
  const Lines lines({tabs.x0, tabs.y1 + ui.px(16), tabs.x1, context.area.y1});
  if (!problem) {
    caption(ui, "computing …");
    return;
  }
  const bool noInput = std::holds_alternative<NoInput>(context.scene.input.source);
  if (noInput)
    note(ui, NoteKind::Info, problem->text);
  else
    note(ui, *problem);
  if (!noInput)
    return;
  space(ui, 6);
  if (link(ui, "open the sample",
           {"The bundled sample of a language model, with its words and heads"}))
    context.actions.run("input.sample");
  if (link(ui, "draw a random input", {"Random queries, keys and values, to try it on"}))
    chooseRandomInput(context.actions, RandomInput().generator, kMostAttentionTokens);
  if (link(ui, "type a small example", {"Four words with queries, keys and values"}))
    context.actions.run("input.typed");
}

namespace {

// From another view they are found by their names: their keys belong to that one.
void addPictureOpeners(ActionTable& table) {
  for (const NamedPicture& of : kPictures) {
    ActionEntry entry;
    entry.id = std::string(of.id) + ".open";
    entry.label = of.label;
    entry.tooltip = of.tooltip;
    entry.run = [picture = of.picture](Workbench& b) {
      b.actions.run("view.attention", b);
      b.document.apply({"picture", [picture](Scene& s) { s.attention.picture = picture; }});
    };
    entry.enabled = [](const Workbench& b) { return b.document.scene().view != View::Attention; };
    entry.group = "Attention view";
    table.add(std::move(entry));
  }
}

} // namespace

void addPictureActions(ActionTable& table) {
  addPictureOpeners(table);
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
