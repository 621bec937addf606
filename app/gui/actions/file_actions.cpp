#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/opening.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/state/document.h"
#include "core/model/model_path.h"
#include "core/scene/scene_json.h"

#include <utility>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

// Another document ends the lesson, which would otherwise replace it with its own Scene.
void openDocument(Workbench& bench, const Scene& scene, const std::string& label,
                  const fs::path& file) {
  bench.lesson.reset();
  bench.document.open(scene, label, file);
}

void finishOpening(Workbench& bench, const Opened& opened, const fs::path& file) {
  stopPresenting(bench); // it would take back what was opened
  if (opened.scene)
    openDocument(bench, *opened.scene, opened.label, opened.sceneFile);
  else if (opened.edit) {
    takeRead(bench, opened.read);
    bench.document.apply({opened.label, opened.edit});
  }
  rememberFile(bench.ui, file.string());
  bench.ui.folder = file.parent_path().string();
  bench.notices.clear();
  for (const std::string& warning : opened.warnings)
    bench.notices.add(NoteKind::Warning, warning);
  if (!opened.said.empty())
    bench.notices.add(NoteKind::Info, opened.said);
}

// The Scene with the hash of its input's files, so that a change of them is noticed later.
Scene toSave(const Workbench& bench) {
  Scene scene = bench.document.scene();
  const auto& input = bench.engine.results().input.value;
  if (input && std::holds_alternative<FileInput>(scene.input.source))
    scene.input.contentHash = input->contentHash;
  return scene;
}

// Something else has written to the file, perhaps another window: said once, before it is replaced.
Finish tellOfOthers(const fs::path& file, const FileStamp& now) {
  return [file, now](Workbench& b) {
    b.sceneStamps[file] = now;
    b.notices.add(NoteKind::Warning, file.filename().string() +
                                         " has changed on disk since it was opened. Save again to "
                                         "replace it, or use Save as… to keep both.");
  };
}

void saveTo(Workbench& bench, const fs::path& file) {
  const auto known = bench.sceneStamps.find(file);
  std::optional<FileStamp> ours;
  if (known != bench.sceneStamps.end())
    ours = known->second;
  bench.tasks.start(
      "saving",
      [scene = toSave(bench), shown = bench.document.scene(), file, ours](const Run&) -> Finish {
        const FileStamp now = stampOf(file);
        if (ours && now.there && now != *ours)
          return tellOfOthers(file, now);
        writeScene(scene, file);
        return [shown, file, written = stampOf(file)](Workbench& b) {
          b.sceneStamps[file] = written;
          b.document.markSaved(shown, file);
          if (b.present)
            b.present->document.markSaved(shown, file);
          rememberFile(b.ui, file.string());
          b.notices.add(NoteKind::Good, "saved " + file.string());
        };
      });
}

fs::path startFolder(const Workbench& bench) {
  std::error_code code;
  if (!bench.ui.folder.empty() && fs::is_directory(bench.ui.folder, code))
    return bench.ui.folder;
  const fs::path here = fs::current_path(code);
  return code ? fs::path("/") : here;
}

void saveAs(Workbench& bench) {
  FileDialogState dialog;
  dialog.title = "Save the scene";
  dialog.saving = true;
  dialog.endings = {".json"};
  dialog.folder = startFolder(bench);
  dialog.name =
      bench.document.file().empty() ? "scene.json" : bench.document.file().filename().string();
  dialog.chosen = [](Workbench& b, const fs::path& file) {
    b.sceneStamps.erase(file); // the dialog has asked
    saveTo(b, file);
  };
  askForFile(bench, std::move(dialog));
}

void save(Workbench& bench) {
  if (bench.document.file().empty())
    saveAs(bench);
  else
    saveTo(bench, bench.document.file());
}

void open(Workbench& bench) {
  FileDialogState dialog;
  dialog.title = "Open a scene, an input, a mask or token labels";
  dialog.endings = openEndings();
  dialog.folder = startFolder(bench);
  dialog.chosenAll = startOpening;
  askForFile(bench, std::move(dialog));
}

void chooseMask(Workbench& bench) {
  FileDialogState dialog;
  dialog.title = "Choose a mask file";
  dialog.endings = {".npy", ".npz", ".safetensors", ".mtx", ".csv"};
  dialog.folder = startFolder(bench);
  dialog.chosen = [path = std::exchange(bench.memory.maskTarget, {})](Workbench& b,
                                                                      const fs::path& file) {
    const InputSpec present = b.document.scene().input;
    b.tasks.start("reading a mask", [file, path, present](const Run&) -> Finish {
      return [opened = openMask(file, path, present), file](Workbench& after) {
        after.document.apply({"mask", opened.edit});
        rememberFile(after.ui, file.string());
        if (!opened.said.empty())
          after.notices.add(NoteKind::Info, opened.said);
      };
    });
  };
  askForFile(bench, std::move(dialog));
}

void showSample(Workbench& bench, const InputSpec& sample) {
  bench.document.apply({"sample", [&](Scene& s) {
                          takeInput(s, sample);
                          s.length = LengthSpec();
                        }});
}

void typed(Workbench& bench) {
  InputSpec next;
  next.source = exampleOfTyped();
  bench.document.apply({"typed input", [&](Scene& s) {
                          takeInput(s, next);
                          s.length = LengthSpec();
                        }});
}

