#include "core/pattern/mechanism/cache.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/moba.h"
#include "core/scene/lessons.h"

#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/scene_facts.h"
#include "tests/core/figure/scene_input.h"

#include <algorithm>
#include <cmath>

using namespace attention;

namespace {

const std::filesystem::path kLessons =
    std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets" / "lessons";

std::vector<std::filesystem::path> lessonFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kLessons))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Whether `shown` is `value` as people write it: with grouped digits, a percent sign, and as many
// digits as `shown` has.
bool shows(const std::string& shown, double value) {
  std::string digits;
  for (const char c : shown)
    if ((c >= '0' && c <= '9') || c == '.')
      digits += c;
  if (shown.find('%') != std::string::npos)
    value *= 100;
  const std::size_t point = digits.find('.');
  const double decimals =
      point == std::string::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  return std::abs(std::stod(digits) - value) <= 0.5 * std::pow(10, -decimals) + 1e-9 * value;
}

std::vector<std::string> textsOf(const LessonStep& step) {
  std::vector<std::string> texts{step.words, step.notes, step.question, step.answer};
  texts.insert(texts.end(), step.choices.begin(), step.choices.end());
  return texts;
}

void checkNumbers(const LessonStep& step) {
  for (const std::string& words : textsOf(step))
    for (const MarkedNumber& number : numbersIn(words)) {
      const double value = factOf(step.scene, number.fact);
      INFO(step.title << ": [" << number.shown << "](" << number.fact << ") is " << value);
      CHECK(shows(number.shown, value));
    }
}

} // namespace

TEST_CASE("every number in a lesson follows from its Scene") {
  for (const auto& file : lessonFiles()) {
    const ReadLesson read = readLesson(file);
    CHECK(read.warnings.empty());
    for (const LessonStep& step : read.lesson.steps)
      checkNumbers(step);
  }
}

TEST_CASE("every lesson has six to twelve steps with words, a question and a Scene that draws") {
  for (const auto& file : lessonFiles()) {
    INFO(file);
    const Lesson lesson = readLesson(file).lesson;
    CHECK_FALSE(lesson.title.empty());
    CHECK_FALSE(lesson.summary.empty());
    CHECK(lesson.steps.size() >= 6);
    CHECK(lesson.steps.size() <= 12);
    for (const LessonStep& step : lesson.steps) {
      INFO(step.title);
      CHECK_FALSE(step.title.empty());
      CHECK_FALSE(step.question.empty());
      CHECK(plainWords(step.words).size() > 40);
      CHECK(plainWords(step.words).size() < 600);
      CHECK_NOTHROW(layout(figureOfScene(step.scene, optionsWithInput(step.scene)), Size{900, 600},
                           kMeasure));
    }
  }
}

TEST_CASE("several lessons ask with choices, which are short") {
  int asked = 0;
  for (const auto& file : lessonFiles())
    for (const LessonStep& step : readLesson(file).lesson.steps) {
      INFO(step.title);
      CHECK(step.choices.empty() == (step.correct == 0));
      asked += step.choices.empty() ? 0 : 1;
      for (const std::string& choice : step.choices)
        CHECK(plainWords(choice).size() < 60);
    }
  CHECK(asked >= 9);
}

TEST_CASE("every step has notes for who speaks, in which every number is marked") {
  for (const auto& file : lessonFiles())
    for (const LessonStep& step : readLesson(file).lesson.steps) {
      INFO(step.title << ": " << step.notes);
      CHECK(plainWords(step.notes).size() > 80);
      CHECK(plainWords(step.notes).size() < 420);
      std::string unmarked = step.notes;
      for (const MarkedNumber& number : numbersIn(step.notes)) {
        const std::string mark = "[" + number.shown + "](" + number.fact + ")";
        unmarked.erase(unmarked.find(mark), mark.size());
      }
      CHECK(unmarked.find_first_of("0123456789") == std::string::npos);
    }
}

