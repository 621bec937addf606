// Opening, saving, dropping and exporting files.
#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/exporting.h"
#include "app/gui/files/opening.h"
#include "app/gui/views/kernels/kernels_view.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/strokes.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/scene_figure.h"
#include "tests/app/gui/shell_window.h"

#include <array>
#include <atomic>
#include <limits>
#include <thread>

namespace attention::gui {
namespace {

// A square boolean array in NumPy's format, version 1.0: ones on the diagonal.
std::string diagonalNpy(int n) {
  std::string header = "{'descr': '|b1', 'fortran_order': False, 'shape': (" + std::to_string(n) +
                       ", " + std::to_string(n) + "), }";
  header.append(118 - header.size() - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      bytes += static_cast<char>(i == j);
  return bytes;
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void drop(TestWindow& window, const std::filesystem::path& file) {
  window.play("drop " + quoted(file) + "\nframes 3\nwait\n");
}

TEST_CASE("A scene that was saved by the dialog is the same when it is opened", "[shell]") {
  const TemporaryFolder folder;
  TestWindow window;
  window.play("set \"stride ℓ\" 7\nkey Ctrl+S\nframes 3\n"
              "click \"File dialog/file name\"\nkey Ctrl+A\ntype " +
              quoted(folder / "seven.json") + "\nkey Enter\nframes 3\nwait\n");
  REQUIRE(std::filesystem::exists(folder / "seven.json"));
  CHECK_FALSE(window.bench().document.changed());
  const Scene saved = window.scene();
  window.play("set \"stride ℓ\" 9\nkey Ctrl+O\nframes 3\n"
              "click \"File dialog/file name\"\ntype " +
              quoted(folder / "seven.json") + "\nclick \"File dialog/Open\"\nframes 3\nwait\n");
  CHECK(window.scene() == saved);
  CHECK(window.bench().ui.recentFiles.front() == (folder / "seven.json").string());
  window.play("key Ctrl+Z\n");
  CHECK(window.scene().pattern.as<Strided>()->stride.value_or(0) == 9);
}

TEST_CASE("After a refused name another can be typed at once", "[shell]") {
  const TemporaryFolder folder;
  TestWindow window;
  window.play("key Ctrl+Shift+S\nframes 3\nkey Ctrl+A\ntype " +
              quoted(folder / "none" / "one.json") + "\nkey Enter\nframes 3\n");
  REQUIRE(window.says("is not a folder"));
  window.play("key Ctrl+A\ntype " + quoted(folder / "one.json") + "\nkey Enter\nframes 3\nwait\n");
  CHECK(readScene(folder / "one.json").scene == window.scene());
}

TEST_CASE("Saving over a file asks first", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "there.json", "old");
  TestWindow window;
  window.play("key Ctrl+Shift+S\nframes 3\nclick \"File dialog/file name\"\nkey Ctrl+A\ntype " +
              quoted(folder / "there.json") + "\nkey Enter\nframes 3\n");
  CHECK(window.says("exists: replace it?"));
  window.play("click \"File dialog/Replace\"\nframes 3\nwait\n");
  CHECK(readScene(folder / "there.json").scene == window.scene());
}

TEST_CASE("The dialog walks folders, filters by extension and says what does not exist",
          "[shell]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inner");
  writeScene(smallScene(), folder / "inner" / "one.json");
  writeText(folder / "inner" / "notes.xyz", "");
  UiState habits;
  habits.folder = folder.path().string();
  TestWindow window(smallScene(), {}, habits);
  window.play("key Ctrl+O\nframes 3\nclick \"files/inner\"\nframes 3\n"
              "check \"files/one.json\" exists\ncheck \"files/notes.xyz\" missing\n"
              "click \"all files\"\nframes 2\ncheck \"files/notes.xyz\" exists\n"
              "click \"folder above\"\nframes 2\ncheck \"files/inner\" exists\n"
              "click \"File dialog/file name\"\nkey Ctrl+A\ntype \"nowhere.json\"\nkey Enter\n"
              "frames 3\n");
  CHECK(window.says("does not exist"));
  window.play("click \"Cancel\"\nframes 3\ncheck \"Cancel\" missing\n");
}

TEST_CASE("A dropped mask becomes the pattern", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "mask.npy", diagonalNpy(8));
  writeText(folder / "mask.mtx",
            "%%MatrixMarket matrix coordinate pattern general\n5 5 2\n1 1\n5 2\n");
  writeText(folder / "pairs.csv", "i,j\n0,0\n3,1\n");
  TestWindow window;
  drop(window, folder / "mask.npy");
  CHECK(description(window.scene().pattern).name == "given");
  CHECK(window.results().lengths.keys == 8);
  CHECK(window.results().counts->rows.pairs == 8);
  drop(window, folder / "mask.mtx");
  CHECK(window.results().lengths.keys == 5);
  CHECK(window.results().counts->rows.pairs == 2);
  drop(window, folder / "pairs.csv");
  CHECK(window.results().counts->rows.pairs == 2);
  CHECK(window.results().lengths.keys == 4);
}

TEST_CASE("A dropped input gives the length and the metrics", "[shell]") {
  const TemporaryFolder folder;
  std::string csv = "q0,q1,k0,k1,v0\n";
  for (int i = 0; i < 12; ++i)
    csv += std::to_string(i % 3) + ",1,0.5," + std::to_string(i % 2) + ",1\n";
  writeText(folder / "input.csv", csv);
  TestWindow window;
  drop(window, folder / "input.csv");
  CHECK(window.results().lengths.keys == 12);
  REQUIRE(window.results().metrics);
  CHECK(window.results().metrics->capturedMass > 0);
  writeText(folder / "words.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n");
  drop(window, folder / "words.txt");
  REQUIRE(window.results().input);
  CHECK(window.results().input->tokens.at(3) == "d");
}

TEST_CASE("Unreadable token labels leave the input unchanged", "[shell]") {
  const TemporaryFolder folder;
  Scene scene = smallScene();
  RandomInput random;
  random.n = 3;
  scene.input.source = random;
  scene.length = LengthSpec();
  TestWindow window(scene);
  writeText(folder / "few.txt", "a\nb\n");
  writeText(folder / "broken.json", "[\"a\", 3]");
  for (const char* name : {"few.txt", "broken.json"}) {
    drop(window, folder / name);
    CHECK(window.says(name));
    CHECK(window.scene() == scene);
    CHECK(window.results().input);
  }
  CHECK(window.says("has 2 labels; it must have one for each token, 3"));

  writeText(folder / "good.txt", "a\nb\nc\n");
  drop(window, folder / "good.txt");
  REQUIRE(window.results().input);
  CHECK(window.results().input->tokens.at(2) == "c");
  const Scene named = window.scene();
  std::filesystem::remove(folder / "good.txt"); // before the next start
  TestWindow later(named);
  REQUIRE(later.results().input);
  CHECK(later.says("without token labels: "));
  writeText(folder / "good.txt", "a\nb\nd\n");
  later.play("click \"Input/read again\"\nwait\n");
  CHECK(later.results().input->tokens.at(2) == "d");
}

TEST_CASE("A random input for a length that no input may have gets its own length", "[shell]") {
  Scene scene = smallScene();
  scene.length.n = 100000;
  scene.pattern = patternNamed("lsh");
  TestWindow window(scene);
  REQUIRE_FALSE(window.results().masks);
  window.play("click \"draw a random input\"\nframes 3\nwait\n");
  CHECK(window.results().masks);
  CHECK(window.results().lengths.keys == 16384);
}

TEST_CASE("Token labels without an input name the tokens of the Scene", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "words.txt", "a\nb\nc\n\n");
  TestWindow window;
  drop(window, folder / "words.txt");
  CHECK(window.scene().labels.get() == std::vector<std::string>{"a", "b", "c"});
  CHECK(window.results().lengths.keys == 3);
}