// Where there is no model, the Model view offers to download or open one.
void readModel(Workbench& bench) {
  if (!findModel(bench.document.scene().model.model)) {
    bench.notices.add(NoteKind::Info, "Open or download a model first; it can then be the input.");
    bench.actions.run(windowView(View::Model).action, bench);
    return;
  }
  InputSpec next;
  next.source = modelInput(bench.document.scene().model);
  bench.document.apply({"model as input", [&](Scene& s) {
                          takeInput(s, next);
                          s.length = LengthSpec();
                        }});
}

void random(Workbench& bench) {
  bench.memory.randomOpen = !bench.memory.randomOpen;
  if (!bench.memory.randomOpen ||
      std::holds_alternative<RandomInput>(bench.document.scene().input.source))
    return;
  const Lengths lengths = bench.engine.results().lengths;
  bench.document.apply({"random input", [lengths](Scene& s) {
                          RandomInput drawn;
                          // Drawing is quick up to some thousand tokens; longer ones are typed.
                          if (lengths.keys > 0)
                            drawn.n = std::min<Index>(lengths.keys, 4096);
                          InputSpec next;
                          next.source = drawn;
                          takeInput(s, next);
                        }});
}

} // namespace

void askForFile(Workbench& bench, FileDialogState dialog) {
  bench.overlay = std::move(dialog);
}

void startOpening(Workbench& bench, std::vector<fs::path> files) {
  if (files.empty())
    return;
  const auto own = windowView(bench.document.scene().view).opened;
  if (const auto edit = own && files.size() == 1 ? own(files.front()) : EditOfScene()) {
    stopPresenting(bench);
    bench.document.apply({"open " + files.front().filename().string(), edit});
    return;
  }
  bench.tasks.start("opening " + files.front().filename().string(),
                    [files, present = bench.document.scene().input](const Run& run) -> Finish {
                      const FileStamp stamp = stampOf(files.front());
                      return [opened = openFiles(files, present, run), files, stamp](Workbench& b) {
                        if (!opened.sceneFile.empty())
                          b.sceneStamps[opened.sceneFile] = stamp;
                        if (opened.suits && *opened.suits != b.document.scene().input)
                          return startOpening(b, files); // it changed meanwhile
                        finishOpening(b, opened, files.front());
                      };
                    });
}

// The entries of the menu of recent files; their labels are the files' names, drawn there.
static void addRecentActions(ActionTable& table) {
  for (std::size_t k = 0; k < kMostRecent; ++k)
    table.add({"recent." + std::to_string(k),
               "",
               "Recent file " + std::to_string(k + 1),
               "Open it again",
               {},
               [k](Workbench& b) { startOpening(b, {fs::path(b.ui.recentFiles[k])}); },
               [k](const Workbench& b) { return k < b.ui.recentFiles.size(); }});
}

void addFileActions(ActionTable& table) {
  const Chord ctrlO{static_cast<Key>('O'), true};
  const Chord ctrlS{static_cast<Key>('S'), true};
  addRecentActions(table);
  table.add({"file.new",
             "File",
             "New",
             "The default scene: strided attention on the bundled sample",
             {{static_cast<Key>('N'), true}},
             [](Workbench& b) { openDocument(b, defaultScene(), "new", {}); }});
  table.add(
      {"file.open", "File", "Open…", "A scene, an input, a mask or token labels", {ctrlO}, open});
  table.add({"file.reload",
             "File",
             "Reload",
             "Read the files again; layer, head and view stay as they are",
             {{static_cast<Key>('R'), true, true}},
             reloadFiles});
  table.add({"file.save", "File", "Save", "Write the scene to its file", {ctrlS}, save});
  table.add({"file.saveAs",
             "File",
             "Save as…",
             "Write the scene to another file",
             {{static_cast<Key>('S'), true, true}},
             saveAs});
  table.add({"input.sample",
             "File",
             "Bundled sample",
             "A language model, SmolLM2, on 1024 tokens of Pride and Prejudice",
             {},
             [](Workbench& b) { showSample(b, decoderSample()); },
             {},
             {},
             true});
  table.add({"input.encoder",
             "File",
             "Bundled sample of an encoder",
             "A sentence model, MiniLM, on 144 tokens of Alice in Wonderland",
             {},
             [](Workbench& b) { showSample(b, encoderSample()); }});
  table.add({"input.random",
             "File",
             "Random input…",
             "Draw the input from a named distribution",
             {},
             random,
             {},
             [](const Workbench& b) { return b.memory.randomOpen; }});
  table.add({"input.typed",
             "File",
             "Typed input",
             "Words with queries, keys and values that you type",
             {},
             typed,
             {},
             [](const Workbench& b) {
               return std::holds_alternative<TypedInput>(b.document.scene().input.source);
             }});
  table.add({"input.model",
             "File",
             "Model as input",
             "All layers and heads of the model in the Model view, on the text that it reads there",
             {},
             readModel,
             {},
             [](const Workbench& b) {
               return std::holds_alternative<ModelInput>(b.document.scene().input.source);
             }});
  table.add({"pattern.mask",
             "File",
             "Mask from a file…",
             "A mask as an array of 0 and 1 or of 0 and −∞, a sparse matrix, or pairs i,j",
             {},
             chooseMask});
}

} // namespace attention::gui
