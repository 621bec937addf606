#include "app/gui/panels/facts_parts.h"

#include "app/gui/widgets/words.h"
#include "core/scene/scene_words.h"

namespace attention::gui {

void drawFacts(const Ui& ui, const std::string& heading, const std::vector<Fact>& facts) {
  sectionHeading(ui, heading);
  for (const Fact& fact : facts)
    valueRow(ui, fact.label, fact.value, fact.tooltip);
}

void drawReadThis(const Ui& ui, const std::vector<std::string>& sentences) {
  if (sentences.empty())
    return;
  space(ui, 6);
  sectionHeading(ui, "Read this");
  const Card card(ui, "reading");
  std::string text;
  for (const std::string& sentence : sentences)
    text += (text.empty() ? "" : " ") + sentence;
  caption(ui, text);
}

void drawSceneWords(const PanelContext& context) {
  const SceneWords said = wordsOf(context.scene);
  if (said.title.empty() && said.caption.empty() && said.source.empty())
    return;
  const Ui& ui = context.ui;
  sectionHeading(ui, said.source.empty() ? "Scene" : "Figure");
  {
    const Card card(ui, "figure");
    if (!said.title.empty()) {
      const UseFont bold(ui.fonts.smallBold);
      words(ui, said.title);
    }
    if (!said.caption.empty())
      caption(ui, said.caption);
    if (!said.source.empty())
      caption(ui, said.source);
  }
  space(ui, 6);
}

void drawDefinition(const PanelContext& context, const Definition& definition) {
  const Ui& ui = context.ui;
  sectionHeading(ui, "Definition");
  const Card card(ui, "definition");
  for (const char* line : definition.formulas)
    code(ui, line);
  caption(ui, definition.words);
  caption(ui, definition.source);
}

} // namespace attention::gui
