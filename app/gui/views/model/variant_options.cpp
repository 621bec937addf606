// The variants of a model and their rules.
#include "app/gui/jobs/slot.h"
#include "app/gui/panels/layout.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/model/variant.h"
#include "core/support/error.h"
#include "core/support/text.h"
#include "core/views/model/scene_model.h"
#include "core/views/model/variant_names.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

using Variants = std::vector<ModelVariantSpec>;

void setVariants(const PanelContext& c, const char* label, Variants variants, std::size_t chosen,
                 const std::string& gesture = {}) {
  c.actions.push(EditScene{label,
                           [variants = std::move(variants), chosen](Scene& s) {
                             s.model.variants = variants;
                             s.model.chosen = static_cast<Index>(chosen);
                           },
                           gesture});
}

// A square in the hue of the variant's row in the pictures.
void hueSquare(const Ui& ui, std::size_t row) {
  const auto& series = ui.colors().series;
  const float side = ui.px(12);
  const float line = fontSize(ui.fonts.text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = std::round(at.y + (line - side) / 2);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + side, top + side),
                                            color(series[row % series.size()]), ui.px(2));
  ImGui::Dummy(ImVec2(side, line));
  ImGui::SameLine(0, ui.px(8));
}

std::string placesWords(const std::string& places, const char* one) {
  return places == "all" ? std::string("all ") + one + "s" : one + std::string("s ") + places;
}

// Draws a row for each variant; returns whether one was removed.
bool variantRow(const PanelContext& c, Variants variants, std::size_t place) {
  const Ui& ui = c.ui;
  const ModelSpec& spec = c.scene.model;
  const RowScope row(ui.log, "variant " + std::to_string(place + 1));
  const bool chosen = place == chosenVariant(spec);
  hueSquare(ui, place + (spec.own ? 2 : 1));
  Control control{chosen ? "Its rules are below" : "Show its rules below and its masks in Layers"};
  control.width = availableWidth() - ui.px(28);
  if (listItem(ui, variants[place].name, chosen, {}, control) && !chosen)
    c.actions.edit("choose a variant",
                   [place](Scene& s) { s.model.chosen = static_cast<Index>(place); });
  if (!removeAtRight(ui, "remove", {"Remove this variant"}))
    return false;
  variants.erase(variants.begin() + static_cast<std::ptrdiff_t>(place));
  const auto now = chosenVariant(spec).value_or(0);
  const std::size_t next = now > place || now == variants.size() ? now - (now > 0 ? 1 : 0) : now;
  setVariants(c, "remove a variant", std::move(variants), next);
  return true;
}

void nameField(const PanelContext& c, const Variants& variants, std::size_t place) {
  FieldSpec spec;
  spec.tooltip = "What the variant is called in pictures and files";
  std::string typed;
  const auto accept = [&](const std::string& text) {
    Variants others = variants;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    if (trimmed(text).empty() || text == kAsItIs || freeVariantName(others, text) != text)
      throwRange("name", excerpt(text), "a name that is not used yet");
    typed = text;
  };
  if (!draftField(c.ui, c.memory, "model.name", "name", variants[place].name, spec, accept))
    return;
  Variants renamed = variants;
  renamed[place].name = typed;
  setVariants(c, "rename a variant", std::move(renamed), place,
              "variant name " + std::to_string(place));
}

// Draws the rules of a variant, the strongest last; a cross removes one.
void ruleRows(const PanelContext& c, const Variants& variants, std::size_t place) {
  const Ui& ui = c.ui;
  const std::vector<ModelRuleSpec>& rules = variants[place].rules;
  if (rules.empty())
    caption(ui, "no rules yet: all heads have the model's own masks");
  for (std::size_t k = 0; k < rules.size(); ++k) {
    const RowScope row(ui.log, "rule " + std::to_string(k + 1));
    const float right = contentRight();
    setContentRight(right - ui.px(30));
    words(ui, placesWords(rules[k].layers, "layer") + ", " + placesWords(rules[k].heads, "head") +
                  ": " + sizedTitle(rules[k].pattern, c.results.lengths.keys));
    setContentRight(right);
    if (!removeAtRight(ui, "remove", {"Remove this rule"}))
      continue;
    Variants fewer = variants;
    fewer[place].rules.erase(fewer[place].rules.begin() + static_cast<std::ptrdiff_t>(k));
    renameByRules(fewer, place, rules);
    return setVariants(c, "remove a rule", std::move(fewer), place);
  }
}

// Which layers or heads the next rule is for.
void placesField(const PanelContext& c, const char* name, std::string& places, Index count,
                 Index kvHeads = 0) {
  const Setting<ModelRuleSpec>& setting = settingNamed(modelRuleSettings(), name);
  const std::string shown = places;
  FieldSpec spec;
  spec.hint = "all";
  spec.tooltip = setting.meaning;
  draftField(c.ui, c.memory, std::string("model.") + name, name, shown, spec,
             [&](const std::string& text) {
               const std::string typed = trimmed(text).empty() ? "all" : text;
               placesFromText(typed, count, name, kvHeads);
               places = typed;
             });
}