TEST_CASE("notes and choices are read as they stand") {
  const TestFolder folder;
  const auto file = folder / "lesson.json";
  std::ofstream(file) << R"x({"type": "attention-explorer lesson", "version": 1, "steps": [
      {"notes": "Point at [3](3).", "question": "How many?", "choices": ["[1](1)", "none"],
       "correct": 2, "answer": "None."},
      {"question": "And?", "answer": "So."}]})x";
  const ReadLesson read = readLesson(file);
  CHECK(read.warnings.empty());
  const LessonStep& step = read.lesson.steps.at(0);
  CHECK(step.notes == "Point at [3](3).");
  CHECK(step.choices == std::vector<std::string>{"[1](1)", "none"});
  CHECK(step.correct == 2);
  CHECK(read.lesson.steps.at(1).choices.empty());
  CHECK(read.lesson.steps.at(1).correct == 0);
}

TEST_CASE("facts of a Scene are computed as they are written") {
  Scene scene;
  scene.length.n = 10;
  scene.pattern = Causal{};
  CHECK(factOf(scene, "n") == 10);
  CHECK(factOf(scene, "(1 + 2) * pairs / 5 - 4") == 29);
  CHECK(factOf(scene, "keys(3)") == 4);
  CHECK(factOf(scene, "share") == 1);
  CHECK(factOf(scene, "sees(6, 2) + hops(6, 1)") == 8);
  CHECK_THROWS_AS(factOf(scene, "guess"), std::invalid_argument);
  CHECK_THROWS_AS(factOf(scene, "pairs)"), std::invalid_argument);
}

TEST_CASE("facts of hashing are of the Scene with its input") {
  Scene scene;
  scene.view = View::Choosing;
  Cluster cluster;
  cluster.labels = IndexList({0, 0, 0, 1, 2, 2});
  scene.pattern = cluster;
  RandomInput random;
  random.n = 6;
  random.d = 2;
  scene.input.source = random;
  CHECK(factOf(scene, "n") == 6);
  CHECK(factOf(scene, "pairs") == 9 + 1 + 4);
  CHECK(factOf(scene, "groups") == 3);
  CHECK(factOf(scene, "group.least") == 1);
  CHECK(factOf(scene, "group.most + group(4)") == 5);
  CHECK(factOf(scene, "together") == 6 + 2);
  CHECK(factOf(scene, "place(3) + cuts + empty") == 3);
  CHECK(factOf(scene, "read(3)") == Approx(14.0 / 36));
  CHECK(factOf(scene, "captured(3)") == Approx(factOf(scene, "kept(0)")));
  CHECK(factOf(scene, "meets(near)") == Approx(1 - 2 * 20.0 / 180));
  CHECK(factOf(scene, "1 - meets(near, 2)") == Approx(4.0 / 81));
  CHECK(factOf(scene, "met(far)") == 0);
  CHECK_THROWS_AS(factOf(scene, "meets(middle)"), std::invalid_argument);
  CHECK_THROWS_AS(factOf(scene, "captured(2)"), std::invalid_argument);
}

TEST_CASE("facts of choices are those of the mask and of the best one") {
  Scene scene;
  Moba moba;
  moba.blockSize = 2;
  moba.topK = 2;
  scene.pattern = moba;
  scene.attention.base = AttentionBase::Causal;
  RandomInput random;
  random.n = 8;
  random.d = 2;
  scene.input.source = random;
  // Two keys of an earlier block wherever there is one, and one or two of the own.
  CHECK(factOf(scene, "pairs") == 4 * (1 + 2) + 6 * 2);
  CHECK(factOf(scene, "kept(0)") <= factOf(scene, "oracle(blocks)"));
  CHECK(factOf(scene, "oracle(blocks, 0)") <= factOf(scene, "oracle(keys)"));
  CHECK(factOf(scene, "overlap") <= 1);
  // Means of 8 keys, and scores of 0, 1, 2 and 3 blocks by two queries each (S21), of 2 numbers.
  CHECK(factOf(scene, "choosing") == Approx((8 * 2 + 2 * 2 * 12) / (2.0 * 24 * 4)));
  CHECK_THROWS_AS(factOf(scene, "oracle(rows)"), std::invalid_argument);
  Cache cache;
  cache.policy = Cache::Policy::Streaming;
  cache.sinks = 1;
  cache.recent = 2;
  scene.pattern = cache;
  CHECK(factOf(scene, "evicted(3)") == 5);
  CHECK(factOf(scene, "evicted(0)") == -1);
}

