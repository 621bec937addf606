// A presentation, driven as by a lecturer: started, stepped through, blacked out, left.
#include "app/gui/platform/monitor.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/present/present_stage.h"
#include "app/gui/state/state_folder.h"
#include "core/export/png_file.h"
#include "core/input/assets.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/shell_window.h"

#include <cmath>

namespace attention::gui {
namespace {

// Everything that leaving must restore, as text.
std::string stateOf(TestWindow& window) {
  const Workbench& b = window.bench();
  const Document& d = b.document;
  std::string text = toJson(d.scene()).dump() + "\n" + toJson(b.ui).dump() + "\n" + d.undoLabel() +
                     "\n" + d.redoLabel() + "\n" + (d.changed() ? "changed" : "saved") + "\n";
  if (b.lesson)
    text += std::to_string(b.lesson->lesson) + "/" + std::to_string(b.lesson->step) +
            (b.lesson->revealed ? " revealed" : "");
  return text + (window.host().fullScreen() ? " full" : "") +
         std::to_string(window.host().uiScale());
}

// An edit that was undone, so that there are steps in both directions.
void editAndUndo(TestWindow& window) {
  window.play("set \"stride ℓ\" 5\nwait\nset \"stride ℓ\" 7\nwait\nkey Ctrl+Z\nwait\n");
}

std::size_t openLessonAt(TestWindow& window, std::size_t lesson) {
  openLesson(window.bench(), lesson);
  window.settle();
  return window.bench().lessons[lesson].steps.size();
}

const Widget* textOf(TestWindow& window, const std::string& label) {
  const Widget* widget = window.app().log().find("Present/" + label);
  REQUIRE(widget);
  return widget;
}

struct Rgb {
  int r = 0;
  int g = 0;
  int b = 0;
  bool operator==(const Rgb&) const = default;
};
Rgb pixelAt(const gl::Pixels& pixels, int x, int y) {
  const std::size_t at = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) +
                              static_cast<std::size_t>(x));
  return {pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2]};
}

void keepPicture(TestWindow& window, const std::string& name) {
  const char* folder = std::getenv("ATTENTION_PICTURES");
  if (!folder)
    return;
  const gl::Pixels pixels = window.host().pixels();
  std::vector<Color> colors;
  for (std::size_t at = 0; at + 3 < pixels.rgba.size(); at += 4)
    colors.push_back({pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2], 255});
  std::ofstream stream(std::filesystem::path(folder) / (name + ".png"), std::ios::binary);
  PngWriter png(stream, {pixels.width, pixels.height}, "");
  png.rows(colors);
  png.finish();
}

TEST_CASE("A presentation leaves the window unchanged", "[present]") {
  TestWindow window;
  editAndUndo(window);
  window.play("move 0 0\nframes 6\n");
  const std::string before = stateOf(window);
  const gl::Pixels picture = window.host().pixels();
  window.play("key F5\nwait\nframes 4\n");
  REQUIRE(window.bench().present);
  CHECK(window.host().fullScreen());
  CHECK(window.host().uiScale() > 1.5F);
  CHECK_FALSE(window.shows("Menu/File"));
  CHECK_FALSE(window.shows("Sidebar/stride ℓ"));
  CHECK_FALSE(window.shows("Status/counts"));
  window.play("key Right\nframes 2\nclick \"View/Mask\" at 0.5 0.25\nscroll \"View/Mask\" 3\n"
              "key S\nkey S\nkey B\nkey B\nkey Ctrl++\nkey 2\nwait\nkey Left\nframes 3\nkey 1\n"
              "wait\nkey Ctrl+Z\nkey Ctrl+S\nframes 3\n");
  CHECK_FALSE(isOpen(window.bench().overlay)); // saving waits
  CHECK(stateOf(window) != before);
  window.play("key Esc\nwait\nmove 0 0\nframes 6\n");
  CHECK(stateOf(window) == before);
  window.settle();
  CHECK(samePicture(window.host().pixels(), picture));
}

TEST_CASE("A presentation of every view leaves the Scene unchanged", "[present]") {
  const View view = GENERATE(View::Mask, View::Reach, View::Attention, View::Kernels,
                             View::Choosing, View::Encodings, View::Compare);
  Scene scene = smallScene();
  if (view == View::Attention || view == View::Choosing) {
    scene.input = aliceScene().input;
    scene.length.n = 32;
  }
  if (view == View::Choosing)
    scene.pattern = patternNamed("lsh");
  scene.view = view;
  TestWindow window(scene);
  const std::string before = stateOf(window);
  window.play("key F5\nwait\nframes 4\nkey Left\nwait\nkey Left\nwait\n");
  CHECK(window.scene() != scene); // every view steps
  CHECK_FALSE(window.says("Space plays"));
  CHECK_FALSE(window.says("scroll zooms"));
  CHECK_FALSE(window.shows("View/▶ Play"));
  window.play("key PageUp\nwait\nkey F5\nwait\nframes 4\n");
  CHECK(stateOf(window) == before);
}

