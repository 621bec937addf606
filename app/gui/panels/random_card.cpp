#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attention::gui {
namespace {

RandomInput randomOf(const Scene& scene) {
  const auto* random = std::get_if<RandomInput>(&scene.input.source);
  return random ? *random : RandomInput();
}

void setRandom(const PanelContext& c, const std::string& label, RandomInput random,
               std::string gesture = {}) {
  c.actions.push(EditScene{label,
                           [random = std::move(random)](Scene& s) {
                             s.input.source = random;
                             s.input.contentHash.clear();
                             s.input.tokens.clear();
                             s.input.batch = 0;
                             s.input.head = std::min(s.input.head, random.heads - 1);
                           },
                           std::move(gesture)});
}

std::string textOf(const GeneratorValues& values) {
  std::string text;
  for (const double v : values)
    text += (text.empty() ? "" : ", ") + attention::textOf(Value{v});
  return text;
}

GeneratorValues valuesFrom(const GeneratorParameter& p, const std::string& text) {
  GeneratorValues values;
  Parameter number;
  number.name = std::string(p.name);
  number.type = ParameterType::Real;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const Value value = valueOf(number, text.substr(begin, comma - begin));
    if (const auto* real = std::get_if<double>(&value))
      values.push_back(*real);
    begin = comma + 1;
  }
  return values;
}

void generatorChoice(const PanelContext& c, const RandomInput& random) {
  std::vector<ChoiceItem> items;
  int selected = -1;
  for (const GeneratorInfo& info : generators()) {
    if (info.name == random.generator)
      selected = static_cast<int>(items.size());
    items.push_back({std::string(info.label), capitalised(std::string(info.meaning))});
  }
  ChoiceSpec spec;
  spec.tooltip = "The distribution of queries and keys; values are always normal";
  if (!combo(c.ui, "kind", selected, items, spec))
    return;
  RandomInput changed = random;
  changed.generator = std::string(generators()[static_cast<std::size_t>(selected)].name);
  changed.parameters.clear();
  setRandom(c, "distribution", changed);
}

void generatorFields(const PanelContext& c, const RandomInput& random) {
  const GeneratorInfo& info = generatorInfo(random.generator);
  for (const GeneratorParameter& p : info.parameters) {
    const std::string name(p.name);
    const std::string tip =
        capitalised(std::string(p.meaning)) + " (" + std::string(p.symbol) + " in the formulas)";
    FieldSpec spec;
    spec.tooltip = tip;
    RandomInput changed = random;
    const auto accept = [&](const std::string& text) {
      changed.parameters[name] = valuesFrom(p, text);
      checkRandom(changed);
    };
    if (draftField(c.ui, c.memory, "random." + random.generator + "." + name, name,
                   textOf(parameterValues(random, name)), spec, accept))
      setRandom(c, name, changed, "random." + name);
  }
}

struct SizeField {
  const char* label;
  Index RandomInput::*member;
  const char* tooltip;
};

void sizeFields(const PanelContext& c, const RandomInput& random) {
  static constexpr SizeField kFields[] = {
      {"tokens", &RandomInput::n, "Number of tokens n"},
      {"width d", &RandomInput::d, "Numbers in a query, key or value: d"},
      {"heads", &RandomInput::heads, "Number of model heads, each with its own random numbers"},
  };
  for (const SizeField& field : kFields) {
    RandomInput changed = random;
    Parameter number;
    number.name = field.label;
    FieldSpec spec;
    spec.tooltip = field.tooltip;
    const auto accept = [&](const std::string& text) {
      const Value value = valueOf(number, text);
      changed.*field.member = std::holds_alternative<Index>(value) ? std::get<Index>(value) : 0;
      checkRandom(changed);
    };
    if (draftField(c.ui, c.memory, std::string("random.") + field.label, field.label,
                   std::to_string(random.*field.member), spec, accept))
      setRandom(c, field.label, changed, std::string("random.") + field.label);
  }
}

void seedRow(const PanelContext& c, const RandomInput& random) {
  RandomInput changed = random;
  Parameter seed;
  seed.name = "seed";
  seed.type = ParameterType::Seed;
  FieldSpec spec;
  spec.tooltip = "The same seed gives the same numbers, bit for bit";
  spec.width = std::max(40.0F, availableWidth() - nameWidth(c.ui, -1) - c.ui.px(84));
  const auto accept = [&](const std::string& text) {
    const Value value = valueOf(seed, text);
    changed.seed =
        std::holds_alternative<std::uint64_t>(value) ? std::get<std::uint64_t>(value) : 0;
  };
  if (draftField(c.ui, c.memory, "random.seed", "seed", std::to_string(random.seed), spec, accept))
    setRandom(c, "seed", changed, "random.seed");
  ImGui::SameLine();
  if (button(c.ui, "redraw", {"Draw again with the next seed", true, -1})) {
    ++changed.seed;
    setRandom(c, "redraw", changed);
  }
}

} // namespace

void drawRandomCard(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Random");
  const Card card(c.ui, "random");
  const RandomInput random = randomOf(c.scene);
  generatorChoice(c, random);
  caption(c.ui, generatorInfo(random.generator).formula);
  generatorFields(c, random);
  sizeFields(c, random);
  seedRow(c, random);
  if (link(c.ui, "close", {"Fold this card; the input stays"}))
    c.actions.run("input.random");
}

} // namespace attention::gui
