#include "app/gui/interface/latest.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/parameter_controls.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"
#include "core/views/attention/scene_attention.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

namespace attention::gui {
namespace {

constexpr Index kLongestDragged = Index{1} << 24; // longer masks are typed

// A click on the note of the length slider goes back to the input's length.
void inputsLengthLink(const PanelContext& c) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Ui& ui = c.ui;
  const float width = textSize(ui.fonts.text, "from input").x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + availableWidth() * 0.6F - width / 2, at.y - ui.px(2)));
  if (link(ui, "from input", {"Back to the length of the input"}))
    c.actions.edit("length", [](Scene& s) { s.length.n.reset(); });
  ImGui::SetCursorScreenPos(at);
}

void lengthNotes(const PanelContext& c, Index n) {
  const Input* input = c.results.input.value.get();
  if (!input || !c.scene.length.n)
    return;
  if (n > input->keys)
    note(c.ui, NoteKind::Info, "Longer than the input: only the mask is shown.");
  else if (n < input->keys)
    caption(c.ui, "the first " + (n == 1 ? "" : groupDigits(n) + " ") + "of the input's " +
                      counted(input->keys, "token"));
}

std::optional<Index> lengthFromText(const std::string& text) {
  if (text.find_first_not_of(' ') == std::string::npos)
    return {};
  const Setting<LengthSpec>& setting = settingNamed(lengthSettings(), "queries");
  const Value queries = valueOf(setting, text);
  checkValue(setting.name, queries, setting.bounds({}, 1), setting.type);
  return std::get<Index>(queries);
}

void rectangularControls(const PanelContext& c) {
  const std::string shown =
      c.scene.length.queries ? std::to_string(*c.scene.length.queries) : std::string();
  const Lengths& lengths = c.results.lengths;
  const bool ofInput = !c.scene.length.queries && !lengths.square(); // Q and K differ in length
  std::optional<Index> queries;
  FieldSpec spec;
  spec.hint = ofInput ? groupDigits(lengths.queries) + " from input" : "same as keys";
  spec.tooltip =
      "Number of queries n_q, if it differs from the number of keys; the mask is then rectangular";
  if (draftField(c.ui, c.memory, "length.queries", "queries", shown, spec,
                 [&](const std::string& text) { queries = lengthFromText(text); }))
    c.actions.push(EditScene{"queries", [queries](Scene& s) { s.length.queries = queries; },
                             "length.queries"});
  if (!c.scene.length.queries && !ofInput)
    return;
  const std::vector<ChoiceItem> items{
      {"top left", "Query i acts as token i (PyTorch's is_causal)"},
      {"bottom right", "Query i acts as token i + n_k − n_q (FlashAttention)"}};
  int align = static_cast<int>(c.scene.length.align);
  ChoiceSpec choiceSpec;
  choiceSpec.tooltip = "The corner of the mask in which the causal diagonal begins (top left) or "
                       "ends (bottom right)";
  if (choice(c.ui, "align", align, items, choiceSpec))
    c.actions.edit("align", [align](Scene& s) { s.length.align = static_cast<Align>(align); });
}

// Says which sizes were made smaller for this length, and takes back what the source has.
void shortenedNote(const PanelContext& c, Pattern& pattern, PatternChange& change) {
  const std::vector<ShortenedParameter>& shortened = c.offers.shortened;
  if (shortened.empty())
    return;
  std::string sizes;
  for (const ShortenedParameter& s : shortened)
    sizes += (sizes.empty() ? "" : ", ") + labelOf(*s.parameter) + " " + groupDigits(s.published);
  caption(c.ui, "Sizes chosen to suit n = " + groupDigits(c.offers.lengths.keys) +
                    ". Published: " + sizes + ".");
  if (!link(c.ui, "use the published sizes", {"Use the published sizes, which suit longer texts"}))
    return;
  for (const ShortenedParameter& s : shortened)
    s.parameter->set(pattern, Value{s.published});
  change.changed = true;
  change.finished = true;
  change.label = "published sizes";
}

} // namespace

void drawLengths(const PanelContext& c) {
  const Input* input = c.results.input.value.get();
  const Index inputs = input ? input->keys : kDefaultLength;
  Index n = c.scene.length.n.value_or(inputs);
  if (input && c.scene.length.n)
    inputsLengthLink(c);
  SliderSpec spec;
  spec.logarithmic = true;
  spec.tooltip =
      "Number of tokens n. It starts at the input's length; a smaller n crops the input, a larger "
      "one shows only the mask. Ctrl+click to type any length up to 2³⁰.";
  if (input && !c.scene.length.n)
    spec.note = "from input";
  const Edit edit = sliderInt(c.ui, "length n", n, 1, kLongestDragged, spec);
  if (edit.changed)
    c.actions.push(EditScene{"length", [n](Scene& s) { s.length.n = n; }, "length"});
  if (edit.finished)
    c.actions.push(EndGesture{});
  lengthNotes(c, n);
  const auto& problem = c.results.masks.problem;
  if (problem && (problem->subject == "n" || problem->subject == "n_q"))
    note(c.ui, *problem);
}

void drawParameters(const PanelContext& c) {
  const ViewUnit& unit = unitOf(c.scene.view);
  if (unit.panels && !unit.edited && !unit.drawsOwnPattern(c.scene)) {
    const std::size_t count = drawnPatterns(c.scene).size();
    caption(c.ui, "A figure of " + groupDigits(count) + (count == 1 ? " pattern" : " patterns"));
    if (link(c.ui, "explore its first pattern",
             {"Show only the pattern of the first panel, to edit it"}))
      c.actions.edit("explore", [](Scene& s) {
        s.pattern = s.mask.panels.front().pattern;
        s.mask.panels.clear();
      });
    return;
  }
  if (!readsPattern(c.scene))
    return;
  Pattern pattern = editedPattern(c.scene);
  PatternChange change;
  const auto& problem = c.results.masks.problem;
  // A pattern that is given to something else need not be possible for the input.
  bool problemShown =
      !problem || unit.givesPattern || problem->subject == "n" || problem->subject == "n_q";
  const Index n = c.results.lengths.keys > 0 ? c.results.lengths.keys : kDefaultLength;
  parameterControls({c, n, "", change, problemShown, unreadParameters(c.scene)}, pattern);
  shortenedNote(c, pattern, change);
  if (!problemShown) {
    note(c.ui, *problem);
    const bool noInput = std::holds_alternative<NoInput>(c.scene.input.source);
    if (problem->subject == "input" && noInput &&
        link(c.ui, "draw a random input", {"Random queries, keys and values, to try it on"}))
      chooseRandomInput(c.actions, RandomInput().generator, kMostAttentionTokens);
    if (isStopped(problem) && link(c.ui, "run again", {"Run the stopped job again"}))
      c.actions.run("view.retry");
  }
  if (change.changed)
    c.actions.push(EditScene{change.label, [pattern](Scene& s) { setEditedPattern(s, pattern); },
                             change.gesture});
  if (change.finished)
    c.actions.push(EndGesture{});
  if (!unit.givesPattern)
    rectangularControls(c);
}

} // namespace attention::gui