TEST_CASE("A clicker goes through a lesson and leaving keeps the step that was reached",
          "[present]") {
  TestWindow window;
  const std::size_t steps = openLessonAt(window, 1);
  window.play("key Alt+Right\nwait\n");
  const UiState habits = window.bench().ui;
  window.play("key F5\nwait\nframes 4\n");
  CHECK(textOf(window, "place and time")->value == "2 / " + std::to_string(steps));
  CHECK(window.says(lessonStep(window.bench())->title));
  // A question is answered before the next step is shown, by a clicker too.
  std::size_t pressed = 0;
  for (; window.bench().lesson->step + 1 < steps && pressed < 2 * steps; ++pressed) {
    const std::size_t step = window.bench().lesson->step;
    const bool asked = asksQuestion(window.bench());
    const bool page = pressed % 2 == 0 || window.scene().view == View::Attention; // → steps in it
    window.play(page ? "key PageDown\nwait\n" : "key Right\nwait\n");
    CHECK(window.bench().lesson->step == (asked ? step : step + 1));
    CHECK(window.bench().lesson->revealed == asked);
  }
  CHECK(pressed > steps - 2);
  window.play("key PageUp\nwait\n");
  CHECK(window.bench().lesson->step == steps - 2);
  window.play("key Esc\nwait\nframes 4\n");
  CHECK(window.bench().lesson->step == steps - 2);
  CHECK(window.scene() == lessonStep(window.bench())->scene);
  CHECK(window.bench().ui == habits);
}

TEST_CASE("The answer appears where the button was and moves nothing", "[present]") {
  TestWindow window;
  openLessonAt(window, 1);
  while (!asksQuestion(window.bench()))
    moveInLesson(window.bench(), 1);
  window.play("key F5\nwait\nframes 4\n");
  const std::string question = plainWords(lessonStep(window.bench())->question);
  const std::string answer = plainWords(lessonStep(window.bench())->answer);
  const Rect asked = textOf(window, question)->rect;
  CHECK_FALSE(window.says(answer));
  window.play("key Space\nframes 3\n");
  CHECK(window.says(answer));
  CHECK_FALSE(window.shows("reveal ↵"));
  CHECK(textOf(window, question)->rect == asked);
}

TEST_CASE("A clicker goes through the figures of a paper and stops at their ends", "[present]") {
  TestWindow window;
  const auto& figures = window.bench().figures;
  const auto first = std::find_if(figures.begin(), figures.end(), [](const ShownFigure& f) {
    return f.name == "mistral-2023-context";
  });
  REQUIRE(first != figures.end());
  const ShownFigure& second = *(first + 1);
  REQUIRE(second.paper == first->paper);
  window.bench().document.open(first->scene, "figure");
  window.play("key F5\nwait\nframes 4\n");
  CHECK(textOf(window, "place and time")->value == "1 / 2");
  CHECK(window.says(first->scene.source));
  CHECK(window.says(first->scene.caption));
  window.play("key PageUp\nwait\n");
  CHECK(window.scene() == first->scene);
  window.play("key PageDown\nwait\n");
  CHECK(window.scene() == second.scene);
  window.play("key PageDown\nwait\nkey PageDown\nwait\n");
  CHECK(window.scene() == second.scene);
  window.play("key PageUp\nwait\n");
  CHECK(window.scene() == first->scene);
}

TEST_CASE("A presentation is light by default and keeps the theme that is chosen", "[present]") {
  TestWindow window;
  const auto corner = [&] { return pixelAt(window.host().pixels(), 3, 3); };
  window.play("key F5\nwait\nframes 4\n");
  keepPicture(window, "present-light");
  CHECK(corner() == Rgb{255, 255, 255});
  window.play("key Ctrl+L\nframes 4\n");
  keepPicture(window, "present-dark");
  CHECK(corner().r < 40);
  window.play("key Esc\nwait\nframes 4\n");
  CHECK(window.bench().ui.theme == ThemeKind::Dark);
  const UiState kept = uiStateFromJson(toJson(window.bench().ui));
  CHECK(kept.presentTheme == ThemeKind::Dark);
  CHECK(uiStateFromJson(nlohmann::ordered_json::object()).presentTheme == ThemeKind::Light);
}

