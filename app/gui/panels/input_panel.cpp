#include "app/gui/interface/jargon.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/input/input_files.h"
#include "core/model/model_input.h"
#include "core/scene/score_words.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <filesystem>

namespace attention::gui {
namespace {

std::string fileName(const std::string& path) {
  return visibleText(std::filesystem::path(path).filename().string());
}

// "q.npy, k.npy, v.npy": the file, or the files that each hold an array, every one once.
std::string nameOf(const FileInput& files) {
  std::vector<std::string> named;
  for (const std::string* path : {&files.input, &files.attention, &files.qk, &files.q, &files.k,
                                  &files.v, &files.x, &files.wq, &files.wk, &files.wv, &files.wo})
    if (!path->empty() && std::find(named.begin(), named.end(), *path) == named.end())
      named.push_back(*path);
  std::string names;
  for (const std::string& path : named)
    names += (names.empty() ? "" : ", ") + fileName(path);
  return names;
}

struct TitleOf {
  std::string operator()(const NoInput&) const { return "no input"; }
  std::string operator()(const RandomInput& random) const {
    return "random: " + std::string(random.generator) + ", seed " + groupDigits(random.seed);
  }
  std::string operator()(const AssetInput& asset) const { return asset.name + " (sample)"; }
  std::string operator()(const FileInput& files) const { return nameOf(files); }
  std::string operator()(const TypedInput& typed) const {
    return "typed: " + counted(typed.words.size(), "word");
  }
  std::string operator()(const ModelInput& of) const {
    return "a model that reads " + modelTextName(of);
  }
};

// "all-MiniLM-L6-v2", then "6 layers · 12 heads · n 144 · d 32".
std::string shapeOf(const Input& input) {
  std::string text = input.shapeDescription();
  const std::string dot = " · ";
  if (text.rfind(dot, 0) == 0)
    text.erase(0, dot.size());
  if (const auto model = input.metadata.find("model"); model != input.metadata.end())
    text = visibleText(model->second.substr(model->second.rfind('/') + 1)) + "\n" + text;
  return text;
}

void readAgain(const PanelContext& c, NoteKind kind, const std::string& problem) {
  note(c.ui, kind, problem);
  if (link(c.ui, "read again", {"Try to read the input once more"}))
    c.actions.run("view.retry");
}

void inputCard(const PanelContext& c) {
  const Card card(c.ui, "input");
  words(c.ui, inputTitle(c.scene.input));
  const Latest<Input>& input = c.results.input;
  if (input.problem)
    readAgain(c, input.value ? NoteKind::Warning : NoteKind::Error,
              input.value ? "cannot be read yet: " + input.problem->text : input.problem->text);
  if (input.value) {
    caption(c.ui, shapeOf(*input.value));
    if (const std::string attends = attendsText(input.value->attends); !attends.empty())
      caption(c.ui, attends);
    for (const std::string& sentence : scoreSentences(input.value->modifiers)) {
      caption(c.ui, sentence);
      tooltip(c.ui, explained("", jargon::kScoreModifiers));
    }
    if (!input.value->maskProblem.empty())
      note(c.ui, NoteKind::Warning, input.value->maskProblem);
    if (!input.value->tokensProblem.empty())
      readAgain(c, NoteKind::Warning, "without token labels: " + input.value->tokensProblem);
    for (const std::string& about : notesOf(*input.value))
      note(c.ui, NoteKind::Warning, about);
    if (const std::string layout =
            layoutNote(*input.value, "with the axes “heads, tokens”, chosen below, there are",
                       "with the axes “tokens, heads”, chosen below, there are");
        !layout.empty())
      note(c.ui, NoteKind::Warning, layout);
  } else if (input.pending) {
    caption(c.ui, "reading …");
  } else if (!input.problem) {
    caption(c.ui, windowView(c.scene.view).withoutInput);
  }
  const std::string& known = c.scene.input.contentHash;
  if (input.value && !known.empty() && !input.value->contentHash.empty() &&
      known != input.value->contentHash)
    note(c.ui, NoteKind::Warning, "the file is not the one that this scene was saved with");
}

// Whether heads or tokens come first cannot be told from three or four lengths.
void layoutChoice(const PanelContext& c) {
  const auto* files = std::get_if<FileInput>(&c.scene.input.source);
  const Input* input = c.results.input.value.get();
  if (!files || !input || !std::holds_alternative<Stored>(input->source) || !input->headAxis)
    return;
  const std::vector<ChoiceItem> items{{"heads, tokens", "[batch, heads, tokens, width]"},
                                      {"tokens, heads", "[batch, tokens, heads, width]"}};
  int selected = files->layout == "bnhd" ? 1 : 0;
  ChoiceSpec spec;
  spec.tooltip = "The order of the axes in the file";
  if (choice(c.ui, "axes", selected, items, spec))
    c.actions.edit("axes", [selected](Scene& s) {
      if (auto* source = std::get_if<FileInput>(&s.input.source))
        source->layout = selected == 1 ? "bnhd" : "";
      s.input.head = 0;
      s.length = LengthSpec();
    });
}

} // namespace

std::string inputTitle(const InputSpec& spec) {
  return std::visit(TitleOf{}, spec.source);
}

void drawInput(const PanelContext& c) {
  const Ui& ui = c.ui;
  const WidgetScope scope(ui.log, "Input");
  sectionHeading(ui, "Input");
  inputCard(c);
  layoutChoice(c);
  if (link(ui, "Sample",
           {"The bundled sample of a language model: SmolLM2-135M on 1024 tokens of Pride "
            "and Prejudice"}))
    c.actions.run("input.sample");
  ImGui::SameLine(0, ui.px(14));
  if (link(ui, "Encoder",
           {"The bundled sample of an encoder: all-MiniLM-L6-v2 on 144 tokens of Alice in "
            "Wonderland"}))
    c.actions.run("input.encoder");
  sameLineIfRoom(ui.px(14), textSize(ui.fonts.text, "Random…").x);
  if (link(ui, "Random…", {"Draw queries, keys and values from a named distribution"}))
    c.actions.run("input.random");
  sameLineIfRoom(ui.px(14), textSize(ui.fonts.text, "Typed").x);
  if (link(ui, "Typed", {"Words with queries, keys and values that you type"}))
    c.actions.run("input.typed");
  sameLineIfRoom(ui.px(14), textSize(ui.fonts.text, "Model").x);
  if (link(
          ui, "Model",
          {"All layers and heads of the model in the Model view, on the text that it reads there"}))
    c.actions.run("input.model");
  sameLineIfRoom(ui.px(14), textSize(ui.fonts.text, "Open…").x);
  if (link(ui, "Open…",
           {"Queries, keys and values from a file (Ctrl+O); or drop one on the window"}))
    c.actions.run("file.open");
  if (!std::holds_alternative<NoInput>(c.scene.input.source)) {
    sameLineIfRoom(ui.px(14), textSize(ui.fonts.text, "None").x);
    if (link(ui, "None", {"No input: " + std::string(windowView(c.scene.view).withoutInput)}))
      c.actions.edit("input", [](Scene& s) { s.input = InputSpec(); });
  }
  drawScoresCard(c);
  if (c.memory.randomOpen)
    drawRandomCard(c);
  drawTypedCard(c);
}

} // namespace attention::gui