TEST_CASE("Token labels name the tokens at refused lengths too", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "words.txt", "a\nb\nc\n");
  Scene scene = smallScene();
  scene.length.queries = -1;
  TestWindow window(scene);
  drop(window, folder / "words.txt");
  CHECK(window.scene().length.n == Index{3});
  CHECK(window.says("n_q is -1; it must be an integer of at least 1"));
}

TEST_CASE("A dropped scene is opened, from a picture too", "[shell]") {
  const TemporaryFolder folder;
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  writeScene(scene, folder / "scene.json");
  TestWindow window;
  drop(window, folder / "scene.json");
  CHECK(window.scene() == scene);
  for (const char* ending : {"png", "svg", "pdf"}) {
    const auto file = folder / (std::string("picture.") + ending);
    exportShown(scene, nullptr, file);
    TestWindow fresh;
    drop(fresh, file);
    CHECK(fresh.scene() == scene);
  }
}

TEST_CASE("An export waits for the mask of the current Scene", "[shell]") {
  const TemporaryFolder folder;
  TestWindow window;
  window.play("click \"recent/Causal\"\n");
  exportWhenReady(window.bench(), folder / "causal.csv");
  exportWhenReady(window.bench(), folder / "causal.npy");
  window.settle();
  const std::string pairs = contentOf(folder / "causal.csv");
  CHECK(std::count(pairs.begin(), pairs.end(), '\n') == 1 + 64 * 65 / 2);
  CHECK(std::filesystem::file_size(folder / "causal.npy") == 128 + 64 * 64);
}

