#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/value_text.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"

#include "core/scene/differing_heads.h"
#include "core/scene/shown_patterns.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr Index kMostHeadsDragged = 16;

void setHeads(const PanelContext& c, const std::string& label, const HeadsSpec& heads,
              std::string gesture = {}) {
  c.actions.push(EditScene{label, [heads](Scene& s) { s.mask.heads = heads; }, std::move(gesture)});
}

void toggles(const PanelContext& c) {
  const float width = shareOfRow(3);
  bool heads = c.scene.mask.heads.shown != HeadsShown::One;
  bool image = c.scene.mask.image.shown;
  bool weights = c.scene.mask.weights != WeightsShown::Off;
  if (toggle(c.ui, "heads", heads,
             {"The heads of the mechanism, side by side or merged into one", true, width}))
    c.actions.run("view.heads");
  ImGui::SameLine();
  if (toggle(c.ui, "image", image,
             {"The tokens as the pixels of an image: the query's pixel and those it attends to",
              true, width}))
    c.actions.run("view.image");
  ImGui::SameLine();
  if (toggle(c.ui, "weights", weights,
             {"Attention weights of the model head over the mask", true, width}))
    c.actions.run("view.weights");
}

void headCount(const PanelContext& c) {
  HeadsSpec heads = c.scene.mask.heads;
  SliderSpec spec;
  spec.tooltip = "How many heads the mechanism has";
  const auto& masks = c.results.masks;
  const Index inFile = masks ? masks->headsInFile : 0;
  if (inFile > 0)
    spec.tooltip = "How many heads are shown, each with its own mask from the file";
  const Index most = inFile > 0 ? std::min(inFile, kMostHeadsShown) : kMostHeadsDragged;
  const Edit edit = sliderInt(c.ui, "number of heads", heads.heads, 1, most, spec);
  if (edit.changed) {
    // Each head keeps its dilation; new ones go on from the last.
    while (!heads.dilations.empty() && static_cast<Index>(heads.dilations.size()) < heads.heads)
      heads.dilations.push_back(heads.dilations.back() + 1);
    if (static_cast<Index>(heads.dilations.size()) > heads.heads)
      heads.dilations.resize(static_cast<std::size_t>(heads.heads));
    setHeads(c, "number of heads", heads, "heads");
  }
  if (edit.finished)
    c.actions.push(EndGesture{});
}

void dilationField(const PanelContext& c) {
  HeadsSpec heads = c.scene.mask.heads;
  Parameter list;
  list.name = "dilations";
  list.type = ParameterType::Integers;
  FieldSpec spec;
  spec.hint = "all the same";
  spec.tooltip = "The dilation of each head's window: one number per head";
  const auto accept = [&](const std::string& text) {
    const Value value = valueOf(list, text);
    const auto* numbers = std::get_if<IndexList>(&value);
    heads.dilations = numbers ? numbers->get() : std::vector<Index>();
  };
  if (draftField(c.ui, c.memory, "heads.dilations", "dilations",
                 textOf(Value{IndexList(heads.dilations)}), spec, accept))
    setHeads(c, "dilations", heads, "dilations");
}

// Why there is one mask for all heads.
void sameHeads(const PanelContext& c) {
  const HeadsSpec& spec = c.scene.mask.heads;
  const auto& masks = c.results.masks;
  if (spec.heads < 2 || !masks || masks.stale || masks->tiles.size() > 1 ||
      spec.shown != HeadsShown::SideBySide || !c.scene.mask.panels.empty())
    return;
  const Pattern& pattern = c.scene.pattern;
  const bool could = masks->headsInFile > 0 || !(withDifferingHeads(spec, pattern) == spec);
  const std::string& title = description(pattern).title;
  note(c.ui, NoteKind::Info,
       could ? "All heads are the same with these settings."
             : "All heads are the same: " + title + " has no setting that differs by head.");
}