TEST_CASE("A black screen is black until any step", "[present]") {
  TestWindow window;
  window.play("key F5\nwait\nframes 4\nkey .\nframes 3\n");
  const gl::Pixels black = window.host().pixels();
  for (std::size_t at = 0; at < black.rgba.size(); at += 4)
    REQUIRE(black.rgba[at] + black.rgba[at + 1] + black.rgba[at + 2] == 0);
  const Pins pins = window.scene().pins;
  const std::string key = GENERATE("Right", "PageDown", "Space", "Enter", "B", ".");
  window.play("key " + key + "\nframes 3\n");
  CHECK_FALSE(window.bench().present->blank);
  CHECK(window.scene().pins == pins);
  CHECK(pixelAt(window.host().pixels(), 3, 3) == Rgb{255, 255, 255});
}

TEST_CASE("The spotlight dims all but what lies around the pointer", "[present]") {
  TestWindow window;
  window.play("key F5\nwait\nframes 4\nmove 720 450\nframes 4\n");
  const gl::Pixels plain = window.host().pixels();
  window.play("key S\nframes 4\n");
  const gl::Pixels lit = window.host().pixels();
  keepPicture(window, "present-spotlight");
  for (const int x : {620, 720, 820})
    CHECK(pixelAt(lit, x, 450) == pixelAt(plain, x, 450));
  for (const auto& [x, y] : {std::pair(3, 3), std::pair(1436, 3), std::pair(3, 896),
                             std::pair(1436, 896), std::pair(720, 200)}) {
    const Rgb before = pixelAt(plain, x, y);
    CHECK(std::abs(pixelAt(lit, x, y).r - 28 * before.r / 100) <= 2);
  }
  window.play("key S\nframes 4\n");
  CHECK(samePicture(window.host().pixels(), plain));
}

TEST_CASE("The clock shows the host's time and pictures have no clock", "[present]") {
  TestWindow without;
  without.play("key F5\nwait\nframes 4\n");
  CHECK_FALSE(without.shows("Present/place and time"));
  TestWindow window(smallScene(), {}, {}, 1440, 900, 12 * 60 + 4);
  window.play("key F5\nwait\nframes 4\n");
  CHECK(textOf(window, "place and time")->value == "12:04");
  CHECK(clockText(0) == "00:00");
  CHECK(clockText(23 * 60 + 59) == "23:59");
}

TEST_CASE("What is dropped on a presentation ends it", "[present]") {
  const TemporaryFolder folder;
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  writeScene(scene, folder / "scene.json");
  TestWindow window;
  window.play("key F5\nwait\nframes 4\ndrop " + quoted((folder / "scene.json").string()) +
              "\nframes 3\nwait\nframes 3\n");
  CHECK_FALSE(window.bench().present);
  CHECK(window.scene().pattern == scene.pattern);
}

TEST_CASE("A window that is closed while it presents comes back unchanged", "[present]") {
  const TemporaryFolder folder;
  TestWindow window(smallScene(), folder.path());
  const Scene before = window.scene();
  window.play("key F5\nwait\nframes 4\nkey 2\nwait\nframes 200\n");
  CHECK(window.scene().view == View::Reach);
  window.app().saveState();
  CHECK(loadState({folder.path()}).scene == before);
}

TEST_CASE("F11 while presenting leaves full screen, and the next presentation takes it again",
          "[present]") {
  TestWindow window;
  window.play("key F11\nframes 2\n");
  CHECK(window.host().fullScreen());
  window.play("key F11\nframes 2\nkey F5\nwait\nframes 4\nkey F11\nframes 3\n");
  CHECK_FALSE(window.host().fullScreen());
  window.play("key Esc\nframes 4\nkey F5\nframes 4\n");
  CHECK(window.host().fullScreen());
  window.play("key Esc\nframes 4\n");
  CHECK_FALSE(window.host().fullScreen());
}

TEST_CASE("Jobs are run again by a key", "[present]") {
  TestWindow window;
  const ActionEntry* retry = window.bench().actions.find("view.retry");
  REQUIRE(retry);
  CHECK(toString(retry->chords.front()) == "Ctrl+R");
  window.play("key ?\nframes 3\n");
  CHECK(window.says("While presenting"));
  CHECK(window.says("Spotlight: dims all but what is pointed at"));
}

TEST_CASE("A step that only asks is presented with its question", "[present]") {
  TestWindow window;
  LessonStep& step = window.bench().lessons.at(1).steps.at(0);
  step.words.clear();
  step.question = "Who attends to whom?";
  window.bench().actions.run("lesson.open.1", window.bench());
  window.play("key F5\nframes 5\nwait\n");
  REQUIRE(window.bench().present);
  CHECK(window.says("Who attends to whom?"));
}