// "0,2,4": every other one.
std::string everyOther(Index count, Index from) {
  std::string text;
  for (Index k = from; k < count; k += 2)
    text += (text.empty() ? "" : ",") + std::to_string(k);
  return text;
}

// A rule for all layers and heads hides those before it.
void addRule(ModelVariantSpec& variant, ModelRuleSpec rule) {
  if (rule.layers == "all" && rule.heads == "all")
    variant.rules.clear();
  variant.rules.push_back(std::move(rule));
}

void headLinks(const PanelContext& c, const Model& model) {
  std::string& heads = c.memory.ruleHeads;
  if (link(c.ui, "all heads", {"A rule for all heads of these layers"}))
    heads = "all";
  ImGui::SameLine(0, c.ui.px(14));
  if (link(c.ui, "whole key/value groups",
           {"Add the heads that share keys and values with these: kv0 is the heads of key/value "
            "head 0",
            heads != "all"}))
    if (const auto whole = madeOrProblem([&] { return wholeGroups(heads, model); }); whole.value)
      heads = *whole.value; // else the field says what is wrong when it is typed again
}

void applyPattern(const PanelContext& c, const Variants& variants, std::size_t place) {
  const Ui& ui = c.ui;
  const Latest<Model>& model = c.results.part<ModelResults>().model;
  constexpr Index kUnknown = 1024; // before the model is there
  const Index layers = model ? static_cast<Index>(model->layers.size()) : kUnknown;
  placesField(c, "layers", c.memory.ruleLayers, layers);
  if (link(ui, "all", {"A rule for all layers"}))
    c.memory.ruleLayers = "all";
  ImGui::SameLine(0, ui.px(14));
  if (link(ui, "every other layer", {"A rule for layers 0, 2, 4 …"}) && model)
    c.memory.ruleLayers = everyOther(layers, 0);
  placesField(c, "heads", c.memory.ruleHeads, model ? model->heads : kUnknown,
              model ? model->kvHeads : kUnknown);
  if (model && model->kvHeads < model->heads)
    headLinks(c, *model);
  if (!button(ui, "Apply the pattern",
              {"Give these layers and heads the pattern above; a later rule wins",
               variants[place].rules.size() < kMostModelRules, -1}))
    return;
  Variants more = variants;
  addRule(more[place], {c.memory.ruleLayers, c.memory.ruleHeads, c.scene.pattern});
  renameByRules(more, place, variants[place].rules);
  setVariants(c, "apply a pattern", std::move(more), place);
}

void addVariant(const PanelContext& c, const Variants& variants) {
  if (!link(c.ui, "+ keep as a variant",
            {"Add a variant with the pattern above in all layers and heads; at most four",
             variants.size() < kMostModelVariants}))
    return;
  Variants more = variants;
  const std::vector<ModelRuleSpec> rules{{"all", "all", c.scene.pattern}};
  more.push_back({freeVariantName(variants, nameOfRules(rules)), rules});
  const std::size_t last = more.size() - 1;
  setVariants(c, "add a variant", std::move(more), last);
}

// A variant with the masks of another model's layers.
void addKnownModel(const PanelContext& c, const Variants& variants) {
  const Latest<Model>& model = c.results.part<ModelResults>().model;
  if (!model || model->encoder)
    return;
  const std::vector<const ModelRow*> rows = modelsToImitate();
  std::vector<ChoiceItem> items;
  for (const ModelRow* row : rows)
    items.push_back({std::string(row->title), "Source: " + std::string(row->source)});
  ChoiceSpec spec;
  spec.enabled = variants.size() < kMostModelVariants;
  spec.tooltip = "Add a variant whose layers see what those of this model see; at most four";
  int chosen = -1;
  if (!combo(c.ui, "layers as in", chosen, items, spec))
    return;
  Variants more = variants;
  more.push_back(variantAsIn(*rows[static_cast<std::size_t>(chosen)], std::ssize(model->layers)));
  more.back().name = freeVariantName(variants, more.back().name);
  const std::size_t last = more.size() - 1;
  setVariants(c, "add a variant", std::move(more), last);
}

} // namespace

void drawVariantOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Variants");
  sectionHeading(c.ui, "Variants");
  SettingControls(c, &Scene::model, modelSettings()).draw({"own"});
  const Variants& variants = c.scene.model.variants;
  for (std::size_t place = 0; place < std::min(variants.size(), kMostModelVariants); ++place)
    if (variantRow(c, variants, place))
      return;
  addVariant(c, variants);
  addKnownModel(c, variants);
  const auto chosen = chosenVariant(c.scene.model);
  if (!chosen)
    return;
  space(c.ui, 4);
  sectionHeading(c.ui, "Rules", variants[*chosen].name);
  nameField(c, variants, *chosen);
  ruleRows(c, variants, *chosen);
  applyPattern(c, variants, *chosen);
}

} // namespace attention::gui
