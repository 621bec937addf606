#include "app/gui/panels/layout.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

namespace attention::gui {
namespace {

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
  if (c.scene.model.model.empty())
    return words(c.ui, "no model");
  words(c.ui, visibleText(std::filesystem::path(c.scene.model.model).filename().string()));
  if (model.problem)
    note(c.ui, *model.problem);
  else if (model && !model.stale)
    caption(c.ui, shapeOf(*model));
  else
    caption(c.ui, "opening …");
}

void textLines(const PanelContext& c) {
  const Latest<ModelTokens>& tokens = c.results.part<ModelResults>().tokens;
  const ModelSpec& spec = c.scene.model;
  if (!tokens || tokens.stale)
    return;
  const auto n = static_cast<Index>(tokens->ids.size());
  caption(c.ui, (n < tokens->given ? "the first " + groupDigits(n) + " of " +
                                         groupDigits(tokens->given) + " tokens of "
                                   : counted(n, "token") + " of ") +
                    visibleText(tokens->from));
  if (spec.ids.empty())
    return;
  if (link(c.ui, "read a text instead", {"Drop the token ids and read a text"}))
    c.actions.edit("text", [](Scene& s) { s.model.ids.clear(); });
}

} // namespace

void drawModelViewOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Model");
  sectionHeading(c.ui, "Model");
  modelCard(c);
  const SettingControls settings(c, &Scene::model, modelSettings());
  settings.draw({"model"});
  if (link(c.ui, "Open a model…",
           {"Choose a .gguf file or a folder's config.json, or drop a model on the window"}))
    c.actions.run("model.open");
  space(c.ui, 4);
  settings.draw({"text"});
  if (c.scene.model.ids.empty() &&
      link(c.ui, "Open a text…", {"Choose a text file, or drop one on the window"}))
    c.actions.run("model.text");
  settings.draw({"typed", "n"});
  textLines(c);
  space(c.ui, 6);
  drawVariantOptions(c);
}

} // namespace attention::gui