TEST_CASE("facts of models are those of their layers") {
  const Scene scene;
  CHECK(factOf(scene, "layers(gemma_3_27b)") == 62);
  CHECK(factOf(scene, "layers(gemma_3_27b, full_attention)") == 10);
  CHECK(factOf(scene, "kv.full(mistral_7b_v0.1, 262144) / kv(mistral_7b_v0.1, 262144)") == 64);
  CHECK(factOf(scene, "kv(deepseek_v3.2, 1)") == 70272);
  CHECK_THROWS_AS(factOf(scene, "layers(gemma)"), Error);
}

TEST_CASE("files that are not lessons are refused in one sentence") {
  const TestFolder folder;
  const auto file = folder / "lesson.json";
  const auto refused = [&](const std::string& text) {
    std::ofstream(file) << text;
    try {
      readLesson(file);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string head = R"({"type": "attention-explorer lesson", "version": 1, )";
  CHECK(refused("{}").find("is not a lesson") != std::string::npos);
  CHECK(refused(R"({"type": "attention-explorer lesson"})").find("has no version") !=
        std::string::npos);
  CHECK(refused(R"({"type": "attention-explorer lesson", "version": 0})")
            .find("version 0; it must be at least 1") != std::string::npos);
  CHECK(refused(R"({"type": "attention-explorer lesson", "version": 2})").find("newer program") !=
        std::string::npos);
  CHECK(refused(head + R"("steps": []})").find("at least one step") != std::string::npos);
  CHECK(refused(head + R"("steps": [{"scene": 3}]})").find("steps[0].scene has the wrong type") !=
        std::string::npos);
  CHECK(refused(head + R"("steps": [{"question": "why?"}]})").find("a question on its own") !=
        std::string::npos);
}

TEST_CASE("choices that cannot be answered are refused in one sentence") {
  const TestFolder folder;
  const auto file = folder / "lesson.json";
  const auto refusal = [&](const std::string& step) {
    std::ofstream(file) << R"({"type": "attention-explorer lesson", "version": 1, "steps": [)" +
                               step + "]}";
    try {
      readLesson(file);
    } catch (const Error& error) {
      return std::string(error.what()).substr(file.string().size());
    }
    return std::string();
  };
  const auto asked = [&](const std::string& more) {
    return refusal(R"({"question": "why?", "answer": "so", )" + more + "}");
  };
  const std::string allowed = "it must be the number of the right choice, from 1 to 2";
  CHECK(asked(R"("choices": ["a", "b"], "correct": 1)").empty());
  CHECK(asked(R"("choices": ["a", "b"])") == ": steps[0].correct is missing; " + allowed);
  CHECK(asked(R"("choices": ["a", "b"], "correct": 3)") == ": steps[0].correct is 3; " + allowed);
  CHECK(asked(R"("choices": ["a", "b"], "correct": 0)") == ": steps[0].correct is 0; " + allowed);
  CHECK(asked(R"("choices": ["a"], "correct": 1)") ==
        ": steps[0].choices is 1 text; it must be a list of 2 to 4 texts");
  CHECK(asked(R"("choices": ["a", "b", "c", "d", "e"], "correct": 1)") ==
        ": steps[0].choices is 5 texts; it must be a list of 2 to 4 texts");
  CHECK(asked(R"("choices": ["a", ""], "correct": 1)") ==
        ": steps[0].choices[1] is empty; it must be a text");
  CHECK(asked(R"("choices": ["a", "b", "a"], "correct": 1)") ==
        ": steps[0].choices[2] is \"a\"; it must be different from the choices before it");
  CHECK(asked(R"("choices": "a", "correct": 1)") ==
        ": steps[0].choices has the wrong type; it must be a list");
  CHECK(asked(R"("correct": 1)") ==
        ": steps[0].correct has no choices; give them with it, or leave it out");
  CHECK(refusal(R"({"choices": ["a", "b"], "correct": 1})") ==
        ": steps[0].choices has no question; give choices with a question and its answer");
}