// ---- what stands where ----

PresentWords wordsOfStep(const LessonStep& step) {
  PresentWords said;
  said.beside = true;
  said.title = step.title;
  said.words = plainWords(step.words);
  said.question = plainWords(step.question);
  for (const std::string& choice : step.choices)
    said.choices.words.push_back(plainWords(choice));
  said.answer = plainWords(step.answer);
  said.source = "Strided and fixed factorized attention · Child et al. 2019";
  said.place = "12 / 12 · 12:41";
  return said;
}

// Whether the font has each character of the text.
void checkSigns(ImFont* font, std::string_view text) {
  while (!text.empty()) {
    const char32_t sign = takeSign(text);
    INFO("U+" << std::hex << static_cast<unsigned>(sign));
    CHECK((sign < 0x20 || fontHasGlyph(font, sign)));
  }
}

// Everything fits: words within their column, picture beside or below, foot free.
void checkStage(const Ui& ui, const PresentWords& said, const Rect& area) {
  const Stage stage = stageOf(ui, said, area);
  const Rect& head = stage.head;
  const float width = head.x1 - head.x0;
  CHECK(head.x0 > area.x0);
  CHECK(head.x1 < area.x1);
  CHECK(stage.foot.y1 <= area.y1);
  CHECK(stage.foot.y1 - stage.foot.y0 > wrappedHeight(ui.fonts.small, said.source, width * 0.8F));
  float needed = wrappedHeight(stage.title, said.title, width);
  if (!said.words.empty()) {
    for (const std::string* text : {&said.words, &said.answer})
      needed += wrappedHeight(stage.words, *text, width);
    needed += wrappedHeight(stage.question, said.question, width) +
              choicesHeight(said.choices, stage.words, width);
    CHECK(stage.picture.x0 > head.x1);
    CHECK(stage.picture.x1 - stage.picture.x0 > 0.48F * (area.x1 - area.x0));
  } else {
    CHECK(stage.picture.y0 >= head.y1);
    CHECK(stage.picture.y1 - stage.picture.y0 > 0.55F * (area.y1 - area.y0));
  }
  CHECK(needed <= head.y1 - head.y0 + 1);
  if (!said.caption.empty())
    CHECK(wrappedHeight(stage.words, said.caption, stage.caption.x1 - stage.caption.x0) <=
          stage.caption.y1 - stage.caption.y0 + 1);
}

TEST_CASE("The words of every lesson and figure fit on the stage", "[present]") {
  const auto [width, height] =
      GENERATE(std::pair(1024, 640), std::pair(1440, 900), std::pair(3840, 2160));
  Host host = Host::headless({"", width, height, 1});
  host.setType(TypeFor::Presentation);
  host.setUiScale(presentScale(static_cast<float>(width), static_cast<float>(height)));
  const Theme theme = makeTheme(ThemeKind::Light);
  const auto lessons = readLessons(assetFolder());
  const auto figures = readFigures(assetFolder());
  REQUIRE_FALSE(lessons.empty());
  REQUIRE_FALSE(figures.empty());
  host.frame([&](const FrameInfo& info) {
    WidgetLog log;
    const Ui ui{log, theme, host.fonts(), info.scale};
    CHECK(fontSize(ui.fonts.text) > info.height / 42); // read in the last row
    const Rect area{0, 0, info.width, info.height};
    for (const Lesson& lesson : lessons)
      for (const LessonStep& step : lesson.steps) {
        INFO(lesson.title << ": " << step.title);
        const PresentWords said = wordsOfStep(step);
        checkStage(ui, said, area);
        checkSigns(ui.fonts.large, said.title);
        for (const std::string* text : {&said.words, &said.question, &said.answer})
          checkSigns(ui.fonts.reading, *text);
        for (const std::string& choice : said.choices.words)
          checkSigns(ui.fonts.reading, choice + "✓✗");
      }
    for (const ShownFigure& figure : figures) {
      INFO(figure.name);
      PresentWords said;
      said.title = figure.scene.title;
      said.caption = figure.scene.caption;
      said.source = figure.scene.source + " · n = 36";
      said.place = "12 / 12 · 12:41";
      checkStage(ui, said, area);
      checkSigns(ui.fonts.large, said.title);
    }
  });
}

