#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr Index kWideRange = 100; // of which small values matter too

// "llama · 30 layers · 9 heads · 3 key/value heads".
std::string shapeOf(const Model& model) {
  const auto layers = static_cast<Index>(model.layers.size());
  std::string text =
      model.family + " · " + counted(layers, "layer") + " · " + counted(model.heads, "head");
  if (model.kvHeads != model.heads)
    text += " · " + counted(model.kvHeads, "key/value head");
  return text;
}

void modelCard(const PanelContext& c) {
  const Latest<Model>& model = c.results.part<ModelResults>().model;
  const Card card(c.ui, "model");
  if (c.scene.model.model.empty() && (!model || model.stale))
    return words(c.ui, "no model");
  if (model && !model.stale && !hasWeights(*model)) {
    words(c.ui, "SmolLM2-135M, shipped results");
    return caption(c.ui, "The model is not on this machine; other variants need it.");
  }
  words(c.ui, visibleText(std::filesystem::path(c.scene.model.model).filename().string()));
  if (model.problem)
    note(c.ui, *model.problem);
  else if (model && !model.stale)
    caption(c.ui, shapeOf(*model));
  else
    caption(c.ui, "opening …");
}

// What the other views show, and the press that makes it this model or goes there.
void inputLines(const PanelContext& c, bool computes) {
  const Ui& ui = c.ui;
  const InputSpec& input = c.scene.input;
  const auto* of = std::get_if<ModelInput>(&input.source);
  const bool same = of && *of == modelInput(c.scene.model);
  caption(ui, "Input of the other views: " +
                  (same ? "this model, layer " + groupDigits(input.batch) + ", head " +
                              groupDigits(input.head)
                        : inputTitle(input)) +
                  ".");
  if (same && link(ui, "see it in Attention", {"Shows the weights of that head"}))
    c.actions.run("view.attention");
  else if (!same && computes &&
           link(ui, "use this model",
                {"Make all layers and heads of this model, on this text, the input of the other "
                 "views"}))
    c.actions.run("input.model");
}

void textLines(const PanelContext& c) {
  const Latest<ModelTokens>& tokens = c.results.part<ModelResults>().tokens;
  if (!tokens || tokens.stale)
    return;
  const auto n = static_cast<Index>(tokens->ids.size());
  caption(c.ui, (n < tokens->given ? "the first " + groupDigits(n) + " of " +
                                         groupDigits(tokens->given) + " tokens of "
                                   : counted(n, "token") + " of ") +
                    visibleText(tokens->from));
}

// Instead of a text: of a model without a tokenizer, and where they are given.
void idsOptions(const PanelContext& c, const SettingControls<ModelSpec>& settings) {
  const auto& problem = c.results.part<ModelResults>().tokens.problem;
  const bool given = !c.scene.model.ids.empty();
  if (!given && !(problem && problem->subject == "tokenizer"))
    return;
  settings.draw({"ids"});
  if (given && link(c.ui, "read a text instead", {"Drop the token ids and read a text"}))
    c.actions.edit("text", [](Scene& s) { s.model.ids.clear(); });
}

// How many tokens are read: a slider as far as the text goes.
void lengthOptions(const PanelContext& c, const SettingControls<ModelSpec>& settings) {
  const Latest<ModelTokens>& tokens = c.results.part<ModelResults>().tokens;
  if (!tokens)
    return settings.draw({"n"});
  const Setting<ModelSpec>& setting = settingNamed(modelSettings(), "n");
  const Index given = tokens->given;
  Index n = std::min(c.scene.model.n, given);
  SliderSpec spec;
  spec.tooltip = tipOf(setting);
  spec.note = n == given ? "the whole text" : "";
  const Index most = std::max(n, std::min(given, static_cast<Index>(setting.handy.value())));
  spec.logarithmic = most > kWideRange;
  const Edit edit = sliderInt(c.ui, labelOf(setting), n, 1, most, spec);
  if (edit.changed)
    c.actions.push(EditScene{labelOf(setting), [n](Scene& s) { s.model.n = n; }, setting.name});
  if (edit.finished)
    c.actions.push(EndGesture{});
}

