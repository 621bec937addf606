// The list of words that the window shows, which people read through.
#include "app/gui/interface/jargon.h"
#include "core/pattern/mechanism/lsh.h"
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

std::string listedWords(TestWindow& window, const std::string& view) {
  WordList list;
  list.take(window.app().log(), view);
  return list.text();
}

TEST_CASE("The list of words has labels, tooltips, lessons and captions of figures", "[words]") {
  TestWindow window;
  const std::string first = listedWords(window, "mask");
  CHECK(first.find(" | (Draw queries, keys and values from a named distribution)\n") !=
        std::string::npos);
  CHECK(first.find(" | length n: 64\n") != std::string::npos);
  window.bench().actions.run("lesson.open.1", window.bench());
  window.settle();
  const std::string lesson = listedWords(window, "mask");
  CHECK(lesson.find("rows are queries, columns are keys.") != std::string::npos);
  CHECK(lesson.find("(Think first; then show the answer (Alt+Down))") != std::string::npos);
  window.bench().actions.run("lesson.leave", window.bench());
  window.bench().document.open(window.bench().figures.at(0).scene, "figure");
  window.settle();
  const std::string caption = window.scene().caption;
  REQUIRE_FALSE(caption.empty());
  CHECK(listedWords(window, "mask").find(caption) != std::string::npos);
}

TEST_CASE("Words that differ only in numbers are listed once, with the views that show them",
          "[words]") {
  const auto frame = [](const std::string& label) {
    WidgetLog log;
    log.beginFrame();
    Widget widget;
    widget.label = label;
    log.record(widget);
    log.beginFrame();
    return log;
  };
  WordList list;
  list.take(frame("7 keys"), "mask");
  list.take(frame("4\u2009096 keys"), "mask");
  list.take(frame("0.5 of all"), "mask");
  list.take(frame("0.25 of all"), "reach");
  list.take(frame("two\nlines"), "reach");
  CHECK(list.text() == "mask |  | 7 keys\nreach |  | two / lines\nseveral views |  | 0.5 of all\n");
}

TEST_CASE("Every explained term points at a lesson that exists", "[words]") {
  TestWindow window;
  const auto& lessons = window.bench().lessons;
  REQUIRE_FALSE(lessons.empty());
  for (const char* title : {jargon::kHashing, jargon::kKernels}) {
    INFO(title);
    CHECK(std::any_of(lessons.begin(), lessons.end(),
                      [&](const Lesson& lesson) { return lesson.title == title; }));
  }
  CHECK(explained("Mean.", {"Term: what it is.", "A lesson"}) ==
        "Mean.\nTerm: what it is. Lesson: A lesson.");
  CHECK(explained("", {"Term: what it is.", ""}) == "Term: what it is.");
}

TEST_CASE("Every view explains its terms where they first appear", "[words]") {
  struct Used {
    View view;
    std::vector<Jargon> terms;
  };
  const auto used = GENERATE(
      Used{View::Mask, {jargon::kCapturedMass, jargon::kOutputError, jargon::kEntropy}},
      Used{View::Attention, {jargon::kCapturedMass, jargon::kOutputError, jargon::kEntropy}},
      Used{View::Kernels, {jargon::kProjections}},
      Used{View::Choosing,
           {jargon::kBucket, jargon::kRound, jargon::kChunk, jargon::kCapturedMass,
            jargon::kRecall}},
      Used{View::Compare, {jargon::kCapturedMass, jargon::kOutputError}});
  Scene scene = aliceScene();
  const Scene small = smallScene(); // where errors and times are measured
  scene.kernels = small.kernels;
  scene.view = used.view;
  if (used.view == View::Choosing) {
    Lsh lsh;
    lsh.rounds = 2;
    scene.pattern = lsh;
  }
  TestWindow window(scene);
  const std::string words = listedWords(window, "view");
  for (const Jargon& of : used.terms) {
    INFO(of.meaning);
    CHECK(words.find(of.meaning) != std::string::npos);
  }
}

} // namespace
} // namespace attention::gui
