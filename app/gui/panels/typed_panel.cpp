// The words of a typed input with their queries, keys and values, edited in place.
#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/input/typed_input.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention::gui {
namespace {

constexpr std::size_t kMostEdited = 32; // words with fields; longer inputs come from files
constexpr Index kMostWidth = 4;         // that is offered

// The matrices by their names.
struct Role {
  const char* name;
  Matrix<double> TypedInput::*rows;
  const char* meaning;
};
constexpr std::array kRoles{Role{"q", &TypedInput::q, "Its query: what the word looks for"},
                            Role{"k", &TypedInput::k, "Its key: what the word is found by"},
                            Role{"v", &TypedInput::v, "Its value: what the word hands on"}};

void editTyped(const PanelContext& c, const std::function<void(TypedInput&)>& change,
               const std::string& gesture = {}) {
  c.actions.push(EditScene{"typed input",
                           [change](Scene& s) {
                             if (auto* typed = std::get_if<TypedInput>(&s.input.source))
                               change(*typed);
                           },
                           gesture});
}

std::string rowText(const Matrix<double>& rows, Index row) {
  std::string text;
  for (const double number : rows.view().row(row))
    text += (text.empty() ? "" : ", ") + shortest(number);
  return text;
}

// "q must be 2 numbers, such as 1, 0".
Error notARow(Index width, const std::string& name) {
  std::string example = "1";
  for (Index k = 1; k < width; ++k)
    example += ", 0";
  return Error(ErrorCode::Shape, name,
               name + " must be " + counted(static_cast<std::size_t>(width), "number") +
                   ", such as " + example);
}

// Separated by commas or spaces. E_SHAPE: other than `width` finite numbers.
std::vector<double> rowOf(std::string text, Index width, const std::string& name) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::vector<double> numbers;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty())
      continue;
    const auto number = numberOf<double>(word);
    if (!number || !std::isfinite(*number))
      throw notARow(width, name);
    numbers.push_back(*number);
  }
  if (std::ssize(numbers) != width)
    throw notARow(width, name);
  return numbers;
}

// All rows with another width: what is new is zero.
Matrix<double> resized(const Matrix<double>& rows, Index count, Index width) {
  Matrix<double> made(count, width);
  for (Index i = 0; i < std::min(count, rows.rows()); ++i)
    for (Index c = 0; c < std::min(width, rows.cols()); ++c)
      made(i, c) = rows(i, c);
  return made;
}

std::string labelOf(const Role& role, Index row) {
  return std::string(role.name) + " " + std::to_string(row);
}

void drawRow(const PanelContext& c, const TypedInput& typed, const Role& role, Index row,
             float width) {
  const Matrix<double>& rows = typed.*role.rows;
  const std::string label = labelOf(role, row);
  FieldSpec spec;
  spec.labelWidth = 0;
  spec.width = width;
  spec.mono = true;
  spec.tooltip = role.meaning;
  bareDraftField(c.ui, c.memory, "typed " + label, label, rowText(rows, row), spec,
                 [&](const std::string& text) {
                   const std::vector<double> numbers = rowOf(text, rows.cols(), role.name);
                   editTyped(
                       c,
                       [member = role.rows, row, numbers](TypedInput& t) {
                         for (Index k = 0; k < (t.*member).cols(); ++k)
                           (t.*member)(row, k) = numbers[static_cast<std::size_t>(k)];
                       },
                       "typed " + label);
                 });
}

void drawWord(const PanelContext& c, const TypedInput& typed, std::size_t word) {
  const std::string number = std::to_string(word);
  FieldSpec spec;
  spec.labelWidth = 0;
  draftField(c.ui, c.memory, "typed word " + number, "word " + number, typed.words[word], spec,
             [&](const std::string& text) {
               TypedInput changed = typed;
               changed.words[word] = text;
               checkTyped(changed, "input");
               editTyped(
                   c, [word, text](TypedInput& t) { t.words[word] = text; }, "typed words");
             });
  const float gap = c.ui.px(6);
  const float each =
      (ImGui::GetContentRegionAvail().x - 2 * gap) / static_cast<float>(kRoles.size());
  for (std::size_t role = 0; role < kRoles.size(); ++role) {
    if (role > 0)
      ImGui::SameLine(0, gap);
    drawRow(c, typed, kRoles[role], static_cast<Index>(word), each);
  }
  for (const Role& role : kRoles)
    if (const std::string problem =
            draftProblem(c.memory, "typed " + labelOf(role, static_cast<Index>(word)));
        !problem.empty())
      note(c.ui, NoteKind::Error, problem);
}

void drawWidths(const PanelContext& c, const TypedInput& typed) {
  std::vector<ChoiceItem> items;
  for (Index width = 1; width <= kMostWidth; ++width)
    items.push_back({std::to_string(width), ""});
  int selected = static_cast<int>(typed.q.cols()) - 1;
  ChoiceSpec spec;
  spec.tooltip = "Numbers in every query, key and value";
  if (!choice(c.ui, "width d", selected, items, spec))
    return;
  editTyped(c, [width = Index{selected} + 1](TypedInput& t) {
    for (const Role& role : kRoles)
      t.*role.rows = resized(t.*role.rows, (t.*role.rows).rows(), width);
  });
}

void drawAddAndRemove(const PanelContext& c, const TypedInput& typed) {
  if (typed.words.size() < kMostEdited && link(c.ui, "Add a word", {"One more word at the end"}))
    editTyped(c, [](TypedInput& t) {
      t.words.push_back("word");
      for (const Role& role : kRoles)
        t.*role.rows = resized(t.*role.rows, std::ssize(t.words), (t.*role.rows).cols());
    });
  if (typed.words.size() < 2)
    return;
  ImGui::SameLine(0, c.ui.px(14));
  if (link(c.ui, "Remove the last", {"One word fewer"}))
    editTyped(c, [](TypedInput& t) {
      t.words.pop_back();
      for (const Role& role : kRoles)
        t.*role.rows = resized(t.*role.rows, std::ssize(t.words), (t.*role.rows).cols());
    });
}

} // namespace

void drawTypedCard(const PanelContext& c) {
  const auto* typed = std::get_if<TypedInput>(&c.scene.input.source);
  if (!typed)
    return;
  const Card card(c.ui, "typed");
  if (typed->words.size() > kMostEdited) {
    caption(c.ui, "Up to " + std::to_string(kMostEdited) + " words can be edited here.");
    return;
  }
  drawWidths(c, *typed);
  caption(c.ui, "Below each word: its query q, key k and value v.");
  for (std::size_t word = 0; word < typed->words.size(); ++word)
    drawWord(c, *typed, word);
  drawAddAndRemove(c, *typed);
}

} // namespace attention::gui