// Which of the pattern's parameters.
void parameterChoice(const PanelContext& c) {
  const std::vector<std::string> names = sweptParameters(c.scene.model, c.scene.pattern);
  if (names.empty())
    return caption(c.ui, sweepsVariants(c.scene.model)
                             ? "No variant has a parameter that is a whole number."
                             : "This pattern has no parameter that is a whole number.");
  const std::string& now = c.scene.model.sweep.parameter;
  const auto at = std::find(names.begin(), names.end(), now);
  std::vector<ChoiceItem> items{{"automatic",
                                 "The one that sets most of the pairs, such as a window or a "
                                 "stride; of several variants, the one that most of them have"}};
  for (const std::string& name : names)
    items.push_back({name, "The values below, one after another"});
  int chosen = at == names.end() ? 0 : static_cast<int>(at - names.begin()) + 1;
  ChoiceSpec spec;
  spec.tooltip = "The parameter that changes from one point to the next";
  if (combo(c.ui, "which parameter", chosen, items, spec))
    c.actions.edit("parameter", [name = chosen == 0 ? std::string()
                                                    : names[static_cast<std::size_t>(chosen) - 1]](
                                    Scene& s) { s.model.sweep.parameter = name; });
}

// The pattern, or the variants beside each other.
void sweptChoice(const PanelContext& c) {
  const bool variants = sweepsVariants(c.scene.model);
  sectionHeading(c.ui, "Sweep", variants ? "the variants" : "the pattern above");
  if (!variants && c.scene.model.variants.empty())
    return;
  if (link(c.ui, variants ? "sweep the pattern above instead" : "sweep the variants instead",
           {variants ? "The pattern alone: a bar or a point for each step"
                     : "All variants in one picture, a curve for each"}))
    c.actions.edit("what is swept", [variants](Scene& s) { s.model.sweep.variants = !variants; });
}

void sweepOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Sweep");
  sweptChoice(c);
  const SettingControls settings(
      c, [](auto& s) -> auto& { return s.model.sweep; }, modelSweepSettings());
  settings.draw({"over"});
  if (c.scene.model.sweep.over != ModelSweep::Parameter)
    settings.drawAs("others", [&](ParameterFacts& facts) {
      facts.label = c.scene.model.sweep.over == ModelSweep::Layers ? "all layers but one"
                                                                   : "all heads but one";
    });
  settings.draw({"layer"});
  if (c.scene.model.sweep.over == ModelSweep::Parameter)
    parameterChoice(c);
  settings.draw({"values"});
}

} // namespace

void drawModelViewOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Model");
  sectionHeading(c.ui, "Model");
  modelCard(c);
  const Latest<Model>& model = c.results.part<ModelResults>().model;
  if (model && !model->encoder && isSetToLookAhead(c.scene.pattern))
    caption(c.ui, "A decoder never sees later keys: here the pattern is causal.");
  const SettingControls settings(c, &Scene::model, modelSettings());
  settings.draw({"model"});
  const bool shipped = model && !model.stale && !hasWeights(*model);
  if (shipped || (model.problem && c.scene.model.model == kShippedModel))
    if (button(c.ui, "Download SmolLM2…", {kDownloadTip}))
      c.actions.run("model.download");
  if (link(c.ui, "Open a model…",
           {"Choose a .gguf file or a folder's config.json, or drop a model on the window"}))
    c.actions.run("model.open");
  space(c.ui, 4);
  settings.draw({"text"});
  if (c.scene.model.ids.empty() &&
      link(c.ui, "Open a text…", {"Choose a text file, or drop one on the window"}))
    c.actions.run("model.text");
  settings.draw({"typed"});
  idsOptions(c, settings);
  if (!model || hasWeights(*model)) // the shipped results are of one length
    lengthOptions(c, settings);
  textLines(c);
  inputLines(c, model && !model.stale && hasWeights(*model));
  settings.draw({"single"});
  space(c.ui, 6);
  if (c.scene.model.picture == ModelPicture::Sweep)
    sweepOptions(c);
  if (c.scene.model.picture != ModelPicture::Sweep || sweepsVariants(c.scene.model))
    drawVariantOptions(c);
}

} // namespace attention::gui
