#include "app/gui/interface/latest.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/input/model_metadata.h"
#include "core/scene/pattern_files.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr Index kMostButtons = 64; // more heads than this are chosen from a list
constexpr int kHeadColumns = 6;

// Of a file of several masks without an input: its layers and heads, to choose among.
std::optional<Input> planesOfMasks(const PanelContext& c) {
  const auto& masks = c.results.masks;
  if (!masks || masks->headsInFile + masks->layersInFile == 0)
    return std::nullopt;
  Input planes;
  planes.batches = std::max<Index>(masks->layersInFile, 1);
  planes.heads = std::max<Index>(masks->headsInFile, 1);
  planes.batchName = "layer";
  return planes;
}

std::string batchLabel(const Input& input, Index batch) {
  const auto b = static_cast<std::size_t>(batch);
  return b < input.batchLabels.size() ? input.batchLabels[b] : std::to_string(batch);
}

void layerChoice(const PanelContext& c, const Input& input) {
  std::vector<ChoiceItem> items;
  for (Index b = 0; b < input.batches; ++b)
    items.push_back({batchLabel(input, b), {}});
  int selected = static_cast<int>(c.scene.input.batch);
  const std::string tip =
      "Which " + input.batchName + (c.results.input ? " of the input" : " of the mask's file");
  ChoiceSpec spec;
  spec.tooltip = tip;
  const bool few = input.batches <= kHeadColumns * 2 && input.batchLabels.empty();
  spec.columns = few ? kHeadColumns : 0;
  const bool changed = few ? choice(c.ui, input.batchName, selected, items, spec)
                           : combo(c.ui, input.batchName, selected, items, spec);
  if (changed)
    c.actions.edit(input.batchName, [selected](Scene& s) { choosePlane(s, {selected, {}}); });
}

void headChoice(const PanelContext& c, const Input& input) {
  std::vector<ChoiceItem> items;
  for (Index h = 0; h < input.heads; ++h)
    items.push_back({std::to_string(headNumber(input, h)),
                     "Model head " + std::to_string(headNumber(input, h))});
  int selected = static_cast<int>(c.scene.input.head);
  ChoiceSpec spec;
  spec.labelWidth = 0;
  spec.columns = kHeadColumns;
  const bool changed = input.heads <= kMostButtons
                           ? choice(c.ui, "model head", selected, items, spec)
                           : combo(c.ui, "model head", selected, items, spec);
  if (changed)
    c.actions.edit("model head", [selected](Scene& s) { choosePlane(s, {{}, selected}); });
}

} // namespace

void drawModelHead(const PanelContext& c) {
  const auto planes = c.results.input ? std::nullopt : planesOfMasks(c);
  const Input* input = planes ? &*planes : c.results.input.value.get();
  if (!input)
    return;
  // A rewritten file may have fewer than the Scene has chosen: then even a single one is a way out.
  const bool layers = input->batches > 1 || c.scene.input.batch >= input->batches;
  const bool heads = input->heads > 1 || c.scene.input.head >= input->heads;
  if (!layers && !heads)
    return;
  space(c.ui, 2);
  sectionHeading(c.ui, planes ? "Mask of the file" : "Model head");
  if (layers)
    layerChoice(c, *input);
  if (heads)
    headChoice(c, *input);
  if (c.results.attention.problem)
    note(c.ui, *c.results.attention.problem);
}

} // namespace attention::gui