TEST_CASE("Heads side by side are exported as one array", "[shell]") {
  const TemporaryFolder folder;
  Scene scene = smallScene();
  scene.mask.heads = {HeadsShown::SideBySide, 3, true, 1, {}};
  TestWindow window(scene);
  exportWhenReady(window.bench(), folder / "heads.npy");
  window.settle();
  CHECK(contentOf(folder / "heads.npy").find("(3, 64, 64)") != std::string::npos);
  exportWhenReady(window.bench(), folder / "heads.csv");
  window.settle();
  CHECK(window.says("a list of pairs holds one head"));
  CHECK_FALSE(std::filesystem::exists(folder / "heads.csv"));
}

TEST_CASE("A scene finds the masks that lie beside its file", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "pairs.csv", "i,j\n0,0\n3,1\n");
  Scene scene = smallScene();
  scene.pattern = patternNamed("given");
  MaskSource beside;
  beside.file = "pairs.csv";
  set(scene.pattern, "mask", Value{beside});
  writeScene(scene, folder / "scene.json");
  TestWindow window;
  drop(window, folder / "scene.json");
  REQUIRE(window.results().counts);
  CHECK(window.results().counts->rows.pairs == 2);
  exportShown(window.scene(), nullptr, folder / "picture.png");
  CHECK(std::filesystem::exists(folder / "picture.png"));
}

TEST_CASE("A dropped file that nothing reads gives a note and changes nothing", "[shell]") {
  const TemporaryFolder folder;
  const std::string name =
      GENERATE(std::string("a.xyz"), std::string("a.json"), std::string("a.npy"),
               std::string("a.png"), std::string("a.safetensors"), std::string("a.mtx"));
  writeText(folder / name, "nonsense");
  TestWindow window;
  const Scene before = window.scene();
  drop(window, folder / name);
  CHECK(window.scene() == before);
  CHECK(window.shows("close note"));
  window.play("click \"close note\"\nframes 3\ncheck \"close note\" missing\n");
}

TEST_CASE("A missing input gives a note and is never replaced", "[shell]") {
  Scene scene = smallScene();
  FileInput files;
  files.input = "/nowhere/minilm.npz";
  scene.input.source = files;
  TestWindow window(scene);
  CHECK(window.says("/nowhere/minilm.npz"));
  CHECK_FALSE(window.results().input);
  CHECK(window.scene() == scene);
  CHECK(window.results().masks);
}

TEST_CASE("Every kind of export writes a file", "[shell]") {
  const TemporaryFolder folder;
  struct Kind {
    const char* button;
    const char* name;
  };
  const Kind kind = GENERATE(Kind{"PNG", "m.png"}, Kind{"SVG", "m.svg"}, Kind{"PDF", "m.pdf"},
                             Kind{"HTML", "m.html"}, Kind{"TikZ", "m.tex"}, Kind{"npy", "m.npy"},
                             Kind{"csv", "m.csv"}, Kind{"mtx", "m.mtx"});
  TestWindow window;
  window.play("click \"Export/" + std::string(kind.button) +
              "\"\nframes 3\nclick \"File dialog/file name\"\nkey Ctrl+A\ntype " +
              quoted(folder / kind.name) + "\nkey Enter\n");
  INFO(kind.name);
  window.settle();
  CHECK(window.says("wrote "));
  CHECK(std::filesystem::file_size(folder / kind.name) > 100);
}

