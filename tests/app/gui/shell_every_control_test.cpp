// Controls are used by scripts: nobody has seen a control work that no script touches. What is
// written by hand stands in scripts/; what is built from data (parameters, patterns, figures,
// actions) is pressed by lines made from that data, so that a new pattern is covered automatically.
#include "app/gui/files/exporting.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/views/attention/weights_view.h"
#include "core/pattern/beginning.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/presets.h"
#include "core/views/model/scene_model.h"
#include "tests/app/gui/control_tally.h"
#include "tests/core/figure/tiny_model.h"
#include "tests/environment.h"

namespace attention::gui {
namespace {

std::string scriptNamed(const std::string& name) {
  std::ifstream stream(std::string(ATTENTION_TEST_DATA) + "/app/gui/scripts/" + name);
  REQUIRE(stream);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// An input to read, a mask, a saved scene and labels, in a folder inside another.
class Files {
public:
  Files() {
    std::filesystem::create_directory(inner());
    std::string csv = "q0,q1,k0,k1,v0\n";
    for (int i = 0; i < 12; ++i)
      csv += std::to_string(i % 3) + ",1,0.5," + std::to_string(i % 2) + ",1\n";
    writeText(inner() / "input.csv", csv);
    writeText(inner() / "mask.csv", "i,j\n0,0\n3,1\n");
    Scene scene = smallScene();
    scene.pattern = patternNamed("causal");
    writeScene(scene, inner() / "scene.json");
  }
  std::filesystem::path inner() const { return folder_ / "inner"; }
  UiState habits() const {
    UiState state;
    state.folder = inner().string();
    rememberFile(state, (inner() / "scene.json").string());
    return state;
  }

private:
  TemporaryFolder folder_;
};

void reopen(TestWindow& window, const Scene& scene) {
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
    window.play("click 60 22\nframes 2\n"); // the program's name: closes menus and lists
  stopPresenting(window.bench());
  window.bench().overlay = {};
  window.bench().memory = {};
  window.bench().ui.tab = SidebarTab::Patterns;
  window.bench().document.open(scene, "again");
  window.settle();
}

// ---- what is written by hand ----

void playScript(ControlTally& tally, const std::string& name) {
  INFO(name);
  const Files files;
  TestWindow window(aliceScene(), {}, files.habits());
  window.play(scriptNamed(name));
  tally.take(window.app().log());
}

// A model of its own, whose folder the script calls {tiny}.
void openAModel(ControlTally& tally) {
  const Files files;
  const TinyModel tiny;
  writeText(tiny.path() / "ids.json", "[3, 1]");
  const Variable python("PYTHON", "/no/python"); // so that nothing can be downloaded
  const Variable data("XDG_DATA_HOME", tiny.path().string());
  std::string script = scriptNamed("model.txt");
  const std::string place = "{tiny}";
  for (std::size_t at = 0; (at = script.find(place, at)) != std::string::npos;)
    script.replace(at, place.size(), tiny.path().string());
  TestWindow window(aliceScene(), {}, files.habits());
  window.play(script);
  for (const ModelRow* row : modelsToImitate())
    window.play("set \"Variants/layers as in\" " + quoted(std::string(row->title)) +
                "\nwait\nclick \"variant 1/remove\"\nwait\n");
  tally.take(window.app().log());
}

void stopJobs(ControlTally& tally) {
  TestWindow window;
  const auto endless = [](const Run& run) -> Finish {
    while (true)
      run.check();
  };
  // Enough to keep every thread of the pool busy, so that the pattern's job has to wait.
  const auto busy = [&] {
    for (unsigned k = 0; k < 4 + std::thread::hardware_concurrency(); ++k)
      window.bench().tasks.start("endless work " + std::to_string(k), endless);
  };
  busy();
  window.play("frames 2\nclick \"Status/Esc stops it\"\nwait\nframes 3\nclick \"close note\"\n");
  busy();
  window.play("set \"stride ℓ\" 5\nframes 3\nkey Esc\nwait\nframes 3\n"
              "click \"Parameters/run again\"\nwait\n");
  CHECK_FALSE(window.results().masks.stale);
  busy();
  window.play("set \"stride ℓ\" 7\nframes 3\nkey Esc\nwait\nframes 3\n"
              "check \"View/Stopped: this is the previous picture.\" exists\n"
              "click \"View/Run again (Ctrl+R)\"\nwait\n"
              "check \"View/Run again (Ctrl+R)\" missing\n");
  CHECK_FALSE(window.results().masks.stale);
  tally.take(window.app().log());
}

void readAgain(ControlTally& tally) {
  const Files files;
  Scene scene = smallScene();
  FileInput input;
  input.input = (files.inner() / "late.csv").string();
  scene.input.source = input;
  TestWindow window(scene);
  CHECK_FALSE(window.results().input);
  std::filesystem::rename(files.inner() / "input.csv", files.inner() / "late.csv");
  window.play("click \"Input/read again\"\nframes 3\nwait\n");
  CHECK(window.results().input);
  tally.take(window.app().log());
}

// Beside the note that a file has changed.
void reloadWhatChanged(ControlTally& tally) {
  const Files files;
  Scene scene = smallScene();
  FileInput input;
  input.input = (files.inner() / "input.csv").string();
  scene.input.source = input;
  scene.length = LengthSpec();
  TestWindow window(scene);
  writeText(input.input, "q0,k0,v0\n1,1,1\n2,1,1\n");
  for (int frames = 0; frames < 2000 && !window.shows("Reload (Ctrl+Shift+R)"); ++frames) {
    window.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  window.play("click \"View/Reload (Ctrl+Shift+R)\"\nframes 3\nwait\n");
  REQUIRE(window.results().input);
  CHECK(window.results().input->keys == 2);
  tally.take(window.app().log());
}

// ---- what is built from data ----

// There is something to undo and to redo.
void editTwice(TestWindow& window) {
  for (const Index n : {50, 51})
    window.bench().document.apply({"length", [n](Scene& s) { s.length.n = n; }});
  window.play("frames 2\nkey Ctrl+Z\n");
}

void chooseEveryPattern(ControlTally& tally) {
  TestWindow window;
  window.play("click \"recent/all " + std::to_string(allMechanisms().size()) +
              " patterns ▾\"\nframes 3\nkey Esc\nframes 2\n");
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    window.play("key G\nframes 3\nclick " + quoted("Gallery/" + d.title) +
                "\nframes 3\ncheck scene.pattern.mechanism == " + quoted(d.name) + "\nclick " +
                quoted("recent/" + d.title) + "\nframes 2\n");
  }
  for (const Preset& preset : allPresets()) {
    window.play("key G\nframes 3\nclick " + quoted("Gallery/" + preset.title) + "\nframes 3\n");
    CHECK(window.scene().pattern == preset.pattern());
  }
  tally.take(window.app().log());
}

void runEveryEntryOfThePalette(ControlTally& tally) {
  const Files files;
  TestWindow window(smallScene(), {}, files.habits());
  std::set<std::string> entries;
  // A lesson is open, so that its actions can be chosen too.
  const auto ready = [&] {
    window.bench().actions.run("lesson.open.1", window.bench());
    reopen(window, smallScene());
    window.bench().ui = files.habits();
    editTwice(window);
  };
  ready();
  window.play("key Ctrl+K\nframes 3\n");
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind == WidgetKind::Item && widget.scope == "Palette")
      entries.insert(widget.label);
  CHECK(entries.size() > allMechanisms().size());
  for (const std::string& entry : entries) {
    ready();
    window.play("key Ctrl+K\nframes 3\nclick " + quoted("Palette/" + entry) + "\nframes 2\n");
  }
  tally.take(window.app().log());
}

void runEveryEntryOfTheMenus(ControlTally& tally) {
  const Files files;
  TestWindow window(smallScene(), {}, files.habits());
  for (const ActionEntry& action : window.bench().actions.entries()) {
    if (action.menu.empty())
      continue;
    INFO(action.menu << "/" << action.label);
    const auto ready = [&](View view) {
      Scene scene = smallScene();
      scene.view = view;
      if (view == View::Choosing)
        scene.pattern = Lsh{};
      if (view == View::Choosing && action.id.starts_with("choosing.query")) {
        scene.pattern = patternNamed("moba");
        scene.choosing.picture = ChoosingPicture::Scores;
      }
      if (view == View::Attention && action.id.starts_with("steps."))
        scene.attention.picture = AttentionPicture::Steps;
      reopen(window, scene);
      window.bench().ui = files.habits();
      editTwice(window);
      if (action.menu == "Lessons")
        window.bench().actions.run("lesson.open.1", window.bench());
      return action.isEnabled(window.bench());
    };
    REQUIRE(std::any_of(windowViews().begin(), windowViews().end(),
                        [&](const WindowView& entry) { return ready(entry.view); }));
    window.play("click " + quoted("Menu/" + action.menu) + "\nframes 2\nclick " +
                quoted(action.menu + "/" + action.label) + "\nframes 2\n");
  }
  CHECK(window.quits == 1);
  tally.take(window.app().log());
}

// One press shows a figure, a second one exports it.
void showEveryFigure(ControlTally& tally) {
  const Files files;
  TestWindow window(aliceScene(), {}, files.habits());
  window.play("click \"Sidebar/Figures\"\nwait\n");
  REQUIRE_FALSE(window.bench().figures.empty());
  for (const ShownFigure& figure : window.bench().figures) {
    INFO(figure.name);
    window.play("click " + quoted("Figures/" + figure.title) + "\nwait\n");
    CHECK(window.scene() == figure.scene);
  }
  for (const char* ending : {"PNG", "SVG", "HTML", "PDF", "TikZ"})
    window.play("click " + quoted(std::string("Figure/") + ending) +
                "\nframes 3\nclick \"File dialog/Cancel\"\nframes 2\n");
  if (window.shows("explore its first pattern"))
    window.play("click \"explore its first pattern\"\nwait\n");
  window.play("set \"Figures/search\" \"1904.10509\"\nwait\n");
  CHECK(window.shows("Sparse Transformer (Child et al. 2019)"));
  CHECK_FALSE(window.shows("BigBird (Zaheer et al. 2020)"));
  tally.take(window.app().log());
}

void chooseEveryFigureFromTheMenu(ControlTally& tally) {
  TestWindow window;
  for (const ShownFigure& figure : window.bench().figures) {
    INFO(figure.name);
    window.play("click \"Menu/Figures\"\nframes 2\nclick " + quoted("Figures/" + figure.paper) +
                "\nframes 2\nclick " + quoted(figure.paper + "/" + figure.title) + "\nframes 2\n");
    CHECK(window.scene() == figure.scene);
  }
  window.settle();
  tally.take(window.app().log());
}

void compareEveryPreset(ControlTally& tally) {
  Scene scene = smallScene();
  scene.view = View::Compare;
  TestWindow window(scene);
  for (const Preset& preset : allPresets()) {
    reopen(window, scene);
    window.play("set \"Compared/add a preset\" " + quoted(preset.title) + "\nwait\n");
    CHECK(window.scene().compare.patterns.back().title == preset.title);
  }
  tally.take(window.app().log());
}

// MP4 is offered if the machine has ffmpeg.
void chooseEveryFormOfAnimation(ControlTally& tally) {
  TestWindow window;
  chooseAnimation(window.bench());
  window.play("frames 3\n");
  for (const AnimationKind& kind : kAnimationKinds)
    if (window.app().log().find(std::string("written as/") + kind.label)->enabled)
      window.play("click " + quoted(std::string("written as/") + kind.label) + "\nframes 2\n");
  tally.take(window.app().log());
}

// A length for every pattern, with queries and keys for those that read them.
Scene drawnScene() {
  Scene scene = smallScene();
  RandomInput random;
  random.n = 64;
  random.d = 4;
  scene.input.source = random;
  scene.length = LengthSpec();
  return scene;
}

// A data-dependent pattern says where to get queries and keys.
void drawTheInputThatIsMissing(ControlTally& tally) {
  Scene scene = smallScene();
  scene.pattern = patternNamed("topk");
  TestWindow window(scene);
  REQUIRE_FALSE(window.results().masks);
  window.play("click \"draw a random input\"\nframes 3\nwait\n");
  CHECK(window.results().masks);
  CHECK(std::get<RandomInput>(window.scene().input.source).n == scene.length.n); // all have tokens
  tally.take(window.app().log());
}

// So does the Attention view, which has nothing to show without one.
void drawTheInputOfWeights(ControlTally& tally) {
  Scene scene = smallScene();
  scene.view = View::Attention;
  TestWindow window(scene);
  window.play("click \"View/draw a random input\"\nframes 3\nwait\n");
  CHECK(window.results().part<AttentionResults>().shown);
  tally.take(window.app().log());
}

// Graphs once per kind, since each kind has its own parameters.
std::vector<Pattern> patternsToPress() {
  std::vector<Pattern> patterns;
  for (const Pattern& pattern : allMechanisms())
    if (description(pattern).name != "graph")
      patterns.push_back(pattern);
  for (const Choice& kind : parameterNamed(patternNamed("graph"), "kind").choices) {
    Pattern graph = patternNamed("graph");
    set(graph, "kind", Value(kind.value));
    patterns.push_back(graph);
  }
  return patterns;
}

void pressEveryParameter(ControlTally& tally) {
  TestWindow window(drawnScene(), {}, {}, 1024, 640);
  for (const Pattern& pattern : patternsToPress()) {
    const std::string& name = description(pattern).name;
    INFO(name);
    Scene scene = drawnScene();
    scene.pattern = pattern;
    reopen(window, scene);
    window.app().log() = WidgetLog();
    Presser(
        window, [&] { reopen(window, scene); }, ofPattern)
        .pressAll();
    tally.take(window.app().log(), ofPattern, name);
  }
}

// Sizes that were made smaller for the length go back to those of the source.
void useThePublishedSizes(ControlTally& tally) {
  TestWindow window(drawnScene());
  for (const Pattern& pattern : allMechanisms()) {
    const std::string& name = description(pattern).name;
    INFO(name);
    Scene scene = drawnScene();
    scene.pattern = beginning(pattern, 64);
    const std::vector<ShortenedParameter> shortened = shortenedParameters(scene.pattern, 64);
    reopen(window, scene);
    CHECK(window.shows("use the published sizes") != shortened.empty());
    if (shortened.empty())
      continue;
    window.app().log() = WidgetLog();
    window.play("click \"Sidebar/Parameters/use the published sizes\"\nframes 3\n");
    for (const ShortenedParameter& s : shortened)
      CHECK(s.parameter->resolved(window.scene().pattern, 64) == Value{s.published});
    tally.take(window.app().log(), ofPattern, name);
  }
}

void pressEveryParameterOfOperands(ControlTally& tally) {
  TestWindow window(drawnScene(), {}, {}, 1024, 640);
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    INFO(d.name);
    Scene scene = drawnScene();
    scene.pattern = Compose(Operation::Union, {patternNamed(d.name == "full" ? "causal" : "full")});
    reopen(window, scene);
    window.app().log() = WidgetLog();
    window.play("set \"operand 1/operand\" " + quoted(d.title) + "\nframes 2\n");
    tally.take(window.app().log(), ofCard);
    window.app().log() = WidgetLog();
    scene = window.scene();
    CHECK(description(scene.pattern.as<Compose>()->of[0]).name == d.name);
    const auto own = [](const std::string& a) { return ofOperand(a) && !ofCard(a); };
    Presser(
        window, [&] { reopen(window, scene); }, own)
        .pressAll();
    tally.take(window.app().log(), ofOperand, "operand " + d.name);
  }
  Scene scene = smallScene();
  scene.pattern = Compose(Operation::Union, {patternNamed("full")});
  reopen(window, scene);
  window.play("click \"Add operand\"\nframes 3\nclick \"operand 2/remove operand\"\nframes 3\n");
  tally.take(window.app().log(), ofCard);
}

void drawOnEveryPattern(ControlTally& tally) {
  TestWindow window(drawnScene(), {}, {}, 1024, 640);
  Scene scene = drawnScene();
  scene.pattern = patternNamed("drawn");
  reopen(window, scene);
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    INFO(d.name);
    window.play("set \"drawn on/pattern\" " + quoted(d.title) + "\nframes 2\n");
    const auto below = window.scene().pattern.as<Drawn>()->on;
    REQUIRE(below);
    CHECK(description(*below).name == d.name);
  }
  window.play("set \"drawn on/pattern\" \"none\"\nframes 2\n");
  CHECK_FALSE(window.scene().pattern.as<Drawn>()->on);
  tally.take(window.app().log(), ofCard);
}