TEST_CASE("Words longer than the stage get smaller and finally scroll", "[present]") {
  Host host = Host::headless({"", 1024, 640, 1});
  host.setType(TypeFor::Presentation);
  const Theme theme = makeTheme(ThemeKind::Light);
  host.frame([&](const FrameInfo& info) {
    WidgetLog log;
    const Ui ui{log, theme, host.fonts(), info.scale};
    PresentWords said;
    said.beside = true;
    said.title = "Title";
    const Rect area{0, 0, info.width, info.height};
    const Stage few = stageOf(ui, said, area);
    CHECK(few.words == ui.fonts.reading);
    for (int k = 0; k < 900; ++k)
      said.words += "word ";
    const Stage many = stageOf(ui, said, area);
    CHECK(many.words == ui.fonts.text);
    CHECK(many.head.x1 > few.head.x1);
  });
}

TEST_CASE("All words stand on the screen whole", "[present]") {
  const auto [width, height] = GENERATE(std::pair(1024, 640), std::pair(1440, 900));
  TestWindow window(smallScene(), {}, {}, width, height);
  const std::size_t lesson = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{2});
  const std::size_t steps = openLessonAt(window, lesson);
  window.play("key F5\nwait\nframes 4\n");
  for (std::size_t k = 0; k < steps; ++k) {
    window.bench().lesson->revealed = k % 2 == 0;
    window.settle();
    INFO("lesson " << lesson << " step " << k + 1 << " at " << width);
    keepPicture(window, "present-" + std::to_string(width) + "-" + std::to_string(lesson + 1) +
                            "-" + std::to_string(k + 1));
    std::size_t words = 0;
    for (const Widget& widget : window.app().log().widgets()) {
      if (widget.scope != "Present")
        continue;
      ++words;
      INFO(widget.label);
      CHECK(widget.visible);
      CHECK(widget.grip == widget.rect); // nothing of it is cut off
      CHECK((widget.label.size() < 3 || widget.label.substr(widget.label.size() - 3) != "…"));
    }
    CHECK(words >= 3);
    moveInLesson(window.bench(), 1);
  }
}

TEST_CASE("Type follows the size of the window", "[present]") {
  CHECK(presentScale(1440, 900) == Approx(1.6).margin(0.01));
  CHECK(presentScale(2880, 1800) == Approx(2 * presentScale(1440, 900)));
  CHECK(presentScale(900, 3000) == Approx(1));
  CHECK(presentScale(700, 1200) == Approx(1));
  TestWindow window;
  window.play("key F5\nwait\nframes 4\n");
  const float before = window.host().uiScale();
  window.play("resize 1024 640\nframes 6\n");
  CHECK(window.host().uiScale() == Approx(before * 1024 / 1440).epsilon(0.01));
  window.play("key Ctrl++\nframes 6\n");
  CHECK(window.host().uiScale() == Approx(1.1 * before * 1024 / 1440).epsilon(0.01));
}

TEST_CASE("A window is on the monitor that shows most of it", "[present]") {
  const ScreenArea left{0, 0, 1920, 1080};
  const ScreenArea projector{1920, 0, 1280, 720};
  const ScreenArea window{1800, 100, 800, 600};
  CHECK(sharedArea(window, left) == 120 * 600);
  CHECK(sharedArea(window, projector) == 680 * 600);
  CHECK(sharedArea(left, projector) == 0);
  CHECK(sharedArea({-50, -50, 10, 10}, left) == 0);
  CHECK(sharedArea(left, left) == 1920LL * 1080);
}

TEST_CASE("A picture of several patterns is not named after one of them", "[present]") {
  Scene scene = smallScene();
  TestWindow window(scene);
  const auto titled = [&](const std::string& title) {
    window.bench().document.open(scene, "scene");
    window.play("key F5\nwait\nframes 3\n");
    const bool shown = window.shows("Present/" + title);
    window.play("key Esc\nframes 3\n");
    return shown;
  };
  CHECK(titled("Mask: Strided"));
  scene.view = View::Compare;
  CHECK_FALSE(titled("Mask: Strided"));
  CHECK(titled("window 6: i − j < 6 against window 6: i − j ≤ 6"));
  scene.compare.patterns = {{"one of them", Causal{}}, {"another", Strided{}}, {"a third", Full{}}};
  CHECK(titled("one of them, another and a third compared"));
  scene.compare.patterns.front().title = std::string(90, 'w'); // too long for a line
  CHECK(titled("Patterns compared"));
  scene.compare = {};
  scene.view = View::Reach;
  scene.reach.stack = {{"", Causal{}}, {"", Strided{}}};
  CHECK(titled("What token 63 sees through 4 layers with alternating patterns"));
}

} // namespace
} // namespace attention::gui
