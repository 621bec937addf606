// Real models beside the Reach view: the list that is searched, and what is told about those
// chosen.
#include "app/gui/interface/latest.h"
#include "app/gui/overlays/search.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/panel.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/views/reach/reach_results.h"
#include "app/gui/views/reach/reach_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kMostListed = 6;

bool isNamed(const ReachSpec& spec, std::string_view name) {
  return std::any_of(spec.models.begin(), spec.models.end(),
                     [&](const StackedModel& model) { return model.name == name; });
}

std::string tipOf(const ModelRow& row, bool can) {
  std::string tip =
      can ? "Load its layers into the stack, at a length where its windows matter"
          : "Some of its layers have no known mask, so they cannot be stacked; + still "
            "shows its KV cache";
  return tip + ". Source: " + std::string(row.source);
}

// A press stacks the model; the plus follows it and tells its cache beside the others.
void modelRow(const PanelContext& c, const ModelRow& row, std::size_t place) {
  const Ui& ui = c.ui;
  const ReachSpec& spec = c.scene.reach;
  const RowScope scope(ui.log, "model " + std::to_string(place + 1));
  const bool can = canStack(row);
  const std::string tip = tipOf(row, can);
  Control control{tip, can, availableWidth() - ui.px(30)};
  const bool chosen = !spec.models.empty() && spec.models.front().name == row.name;
  const StackedModel model{std::string(row.name), {}};
  if (listItem(ui, row.title, chosen, countText(row.layers, "layer"), control))
    c.actions.edit(std::string(row.title), [model](Scene& s) { stackModel(s, model); });
  ImGui::SameLine(0, ui.px(4));
  const bool more = spec.models.size() < kMostModels && !isNamed(spec, row.name);
  if (iconButton(ui, "beside", "+",
                 {more                      ? "Compare its reach and its KV cache with the others"
                  : isNamed(spec, row.name) ? "It is already listed"
                                            : "The list is full",
                  more}))
    c.actions.edit("one more model", [model](Scene& s) { s.reach.models.push_back(model); });
}

void modelList(const PanelContext& c) {
  std::vector<const ModelRow*> all;
  for (const ModelRow& row : modelTable())
    if (found(c.memory.modelSearch, std::string(row.title) + " " + std::string(row.name)))
      all.push_back(&row);
  for (std::size_t k = 0; k < std::min(all.size(), kMostListed); ++k)
    modelRow(c, *all[k], k);
  if (all.empty())
    caption(c.ui, "No match; drop a config.json on the window to read a model from it");
  else if (all.size() > kMostListed)
    caption(c.ui, groupDigits(static_cast<Index>(all.size() - kMostListed)) +
                      " more: type a part of the name");
}

void toldRows(const PanelContext& c) {
  const Ui& ui = c.ui;
  const Latest<ModelsAnswer>& models = c.results.part<ReachResults>().models;
  const std::vector<StackedModel>& told = c.scene.reach.models;
  for (std::size_t k = 0; k < told.size(); ++k) {
    const RowScope row(ui.log, "told " + std::to_string(k + 1));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool known = models && k < models->models.size();
    const auto& series = ui.colors().series;
    const ImVec4& hue = series[(known ? models->models[k].hue : k) % series.size()];
    fill({at.x, at.y + ui.px(3), at.x + ui.px(13), at.y + ui.px(16)}, color(hue), ui.px(2));
    ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(22), at.y));
    words(ui, known ? models->models[k].stack.title : told[k].name);
    if (removeAtRight(ui, "remove", {"Remove this model; the stack stays as it is"}))
      return c.actions.edit("fewer models", [k](Scene& s) {
        s.reach.models.erase(s.reach.models.begin() + static_cast<std::ptrdiff_t>(k));
      });
  }
}

void factsOf(const PanelContext& c, const ModelFacts& of, Index n) {
  const Ui& ui = c.ui;
  const Stack& stack = of.stack;
  groupHeading(ui, stack.title);
  valueRow(ui, "layers", groupDigits(std::ssize(stack.layers)),
           of.kinds + (stack.heads ? ". " + countText(*stack.heads, "query head") : ""));
  caption(ui, of.kinds + (of.stacked ? "; these are the layers shown" : ""));
  valueRow(ui, "pairs, all layers", of.pairs ? groupDigits(*of.pairs) : "not known",
           "Attended pairs of the masks of all its layers at n = " + groupDigits(n) +
               "; not known where a layer has no mask, or chooses its keys by the data");
  valueRow(ui, "KV cache at n",
           of.cache        ? bytesText(*of.cache)
           : stack.encoder ? "none"
                           : "not known",
           "Size of all layers' keys and values for one text of n tokens, at 2 bytes per number; a "
           "layer with a window keeps at most its window");
  if (of.atContext)
    valueRow(ui, "at full context", bytesText(*of.atContext),
             "KV cache at its longest context, n = " + groupDigits(*stack.context));
  if (!stack.note.empty())
    caption(ui, stack.note);
  caption(ui, "sizes from " + stack.source);
  space(ui, 4);
}

} // namespace

void drawModelOptions(const PanelContext& c) {
  space(c.ui, 4);
  sectionHeading(c.ui, "Real models");
  FieldSpec field;
  field.hint = "search a model, or drop its config.json";
  field.labelWidth = 0;
  field.tooltip = "Type a part of a model's name, then click one to load its layers";
  inputText(c.ui, "search models", c.memory.modelSearch, field);
  modelList(c);
  toldRows(c);
}

void drawModelFacts(const PanelContext& c) {
  if (c.scene.reach.models.empty())
    return;
  const Latest<ModelsAnswer>& models = c.results.part<ReachResults>().models;
  sectionHeading(c.ui, "Real models", models ? "n = " + groupDigits(models->n) : std::string());
  if (models.problem)
    note(c.ui, *models.problem);
  else if (!models)
    caption(c.ui, "counting pairs …");
  if (!models || models.problem)
    return;
  for (const ModelFacts& of : models->models)
    factsOf(c, of, models->n);
  space(c.ui, 2);
}

} // namespace attention::gui