TEST_CASE("Every control that ever appears is used by a script", "[shell]") {
  ControlTally tally;
  for (const char* name :
       {"overlays.txt", "files.txt", "sidebar.txt", "view.txt", "reach.txt", "attention.txt",
        "kernels.txt", "choosing.txt", "timings.txt", "steps.txt", "encodings.txt", "compare.txt",
        "lesson.txt", "export.txt", "present.txt", "animation.txt", "tiles.txt"})
    playScript(tally, name);
  openAModel(tally);
  stopJobs(tally);
  readAgain(tally);
  reloadWhatChanged(tally);
  chooseEveryPattern(tally);
  runEveryEntryOfThePalette(tally);
  runEveryEntryOfTheMenus(tally);
  showEveryFigure(tally);
  chooseEveryFigureFromTheMenu(tally);
  compareEveryPreset(tally);
  chooseEveryFormOfAnimation(tally);
  drawTheInputThatIsMissing(tally);
  drawTheInputOfWeights(tally);
  pressEveryParameter(tally);
  useThePublishedSizes(tally);
  pressEveryParameterOfOperands(tally);
  drawOnEveryPattern(tally);
  INFO("never used by a script:" << listed(tally.unused()));
  CHECK(tally.unused().empty());
  INFO("of one id with another:" << listed(tally.clashes()));
  CHECK(tally.clashes().empty());
}

TEST_CASE("A control that the script leaves out is reported", "[shell]") {
  const std::string address =
      GENERATE("File dialog/Save", "File dialog/Replace", "Menu/File/Recent/scene.json");
  const std::string script = scriptNamed("files.txt");
  // The script up to the press on the control.
  const std::size_t label = address.rfind('/', address.rfind('/') - 1);
  const std::string part = label == std::string::npos ? address : address.substr(label + 1);
  const std::size_t at = script.find("click " + quoted(part));
  REQUIRE(at != std::string::npos);
  const auto names = [&](const std::string& played) {
    const Files files;
    TestWindow window(aliceScene(), {}, files.habits());
    window.play(played);
    ControlTally tally;
    tally.take(window.app().log());
    const auto unused = tally.unused();
    return std::count(unused.begin(), unused.end(), address) == 1;
  };
  CHECK_FALSE(names(script));
  CHECK(names(script.substr(0, at)));
}

} // namespace
} // namespace attention::gui
