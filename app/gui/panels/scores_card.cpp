// How scores come from q·k: what the input states, changed here.
#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <array>
#include <cmath>

namespace attention::gui {
namespace {

struct BiasChoice {
  const char* label;
  const char* tooltip;
  std::optional<AlibiSide> side; // nothing: no bias
};
constexpr std::array<BiasChoice, 4> kBiases{{
    {"none", "Scores do not depend on positions", {}},
    {"ALiBi", "−m·|i − j|: a slope m per head makes distant keys weigh less (Press et al. 2022)",
     AlibiSide::Distance},
    {"ALiBi, signed", "m·(j − i): as attention-gym has it", AlibiSide::Signed},
    {"ALiBi, by key", "m·j: as BLOOM has it; under a causal mask, outputs equal ALiBi's",
     AlibiSide::Column},
}};

void set(const PanelContext& c, const std::string& label, std::optional<ScoreModifiers> modifiers) {
  c.actions.push(EditScene{
      label, [modifiers = std::move(modifiers)](Scene& s) { s.input.modifiers = modifiers; },
      "scores." + label});
}

std::string textOf(const std::optional<double>& number) {
  return number ? shortest(*number) : "";
}

// Empty for 1/√d, which files state with all its digits.
std::string scaleText(const ScoreModifiers& modifiers, const Input& input) {
  const std::optional<double>& scale = modifiers.scale;
  const double usual = 1 / std::sqrt(static_cast<double>(input.d));
  return scale && std::abs(*scale - usual) > 1e-6 * usual ? shortest(*scale) : "";
}

std::optional<double> numberFrom(const std::string& label, const std::string& text) {
  ParameterFacts number;
  number.name = label;
  number.type = ParameterType::Real;
  const Value value = valueOf(number, text);
  const auto* real = std::get_if<double>(&value);
  return real ? std::optional(*real) : std::nullopt;
}

// A number that may be left out; `take` puts it into the modifiers.
template <class Take>
void numberField(const PanelContext& c, const ScoreModifiers& shown, const char* label,
                 const std::string& text, const FieldSpec& spec, const Take& take) {
  ScoreModifiers changed = shown;
  const Index heads = c.results.input.value->heads;
  const auto accept = [&](const std::string& typed) {
    take(changed, numberFrom(label, typed));
    checkModifiers(changed, heads, "scores");
  };
  if (draftField(c.ui, c.memory, std::string("scores.") + label, label, text, spec, accept))
    set(c, label, changed);
}

std::optional<double> sinkOf(const ScoreModifiers& modifiers) {
  return modifiers.sink && modifiers.sink->all ? std::optional(modifiers.sink->values.front())
                                               : std::nullopt;
}

void numberFields(const PanelContext& c, const ScoreModifiers& shown) {
  FieldSpec spec;
  spec.hint = "1/√d";
  spec.tooltip = "Factor applied to q·k";
  numberField(c, shown, "scale", scaleText(shown, *c.results.input.value), spec,
              [](ScoreModifiers& m, const std::optional<double>& x) { m.scale = x; });
  spec.hint = "none";
  spec.tooltip = "Scores s become c·tanh(s / c), which stays between −c and c (Gemma 2)";
  numberField(c, shown, "soft cap", textOf(shown.softcap), spec,
              [](ScoreModifiers& m, const std::optional<double>& x) { m.softcap = x; });
  spec.hint = "1";
  spec.tooltip = "Scores are divided by it: above 1 weights spread, below 1 they sharpen";
  numberField(
      c, shown, "temperature", shown.temperature == 1 ? "" : shortest(shown.temperature), spec,
      [](ScoreModifiers& m, const std::optional<double>& x) { m.temperature = x.value_or(1); });
  spec.hint = shown.sink && !shown.sink->all ? "one per head" : "none";
  spec.tooltip =
      "The score of a sink: it takes weight in the softmax but adds nothing to the output "
      "(gpt-oss)";
  numberField(c, shown, "sink", textOf(sinkOf(shown)), spec,
              [](ScoreModifiers& m, const std::optional<double>& x) {
                m.sink = x ? std::optional(HeadNumbers{{*x}, true}) : std::nullopt;
              });
}

// The input's own bias stands last where it is none of those in the list.
void biasChoice(const PanelContext& c, const ScoreModifiers& shown) {
  std::vector<ChoiceItem> items;
  items.reserve(kBiases.size() + 1);
  for (const BiasChoice& bias : kBiases)
    items.push_back({bias.label, bias.tooltip});
  const auto* alibi = std::get_if<AlibiBias>(&shown.bias);
  const bool listed = !shown.hasBias() || (alibi && *alibi == AlibiBias{{}, alibi->side});
  if (!listed)
    items.push_back({"the input's", "The bias that the input states"});
  int selected = static_cast<int>(kBiases.size());
  if (listed)
    selected = alibi ? 1 + static_cast<int>(alibi->side) : 0;
  ChoiceSpec spec;
  spec.tooltip = "A number added to each score, depending on position";
  if (!combo(c.ui, "bias", selected, items, spec) || selected >= std::ssize(kBiases))
    return;
  ScoreModifiers changed = shown;
  const auto& side = kBiases[static_cast<std::size_t>(selected)].side;
  changed.bias = side ? ScoreBiasSpec(AlibiBias{{}, *side}) : ScoreBiasSpec();
  set(c, "bias", changed);
}

} // namespace

void drawScoresCard(const PanelContext& c) {
  const Input* input = c.results.input.value.get();
  if (!input || !input->hasQkv())
    return;
  const WidgetScope scope(c.ui.log, "Scores");
  if (!c.memory.scoresOpen) {
    if (link(c.ui, "Scores…", {"Change the scale, cap, bias, temperature or sink of the scores"}))
      c.memory.scoresOpen = true;
    return;
  }
  const Card card(c.ui, "scores");
  // What was typed last stands in the Scene before the input has it.
  const ScoreModifiers shown = c.scene.input.modifiers.value_or(input->modifiers);
  numberFields(c, shown);
  biasChoice(c, shown);
  if (c.scene.input.modifiers) {
    if (link(c.ui, "as the input states", {"Undo the changes made here"}))
      set(c, "scores", std::nullopt);
    sameLineIfRoom(c.ui.px(14), textSize(c.ui.fonts.text, "close").x);
  }
  if (link(c.ui, "close", {"Close this card; the changes stay"}))
    c.memory.scoresOpen = false;
}

} // namespace attention::gui
