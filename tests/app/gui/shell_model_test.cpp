// The Model view in the whole window: what it says without a model, dropped files, stages and undo.
#include "app/gui/files/command_text.h"
#include "app/gui/views/model/model_results.h"
#include "core/pattern/mechanism/local.h"
#include "core/views/view_unit.h"
#include "tests/core/figure/tiny_model.h"
#include "tests/environment.h"

namespace attention::gui {
namespace {

const ModelResults& resultsOf(TestWindow& window) {
  return window.results().part<ModelResults>();
}

std::size_t rows(TestWindow& window) {
  return resultsOf(window).costs->costs.rows.size();
}

} // namespace

TEST_CASE("Without a model the view shows shipped results and says so", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Model;
  TestWindow window(scene);
  REQUIRE(isWhole(resultsOf(window).costs));
  CHECK(rows(window) == 2); // the sidebar's strided attention is one of them
  CHECK(window.says("Results that come with the program"));
  CHECK(window.says("The model is not on this machine; other variants need it."));
  CHECK_FALSE(window.says("✗"));
  window.play("click \"recent/Causal\"\nwait\n");
  CHECK(rows(window) == 2); // the model's own masks: the model as it is
  CHECK_FALSE(window.says("They do not include"));
  window.bench().document.apply({"pattern", [](Scene& s) { s.pattern = Local{127, true}; }});
  window.settle();
  CHECK(rows(window) == 1);
  CHECK(window.says("They do not include Local, window 127"));
  CHECK_FALSE(window.says("A decoder never sees later keys"));
  window.bench().document.apply({"pattern", [](Scene& s) { s.pattern = Local{127, false}; }});
  window.settle();
  CHECK(window.says("A decoder never sees later keys: here the pattern is causal."));
  window.play("click \"Model/Download SmolLM2…\"\nframes 3\n");
  CHECK(window.says("93 MB, by Hugging Face, under the Apache License 2.0"));
  window.play("key Esc\nframes 3\n");
  CHECK_FALSE(window.shows("Question/Download"));
}

TEST_CASE("A sweep that is not shipped says so and offers the model", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Model;
  scene.model.picture = ModelPicture::Sweep;
  TestWindow window(scene);
  CHECK(window.shows("View/Points"));
  window.bench().document.apply({"pattern", [](Scene& s) { s.pattern = Local{127, true}; }});
  window.settle();
  CHECK_FALSE(window.shows("View/Points"));
  CHECK(window.says("This sweep is not among the results that come with the program"));
  CHECK(overlappingWords(window).empty());
  window.play("click \"View/Download SmolLM2…\"\nframes 3\n");
  CHECK(window.says("93 MB, by Hugging Face, under the Apache License 2.0"));
}

TEST_CASE("A download that fails says why, and the shipped results stay", "[shell]") {
  const TemporaryFolder folder;
  const Variable python("PYTHON", "/no/python");
  const Variable data("XDG_DATA_HOME", folder.path().string());
  Scene scene = smallScene();
  scene.view = View::Model;
  TestWindow window(scene);
  window.play("click \"Model/Download SmolLM2…\"\nframes 3\nclick \"Question/Download\"\nwait\n");
  CHECK(window.says("SmolLM2 was not downloaded: \"get_model.sh: Python with pip was not found"));
  CHECK(window.shows("View/Front"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("Without a model and with another text the view says what it needs", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Model;
  scene.model.typed = "another text";
  TestWindow window(scene);
  CHECK(window.says("Drop a model (a .gguf file or a Hugging Face folder) on the window"));
  CHECK(window.shows("View/Download SmolLM2…"));
  CHECK_FALSE(window.shows("View/Front"));
}

TEST_CASE("The text is shaded by the chosen variant, and words tell what is expected", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Text;
  scene.model.variants = {{"own key", {{"all", "all", patternNamed("local")}}}};
  set(scene.model.variants[0].rules[0].pattern, "window", Value(Index{1}));
  TestWindow window(scene);
  REQUIRE(isWhole(resultsOf(window).hurt));
  CHECK(resultsOf(window).hurt->row.row.name == "own key");
  CHECK(window.says("What own key makes hard to predict"));
  CHECK(window.says("the model now expects"));
  const auto of = resultsOf(window).costs.value;
  scene.model.variants.clear();
  window.bench().document.apply({"none", [&](Scene& s) { s.model = scene.model; }});
  window.settle();
  CHECK(resultsOf(window).hurt->row.row.name == "Local, window 4");
  window.play("click \"Variants/the pattern in every head\"\nwait\n");
  CHECK(window.says("there is no variant to shade the text by"));
}

TEST_CASE("A sweep grows to a bar per layer, and keeps what it has computed", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  TestWindow window(scene);
  REQUIRE(isWhole(resultsOf(window).sweep));
  CHECK(resultsOf(window).sweep->answer.costs.rows.size() == 4);
  CHECK(window.says("Local, window 4: which layer of"));
  CHECK(window.says("The pattern hurts "));
  const auto first = resultsOf(window).sweep->computed->variants;
  window.play("click \"Sweep/all layers but one\"\nwait\n"
              "click \"Sweep/all layers but one\"\nwait\n");
  CHECK(resultsOf(window).sweep->computed->variants.size() == first.size());
  window.play("click \"over/parameter\"\nwait\n");
  CHECK(window.says("by window ℓ"));
  CHECK(resultsOf(window).sweep->answer.plan.series[0].steps.size() == 3); // 16, 32, 40
  window.play("set \"Sweep/values\" \"1, 2\"\nwait\n");
  CHECK(resultsOf(window).sweep->answer.plan.series[0].steps.size() == 2);
  window.play("click \"recent/Causal\"\nwait\n");
  CHECK(window.says("has no parameter that is a whole number"));
}

TEST_CASE("A model is the input of every view, and follows the Model view's text", "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  window.bench().actions.run("input.model", window.bench());
  window.play("wait\nkey 3\nwait\n");
  CHECK(window.results().lengths.keys == 40);
  REQUIRE(window.results().input);
  CHECK(window.results().input->batches == 3);
  CHECK(window.says("a model that reads the typed text"));
  CHECK(window.says("3 layers · 4 heads (2 key/value heads) · n 40 · d 16"));
  CHECK(window.says("This model is a decoder"));
  window.bench().document.apply({"layer", [](Scene& s) { s.input.batch = 2; }});
  window.settle();
  CHECK(isWhole(window.results().attention));
  window.bench().document.apply({"text", [](Scene& s) { s.model.typed = "a short text"; }});
  window.settle();
  CHECK(window.results().lengths.keys == 12);
  CHECK(window.scene().input.batch == 2);
  const std::string command =
      commandText(window.scene(), window.results().lengths, window.results().input.value.get());
  CHECK(command.find("--input-model '" + tiny.path().string() +
                     "' --input-string 'a short text'") != std::string::npos);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.results().lengths.keys == 40);
}

TEST_CASE("The Model view says whether its model is the input of the other views", "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  CHECK(window.says("Input of the other views: no input."));
  CHECK_FALSE(window.shows("Model/see it in Attention"));
  window.play("click \"Model/use this model\"\nwait\n");
  CHECK(window.scene().view == View::Model);
  CHECK(window.says("Input of the other views: this model, layer 0, head 0."));
  CHECK_FALSE(window.shows("Model/use this model"));
  window.bench().document.apply({"head", [](Scene& s) { s.input.batch = 2, s.input.head = 3; }});
  window.settle();
  CHECK(window.says("Input of the other views: this model, layer 2, head 3."));
  window.play("click \"Model/see it in Attention\"\nwait\n");
  CHECK(window.scene().view == View::Attention);
  CHECK(isWhole(window.results().attention));
}

TEST_CASE("Without the model its link leads to the Model view", "[shell]") {
  TestWindow window;
  window.play("click \"Input/Model\"\nwait\n");
  CHECK(window.scene().view == View::Model);
  CHECK(window.says("Open or download a model first"));
}

TEST_CASE("A model that is opened is the input too", "[shell]") {
  const TinyModel tiny;
  TestWindow window;
  window.play("drop \"" + tiny.path().string() + "\"\nwait\n");
  CHECK(window.scene().view == View::Model);
  const auto* of = std::get_if<ModelInput>(&window.scene().input.source);
  REQUIRE(of);
  CHECK(of->model == tiny.path().string());
}

TEST_CASE("A click on a head gives it the pattern of the sidebar", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Layers;
  TestWindow window(scene);
  window.play("click \"View/Masks\" at 0.4 0.5\nwait\n");
  REQUIRE(window.scene().model.variants.size() == 1);
  const ModelRuleSpec rule = window.scene().model.variants[0].rules.front();
  CHECK(rule.layers == "1"); // of three layers the middle one
  CHECK(rule.heads != "all");
  CHECK(rule.pattern == scene.pattern);
  CHECK(window.says("Framed: 1 of 12 heads"));
  CHECK(window.says("Click a head to give it the pattern of the sidebar"));
  CHECK(window.scene().model.variants[0].name.ends_with(" of layer 1: Local, window 4"));
  CHECK(window.says("11 of 12 heads have Causal, the model's own mask"));
  CHECK(window.says("1 of 12 heads has Local, window 4"));
  window.play("click \"View/Masks\" at 0.62 0.5\nwait\n");
  CHECK(window.scene().model.variants[0].rules.size() == 1); // one rule for both
  CHECK(window.says("Framed: 2 of 12 heads"));
  const std::string heads = window.scene().model.variants[0].rules[0].heads;
  window.play("click \"View/Masks\" at 0.62 0.5\nwait\n");
  CHECK(window.scene().model.variants[0].rules[0].heads == heads); // it has it already
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.says("Framed: 1 of 12 heads"));
}

TEST_CASE("A click with Ctrl gives the pattern to all heads that share keys and values",
          "[shell]") {
  const TinyModel tiny; // four heads, two key/value heads
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Layers;
  TestWindow window(scene);
  window.play("ctrl-click \"View/Masks\" at 0.62 0.5\nwait\n");
  REQUIRE(window.scene().model.variants.size() == 1);
  CHECK(window.scene().model.variants[0].rules ==
        std::vector<ModelRuleSpec>{{"1", "kv1", scene.pattern}});
  CHECK(window.says("Framed: 2 of 12 heads"));
  // Typed heads are widened to such groups by one press.
  window.play("set \"Variants/layers\" \"2\"\nframes 2\nset \"Variants/heads\" \"0,3\"\nframes 2\n"
              "click \"Variants/whole key/value groups\"\nframes 2\n"
              "click \"Variants/Apply the pattern\"\nwait\n");
  REQUIRE(window.scene().model.variants[0].rules.size() == 2);
  CHECK(window.scene().model.variants[0].rules[1].heads == "kv0,kv1");
  CHECK(window.says("Framed: 6 of 12 heads"));
}

TEST_CASE("Variants are swept beside each other, or the pattern alone", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  scene.model.variants = {{"low", {{"0-1", "all", patternNamed("sinks")}}},
                          {"group", {{"all", "kv1", scene.pattern}}}};
  TestWindow window(scene);
  CHECK(resultsOf(window).sweep->answer.plan.series.size() == 1);
  window.play("click \"Sweep/sweep the variants instead\"\nwait\n");
  CHECK(resultsOf(window).sweep->answer.plan.series.size() == 2);
  CHECK(window.says("2 variants: which layer of"));
  CHECK(window.says("suffers from each"));
  CHECK(window.says("group: it hurts "));
  const std::string command = commandText(window.scene(), squareLengths(40));
  CHECK(command.find("\"name\":\"group: layer 2\"") != std::string::npos);
  window.play("click \"Sweep/sweep the pattern above instead\"\nwait\n");
  CHECK(window.says("The pattern hurts "));
}

TEST_CASE("A dropped model opens the Model view, and a dropped text is read by it", "[shell]") {
  const TinyModel tiny;
  writeText(tiny.path() / "text.txt", "it is a truth");
  TestWindow window;
  window.play("drop " + quoted(tiny.path().string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().view == View::Model);
  CHECK(window.scene().model.model == tiny.path().string());
  window.play("drop " + quoted((tiny.path() / "text.txt").string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().model.text == (tiny.path() / "text.txt").string());
  REQUIRE(resultsOf(window).costs);
  CHECK(resultsOf(window).tokens->ids.size() == 13);
  CHECK(window.says("What masks cost"));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().model.text.empty());
}

TEST_CASE("A folder without a model is refused in a sentence", "[shell]") {
  const TemporaryFolder folder;
  TestWindow window;
  window.play("drop " + quoted(folder.path().string()) + "\nframes 3\nwait\n");
  CHECK(window.says("is a folder without config.json"));
  writeText(folder / "model.gguf", "no model");
  window.play("drop " + quoted((folder / "model.gguf").string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().view != View::Model);
  CHECK(window.says("model.gguf"));
}

TEST_CASE("A variant is kept, changed by rules and taken back", "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  REQUIRE(resultsOf(window).costs);
  CHECK(rows(window) == 2);
  CHECK(window.says("Local, window 4"));
  window.play("click \"Variants/+ keep as a variant\"\nwait\n");
  CHECK(rows(window) == 3);
  const auto kept = resultsOf(window).costs->computed->variants[1];
  const auto base = resultsOf(window).asItIs.value;
  window.play("set \"Variants/layers\" \"1\"\nframes 2\nclick \"recent/Causal\"\nwait\n"
              "click \"Variants/Apply the pattern\"\nwait\n");
  REQUIRE(window.scene().model.variants.size() == 1);
  CHECK(window.scene().model.variants[0].rules.size() == 2);
  CHECK(resultsOf(window).asItIs.value == base); // not computed again
  CHECK(resultsOf(window).costs->computed->variants[1] != kept);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().model.variants[0].rules.size() == 1);
}

TEST_CASE("Costs of an earlier pattern are not those of this one, and no job stays behind",
          "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  REQUIRE(isWhole(resultsOf(window).costs));
  const auto base = resultsOf(window).asItIs.value;
  window.play("click \"View/Layers\"\nwait\nclick \"recent/Causal\"\nwait\n");
  CHECK_FALSE(isWhole(resultsOf(window).costs)); // files compute their own
  CHECK_FALSE(resultsOf(window).costs.pending);
  window.play("click \"View/Costs\"\nwait\n");
  CHECK(isWhole(resultsOf(window).costs));
  CHECK(window.says("Causal"));
  CHECK(resultsOf(window).asItIs.value == base); // kept meanwhile
}

TEST_CASE("Wrong layers of a variant are reported and the last picture stays", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  TestWindow window(scene);
  REQUIRE(resultsOf(window).costs);
  scene.model.variants = {{"low", {{"0-7", "all", patternNamed("causal")}}}};
  window.bench().document.apply({"rule", [&](Scene& s) { s.model = scene.model; }});
  window.settle();
  CHECK(window.says("layers of low is \"0-7\""));
  CHECK(window.shows("View/Front"));
  CHECK_FALSE(window.results().shown.problem == std::nullopt);
}

TEST_CASE("The copied command has the text, the length and the variants", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.variants = {{"low", {{"0,2", "all", patternNamed("causal")}}}};
  const std::string command = commandText(scene, squareLengths(40));
  CHECK(command.starts_with("printf '%s' '[{\"name\":\"Local, window 4\""));
  CHECK(command.find("\"layers\":\"0,2\"") != std::string::npos);
  CHECK(command.find("\"causal\":true") != std::string::npos); // of a decoder
  CHECK(command.find("&& attnx model loss '" + tiny.path().string() +
                     "' --string 'it is a truth universally acknowledged th' --n 40 "
                     "--variants variants.json") != std::string::npos);
}

TEST_CASE("The words of the Model view do not overlap", "[shell]") {
  const TinyModel tiny;
  const auto [width, height] = GENERATE(std::pair(1440, 900), std::pair(1024, 640));
  for (const ModelPicture picture :
       {ModelPicture::Costs, ModelPicture::Text, ModelPicture::Sweep, ModelPicture::Layers}) {
    Scene scene = tiny.scene();
    scene.model.picture = picture;
    scene.model.variants = {{"a variant with a long name, longer than others", {}}};
    TestWindow window(scene, {}, {}, width, height);
    CHECK(overlappingWords(window).empty());
  }
}

TEST_CASE("A variant that is changed by a click is named by it, or marked", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Layers;
  scene.model.variants = {{"window 4", {{"all", "all", Local{4, true}}}}};
  TestWindow window(scene);
  window.bench().document.apply({"pattern", [](Scene& s) { s.pattern = patternNamed("strided"); }});
  window.play("wait\nshift-click \"View/Masks\" at 0.4 0.5\nwait\n");
  CHECK(window.scene().model.variants[0].name == "window 4 (changed)");
  CHECK(window.says("window 4 (changed)"));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().model.variants[0].name == "window 4");
  window.play("click \"Variants/+ keep as a variant\"\nwait\n"
              "shift-click \"View/Masks\" at 0.4 0.5\nwait\nclick \"recent/Causal\"\nwait\n"
              "set \"Variants/layers\" \"0\"\nframes 2\n"
              "click \"Variants/Apply the pattern\"\nwait\n");
  CHECK(window.scene().model.variants[1].name == "Strided; layer 1: Strided and 1 more rule");
  window.play("click \"rule 2/remove\"\nwait\n");
  CHECK(window.scene().model.variants[1].name == "Strided; layer 0: Causal");
}

TEST_CASE("Defaults of the pattern are those for the text that is read", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.pattern = patternNamed("strided");
  scene.model.n = 1024; // the text has 41 tokens
  TestWindow window(scene);
  CHECK(resultsOf(window).tokens->ids.size() == 41);
  CHECK(window.results().lengths.keys == 41);
  const auto shown = [&](const char* slider) {
    const Widget* widget = window.app().log().find(slider);
    return widget ? widget->value : std::string();
  };
  CHECK(shown("stride ℓ") == "6"); // √41
  CHECK(shown("Model/tokens n") == "41");
  window.play("set \"Model/typed\" \"it is a tr\"\nwait\n");
  CHECK(window.results().lengths.keys == 10);
  CHECK(shown("stride ℓ") == "3");
  window.play("set \"Model/tokens n\" 5\nwait\n");
  CHECK(window.scene().model.n == 5);
  CHECK(window.results().lengths.keys == 5);
  CHECK(shown("stride ℓ") == "2");
}

TEST_CASE("A model without a tokenizer asks for token ids, typed or dropped", "[shell]") {
  const TinyModel tiny;
  std::filesystem::remove(tiny.path() / "tokenizer.json");
  TestWindow window;
  window.play("drop " + quoted(tiny.path().string()) + "\nframes 3\nwait\n");
  CHECK(window.says("give token ids instead of a text"));
  window.play("set \"Model/ids\" \"3, 1, 4, 1, 5\"\nwait\n");
  CHECK(window.scene().model.ids == std::vector<Index>{3, 1, 4, 1, 5});
  CHECK(window.says("5 tokens of the given ids"));
  CHECK(window.shows("View/Front"));
  writeText(tiny.path() / "i.json", "[9, 8, 7]");
  window.play("drop " + quoted((tiny.path() / "i.json").string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().view == View::Model);
  CHECK(window.scene().model.ids == std::vector<Index>{9, 8, 7});
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().model.ids.size() == 5);
  writeText(tiny.path() / "i.json", "[9, 800]");
  window.play("drop " + quoted((tiny.path() / "i.json").string()) + "\nframes 3\nwait\n");
  CHECK(window.says("the token id at position 1 is 800"));
  window.play("click \"Model/read a text instead\"\nwait\n");
  CHECK(window.says("give token ids instead of a text"));
}

TEST_CASE("A sweep that is shipped in part shows that part, and offers the model", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Model;
  scene.pattern = patternNamed("sinks");
  set(scene.pattern, "window", Value(Index{124}));
  scene.model.picture = ModelPicture::Sweep;
  scene.model.sweep.over = ModelSweep::Parameter;
  scene.model.sweep.parameter = "sinks";
  TestWindow window(scene);
  REQUIRE(isWhole(resultsOf(window).sweep));
  CHECK(window.shows("View/Points"));
  CHECK(window.shows("View/Download SmolLM2…"));
  CHECK(window.says("They do not include sinks 16; sinks 32; sinks 64 and"));
  CHECK_FALSE(window.says("comes within"));
  CHECK(overlappingWords(window).empty());
}

TEST_CASE("A text that is longer than its field leaves no trace at the end of the field",
          "[shell]") {
  const float frame = 3; // points, with the border
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  const auto endOfField = [&](const std::string& text) {
    window.bench().document.apply({"text", [&](Scene& s) { s.model.typed = text; }});
    window.settle();
    const Widget* typed = window.app().log().find("Model/typed");
    REQUIRE(typed);
    const Rect field = typed->rect;
    const gl::Pixels pixels = window.host().pixels();
    std::vector<std::uint8_t> end;
    for (float x = field.x1 - frame; x < field.x1 + frame; ++x)
      for (float y = field.y0; y < field.y1; ++y) {
        const std::uint8_t* pixel = pixels.at(static_cast<int>(x), static_cast<int>(y));
        end.insert(end.end(), pixel, pixel + 3);
      }
    return end;
  };
  const std::vector<std::uint8_t> without = endOfField("a");
  for (const char letter : {'m', 'w', 'o', 'i'}) {
    const bool same = endOfField(std::string(80, letter)) == without;
    INFO("of many letters " << letter);
    CHECK(same);
  }
}

TEST_CASE("Single values are a choice beside the curves", "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  const auto curves = [&] {
    return std::get<CurvesMark>(resultsOf(window).costs->along->mark).curves.size();
  };
  CHECK(curves() == 2);
  const auto base = resultsOf(window).asItIs.value;
  window.play("click \"Model/single values\"\nwait\n");
  CHECK(curves() == 4);
  CHECK(window.says("behind them, pale, every prediction of the model as it is"));
  CHECK(resultsOf(window).asItIs.value == base); // nothing is computed again
  window.play("click \"View/Sweep\"\nwait\n");
  CHECK_FALSE(window.shows("Model/single values"));
}

} // namespace attention::gui
