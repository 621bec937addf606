#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/steps/steps_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/scene/input_data.h"

namespace attention::gui {
namespace {

// Which query is shown: typed as a number or as a word.
void queryField(const PanelContext& c) {
  const Lengths& lengths = c.results.lengths;
  if (lengths.queries < 1)
    return;
  const auto tokens = tokenLabels(c.scene, c.results.input.value.get(), lengths.keys);
  const Index now = stepsQuery(c.scene, lengths);
  std::optional<Index> query;
  FieldSpec spec;
  spec.tooltip =
      "The query to compute: its number, or the start of its word (finds the next word that "
      "begins so)";
  const auto accept = [&](const std::string& text) {
    query = queryNamed(text, tokens, lengths, now);
  };
  if (draftField(c.ui, c.memory, "steps.query", "query", queryText(now, tokens, lengths), spec,
                 accept))
    c.actions.push(SetPins{{query, c.scene.pins.key}, "steps query"});
  if (!tokens.empty())
    caption(c.ui, "A click on a word in Text picks its query too.");
}

} // namespace

void drawStepsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Steps");
  const SettingControls settings(
      c, [](auto& s) -> auto& { return s.attention.steps; }, stepsSettings());
  sectionHeading(c.ui, "Steps");
  queryField(c);
  const Lengths& lengths = c.results.lengths;
  // Online softmax shows something from the second tile on.
  settings.drawAs("by", [keys = lengths.keys](Setting<StepsSpec>& by) {
    by.set = [keys, set = by.set](StepsSpec& of, const Value& value) {
      set(of, value);
      if (of.by == StepsBy::Online && of.keyTile >= keys)
        of.keyTile = std::max<Index>(1, ceilDiv(keys, 4));
    };
  });
  const Index n = std::max(lengths.queries, lengths.keys);
  if (n <= kMostMatrixTokens || c.scene.attention.steps.whole)
    settings.draw({"whole"});
  settings.draw({"key_tile", "m", "seed", "normalized"});
  const auto& shown = c.results.part<StepsResults>().shown;
  const Index count = shown ? shown->count : 0;
  // A step beyond the last is a picture of all of them.
  settings.drawAs("step", [&](Setting<StepsSpec>& step) {
    step.choices = {{"0", "all", ""}};
    if (count < 1)
      return;
    step.handy = static_cast<double>(count);
    step.resolved = [count](const StepsSpec& of, Index) {
      return Value{of.step > count ? Index{0} : of.step};
    };
    step.set = [count, set = step.set](StepsSpec& of, const Value& value) {
      set(of, value);
      if (of.step > count)
        of.step = 0;
    };
  });
}

} // namespace attention::gui