void headOptions(const PanelContext& c) {
  const std::string& mechanism = description(c.scene.pattern).name;
  HeadsSpec heads = c.scene.mask.heads;
  const std::vector<ChoiceItem> shown{{"side by side", "A mask for each head"},
                                      {"merged", "The union of all heads"}};
  int selected = heads.shown == HeadsShown::Merged ? 1 : 0;
  if (choice(c.ui, "shown", selected, shown)) {
    heads.shown = selected == 1 ? HeadsShown::Merged : HeadsShown::SideBySide;
    setHeads(c, "heads shown", heads);
  }
  headCount(c);
  if (mechanism == "strided" || mechanism == "fixed") {
    const std::vector<ChoiceItem> modes{
        {"A¹ ∪ A²", "Every head is the union (equation 7)"},
        {"alternating", "Heads alternate between A¹ and A² (equation 8)"}};
    int mode = heads.alternate ? 1 : 0;
    ChoiceSpec spec;
    spec.tooltip = "How the two factors are shared out among the heads";
    if (choice(c.ui, "factors", mode, modes, spec)) {
      heads.alternate = mode == 1;
      setHeads(c, "factors", heads);
    }
  }
  if (mechanism == "fixed") {
    SliderSpec spec;
    spec.tooltip = "How many different sub-blocks of summary columns the heads take turns with";
    const Edit edit = sliderInt(c.ui, "sub-blocks", heads.subblocks, 1, 16, spec);
    if (edit.changed)
      setHeads(c, "sub-blocks", heads, "subblocks");
    if (edit.finished)
      c.actions.push(EndGesture{});
  }
  if (mechanism == "longformer")
    dilationField(c);
  sameHeads(c);
}

void imageField(const PanelContext& c) {
  if (!c.results.lengths.square()) {
    note(c.ui, NoteKind::Warning,
         "The image shows each token as one pixel, query and key at once, so the mask must be "
         "square.");
    return;
  }
  const ImageSpec& image = c.scene.mask.image;
  const Index n = std::max<Index>(1, c.results.lengths.keys);
  std::string shown;
  std::string problem;
  if (image.rows || image.columns)
    shown = image.rows ? std::to_string(*image.rows) : std::to_string(*image.columns);
  Parameter number;
  number.name = "image rows";
  std::optional<Index> rows;
  const auto accept = [&](const std::string& text) {
    const Value value = valueOf(number, text);
    rows =
        std::holds_alternative<Index>(value) ? std::optional(std::get<Index>(value)) : std::nullopt;
    ImageSpec changed{true, rows, {}};
    imageShape(changed, n);
  };
  const auto [r, k] = imageShape(ImageSpec{true, {}, {}}, n);
  const std::string hint = std::to_string(r) + ", as square as n allows";
  FieldSpec spec;
  spec.hint = hint;
  spec.tooltip = "Rows of the image; rows × columns = n";
  if (draftField(c.ui, c.memory, "image.rows", "image rows", shown, spec, accept))
    c.actions.push(EditScene{"image rows",
                             [rows](Scene& s) {
                               s.mask.image.rows = rows;
                               s.mask.image.columns.reset();
                             },
                             "image.rows"});
  const Index present = image.rows.value_or(r);
  if (present > 0 && n % present == 0)
    valueRow(c.ui, "image rows × columns",
             std::to_string(present) + " × " + std::to_string(n / present));
  else
    note(c.ui, NoteKind::Error,
         "image rows is " + std::to_string(present) +
             "; it must be a divisor of n = " + std::to_string(n));
}

void weightOptions(const PanelContext& c) {
  const std::vector<ChoiceItem> items{{"maximum", "A pixel shows the largest weight of its cells"},
                                      {"sum", "A pixel shows the sum of its cells' weights"}};
  int selected = c.scene.mask.weights == WeightsShown::Sum ? 1 : 0;
  ChoiceSpec spec;
  spec.tooltip = "What a pixel shows where it covers several cells";
  if (choice(c.ui, "pixel", selected, items, spec))
    c.actions.edit("pixel", [selected](Scene& s) {
      s.mask.weights = selected == 1 ? WeightsShown::Sum : WeightsShown::Maximum;
    });
  if (!c.results.attention && !c.results.attention.pending)
    note(c.ui, NoteKind::Info,
         c.results.input ? "weights need a mask within the input's length"
                         : "weights need an input: open a file, or draw a random one");
}

} // namespace

void drawMaskOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "View options");
  sectionHeading(c.ui, "View");
  toggles(c);
  if (c.scene.mask.heads.shown != HeadsShown::One)
    headOptions(c);
  if (c.scene.mask.image.shown)
    imageField(c);
  if (c.scene.mask.weights != WeightsShown::Off)
    weightOptions(c);
}

} // namespace attention::gui
