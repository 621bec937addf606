// The Model view in the window.
#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/files/opening.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/model/given_text.h"
#include "core/model/model_path.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/scene_figure.h"
#include "core/views/view_unit.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

// "printf '%s' '[…]' > variants.json && ": a file for a flag that takes one.
std::string written(const std::string& text, const char* file) {
  return "printf '%s' " + shellQuoted(text) + " > " + file + " && ";
}

std::string textFlags(const ModelSource& source, std::string& before) {
  if (!source.ids.empty()) {
    before += written(nlohmann::json(source.ids).dump(), "ids.json");
    return " --ids ids.json";
  }
  const fs::path file = textFile(source);
  return file.empty() ? " --string " + shellQuoted(source.typed)
                      : " --text " + shellQuoted(file.string());
}

// What the picture computes.
std::vector<ModelVariant> askedIn(const Scene& scene, const Model& model, Index n) {
  return scene.model.picture == ModelPicture::Sweep
             ? variantsOf(sweepPlan(scene.model, scene.pattern, model, n))
             : variantsOf(scene.model, scene.pattern, model);
}

std::string commandOf(const CommandScene& shown) {
  const Scene& scene = shown.scene;
  try {
    const ModelSource source = modelSource(scene.model);
    const auto model = openedModel(source);
    if (!hasWeights(*model)) // the shipped results, which "attnx model" does not read
      return tableText(scene);
    const Index n = std::ssize(modelTokens(*model, source).ids);
    const auto variants = askedIn(scene, *model, n);
    std::string before;
    std::string command = "attnx model loss " +
                          shellQuoted(source.model.empty() ? kShippedModel : source.model) +
                          textFlags(source, before) + " --n " + std::to_string(n);
    if (!variants.empty()) {
      before += written(toJson(std::span<const ModelVariant>(variants)).dump(), "variants.json");
      command += " --variants variants.json";
    }
    return before + command;
  } catch (const Error&) { // the view says what is wrong
    return tableText(scene);
  }
}

std::string sizesOf(const PanelContext& context) {
  const ModelResults& results = context.results.part<ModelResults>();
  const auto variants = context.scene.model.variants.size() + (context.scene.model.own ? 1 : 0);
  const bool sweep = context.scene.model.picture == ModelPicture::Sweep;
  const std::string rest = sweep ? "" : " · " + counted(variants, "variant");
  return results.tokens && !results.tokens.stale
             ? "n " + groupDigits(std::ssize(results.tokens->ids)) + rest
             : (context.scene.model.model.empty() ? "no model" : "no text yet") + rest;
}

// "SmolLM2-135M-Instruct · pride.txt".
std::string numbersOf(const PanelContext& context) {
  const ModelResults& results = context.results.part<ModelResults>();
  const auto model = freshOf(results.model);
  const auto tokens = freshOf(results.tokens);
  return model && tokens ? visibleText(model->name + " · " + tokens->from) : std::string();
}

EditOfScene textEdit(const fs::path& file) {
  return [path = fs::absolute(file).string()](Scene& s) {
    s.model.text = path;
    s.model.ids.clear();
  };
}

// Nothing where the file is no such list, or cannot be read, which whoever opens it says.
std::optional<std::vector<Index>> readableIds(const fs::path& file) {
  try {
    return findTokenIds(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A text is the model's, and a list of whole numbers its token ids.
EditOfScene openedFile(const fs::path& file) {
  const std::string ending = endingOf(file);
  if (ending == ".json")
    if (auto ids = readableIds(file))
      return [ids = std::move(*ids)](Scene& s) { s.model.ids = ids; };
  return ending == ".txt" || ending == ".md" ? textEdit(file) : EditOfScene();
}

void openModelFile(Workbench& bench) {
  FileDialogState dialog;
  dialog.title = "Open a model: a .gguf file, or a folder's config.json";
  dialog.endings = {".gguf", ".json"};
  dialog.folder = bench.ui.folder.empty() ? fs::current_path() : fs::path(bench.ui.folder);
  dialog.chosen = [](Workbench& b, const fs::path& file) {
    startOpening(b, {endingOf(file) == ".gguf" ? file : file.parent_path()});
  };
  askForFile(bench, std::move(dialog));
}

void openTextFile(Workbench& bench) {
  FileDialogState dialog;
  dialog.title = "Open a text, or a .json list of token ids";
  dialog.endings = {".txt", ".md", ".json"};
  dialog.folder = bench.ui.folder.empty() ? fs::current_path() : fs::path(bench.ui.folder);
  dialog.chosen = [](Workbench& b, const fs::path& file) {
    const EditOfScene edit = openedFile(file);
    b.document.apply({"text", edit ? edit : textEdit(file)});
  };
  askForFile(bench, std::move(dialog));
}

void addActions(ActionTable& table) {
  const auto here = shows(View::Model);
  table.add({"model.open",
             "File",
             "Open a model…",
             "A .gguf file or a Hugging Face folder, for the Model view",
             {},
             openModelFile,
             {},
             {},
             true});
  table.add({"model.text",
             "View",
             "Open a text…",
             "The text that the model reads",
             {},
             openTextFile,
             here,
             {},
             true});
  table.add({"model.download",
             "File",
             "Download SmolLM2…",
             "A small language model for the Model view: 93 MB, asked for first",
             {},
             askDownload});
}

void handOver(const Results& results, SceneFigureOptions& options) {
  const Latest<CostsShown>& costs = results.part<ModelResults>().costs;
  const Latest<SweepShown>& sweep = results.part<ModelResults>().sweep;
  // Else others are computed still, and would be missing without a word.
  const auto done = [](const MeasuredCosts& measured) { return !measured.partly; };
  if (isWhole(sweep) && done(sweep->answer.costs))
    options.ready.give(std::shared_ptr<const SweepAnswer>(sweep.value, &sweep->answer));
  if (isWhole(costs) && done(costs->costs) && !costs->costs.rows.empty()) // not the first tokens
    options.ready.give(std::shared_ptr<const MeasuredCosts>(costs.value, &costs->costs));
}

} // namespace

WindowView modelWindow() {
  return {.view = View::Model,
          .label = "Model",
          .action = "view.model",
          .tooltip = "What it costs a real model to use other masks",
          .key = Key::Digit9,
          .leastHeight = 200,
          .leastHeightNarrow = 200,
          .stages = modelStages,
          .pane = modelPane,
          .options = drawModelViewOptions,
          .facts = drawModelViewFacts,
          .sizes = sizesOf,
          .numbers = numbersOf,
          .command = commandOf,
          .handOver = handOver,
          .addActions = addActions,
          .opened = openedFile};
}

} // namespace attention::gui