// What is on the screen is handed over and equals what would be computed again.
void checkHandedOver(const Scene& scene, const SceneFigureOptions& shown) {
  SceneFigureOptions fresh;
  fresh.input = shown.input;
  CHECK(sceneDataText(scene, shown) == sceneDataText(scene, fresh));
  const auto drawn = [&](const SceneFigureOptions& options) {
    const TextMeasure measure = [](std::string_view text, double size, bool) {
      return 0.5 * size * static_cast<double>(text.size());
    };
    return layout(figureOfScene(scene, options), Size{800, 600}, measure);
  };
  CHECK(drawn(shown) == drawn(fresh));
}

TEST_CASE("An export takes what is on the screen if there is nothing else", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Kernels;
  scene.kernels.picture =
      GENERATE(KernelsPicture::Error, KernelsPicture::Matrices, KernelsPicture::Spectrum);
  TestWindow window(scene);
  const SceneFigureOptions shown = shownOptions(window.results());
  const auto* handed = shown.ready.find<KernelsAnswer>();
  REQUIRE(handed);
  CHECK(handed == &window.results().part<KernelsResults>().shown->answer);
  checkHandedOver(scene, shown);
  Results growing;
  auto& parts = growing.part<KernelsResults>();
  parts = window.results().part<KernelsResults>();
  CHECK(shownOptions(growing).ready.find<KernelsAnswer>());
  for (bool* pending : {&parts.sweep.pending, &parts.matrices.pending, &parts.spectrum.pending})
    *pending = true;
  CHECK_FALSE(shownOptions(growing).ready.find<KernelsAnswer>());

  scene.view = View::Reach;
  window.bench().document.open(scene, "reach");
  window.settle();
  const SceneFigureOptions reached = shownOptions(window.results());
  CHECK_FALSE(reached.ready.find<KernelsAnswer>());
  REQUIRE(reached.ready.find<ReachAnswer>());
  checkHandedOver(scene, reached);
}

TEST_CASE("Copies of data and of the command line go to the clipboard", "[shell]") {
  Scene scene = smallScene();
  scene.length.n = 3;
  scene.pattern = patternNamed("causal");
  TestWindow window(scene);
  window.play("click \"Copy data\"\nwait\nframes 3\n");
  CHECK(window.host().clipboard() == "i,j\n0,0\n1,0\n1,1\n2,0\n2,1\n2,2\n");
  window.play("click \"Copy command\"\nwait\nframes 3\n");
  CHECK(window.host().clipboard() == "attnx info causal --n 3");
}

TEST_CASE("Code for a library is copied from the inspector", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed(GENERATE("strided", "topk"));
  scene.input = aliceScene().input;
  TestWindow window(scene);
  window.play(
      "click \"Export/Code\"\nframes 3\nwait\nset \"Code/for\" \"NumPy\"\nframes 3\nwait\n");
  const auto* shown = std::get_if<CodeState>(&window.bench().overlay);
  REQUIRE(shown);
  CHECK(shown->text.find("import numpy as np") != std::string::npos);
  const std::string text = shown->text;
  window.play("click \"Code/Copy\"\nframes 3\nwait\n");
  CHECK(window.says("copied the mask as code for NumPy"));
  CHECK(window.host().clipboard() == text);
}

TEST_CASE("Code that is shown is saved, and a mask that a library cannot hold says why",
          "[shell]") {
  const TemporaryFolder folder;
  Scene scene = smallScene();
  scene.pattern = Strided{5};
  TestWindow window(scene);
  window.play("click \"Export/Code\"\nframes 3\nwait\n");
  CHECK(window.says("create_block_mask"));
  window.play("click \"Code/Save…\"\nframes 3\nset \"File dialog/file name\" " +
              quoted(folder / "mask.py") + "\nkey Enter\nframes 3\nwait\n");
  REQUIRE(std::filesystem::exists(folder / "mask.py"));
  CHECK(contentOf(folder / "mask.py").find("def mask_mod") != std::string::npos);
  scene.pattern = Drawn{{}, std::vector<Stroke>{removeFuture()}};
  window.bench().document.apply({"open", [&](Scene& s) { s = scene; }});
  window.settle();
  window.play("click \"Export/Code\"\nframes 3\nwait\n"
              "set \"Code/for\" \"DeepSpeed SparsityConfig\"\nframes 3\nwait\n");
  const auto* shown = std::get_if<CodeState>(&window.bench().overlay);
  REQUIRE(shown);
  CHECK(shown->text.empty());
  CHECK(shown->problem.find("DeepSpeed") != std::string::npos);
}

TEST_CASE("A mask that waits for its input does not show the last one", "[shell]") {
  const TemporaryFolder folder;
  TestWindow window;
  // Every thread of the pool is busy, so that the input has to wait.
  std::atomic<bool> go = false;
  for (unsigned k = 0; k < 4 + std::thread::hardware_concurrency(); ++k)
    window.bench().tasks.start("work", [&](const Run& run) -> Finish {
      while (!go)
        run.check();
      return [](Workbench&) {};
    });
  window.frame();
  RandomInput random;
  random.n = 12;
  window.bench().document.apply({"input", [&](Scene& s) {
                                   s.length.n.reset();
                                   s.input.source = random;
                                 }});
  window.frame();
  CHECK(window.results().masks.stale);
  exportWhenReady(window.bench(), folder / "mask.csv");
  window.frame();
  CHECK_FALSE(std::filesystem::exists(folder / "mask.csv"));
  go = true;
  window.settle();
  CHECK(window.results().masks->lengths.keys == 12);
  CHECK(std::filesystem::exists(folder / "mask.csv"));
}

TEST_CASE("Numbers that stay when an input has none are marked as those of the last input",
          "[shell]") {
  const TemporaryFolder folder;
  const auto inputOf = [&](float first) {
    std::vector<float> values(16 * 4, 0.5F);
    values.front() = first;
    FileInput file;
    file.q = file.k = file.v = (folder / ("first-" + std::to_string(first) + ".npy")).string();
    writeNpy<float>(file.q, std::array<Index, 2>{16, 4}, values);
    return file;
  };
  Scene scene = smallScene();
  scene.length = {};
  scene.input.source = inputOf(0.5F);
  TestWindow window(scene);
  REQUIRE(window.results().metrics);
  const FileInput bad = inputOf(std::numeric_limits<float>::quiet_NaN());
  window.bench().document.apply({"input", [&](Scene& s) { s.input.source = bad; }});
  window.settle();
  REQUIRE(window.results().attention.problem);
  REQUIRE(window.results().metrics.stale);
  CHECK(window.says("of the last good input"));
  CHECK_FALSE(window.says("of the last good pattern"));
}

TEST_CASE("The status bar says that its counts are those of the last good pattern", "[shell]") {
  TestWindow window;
  const auto counts = [&] { return window.app().log().find("Status/counts")->value; };
  CHECK(counts().find("of the last good") == std::string::npos);
  window.play("set \"stride ℓ\" 0\nwait\n");
  CHECK(counts().find(" · of the last good pattern · ") != std::string::npos);
}

TEST_CASE("The last good pattern is not exported or copied in place of one that failed",
          "[shell]") {
  const TemporaryFolder folder;
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  TestWindow window(scene);
  window.play("click \"Copy command\"\nwait\nframes 3\nkey G\nframes 3\n"
              "click \"Gallery/Given mask\"\nframes 3\nwait\n");
  REQUIRE(window.results().masks.problem);
  CHECK(window.results().masks.stale);
  CHECK(window.says("the last good picture"));
  CHECK(window.says("of the last good pattern"));
  CHECK(window.says("no mask yet"));
  for (const char* control : {"Copy data", "Export/PNG", "Export/npy", "Export/Code"})
    window.play("check " + quoted(control) + " disabled\n");
  const std::string before = window.host().clipboard();
  window.play("key Ctrl+C\nframes 3\nwait\n");
  exportWhenReady(window.bench(), folder / "mask.csv");
  window.settle();
  CHECK(window.host().clipboard() == before);
  window.play("key Ctrl+Z\nwait\n");
  CHECK_FALSE(window.results().masks.problem);
  CHECK_FALSE(std::filesystem::exists(folder / "mask.csv"));
  window.play("key Ctrl+C\nframes 3\nwait\n");
  CHECK(window.host().clipboard().rfind("i,j\n0,0\n", 0) == 0);
}

} // namespace
} // namespace attention::gui
