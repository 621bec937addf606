// Lessons: steps of words beside a Scene, with a question to answer before the answer is shown. One
// file per lesson in the folder of assets, in the order of their names:
//
//   {"type": "attention-explorer lesson", "version": 1,
//    "title": "…", "summary": "…",
//    "steps": [{"title": "…", "words": "…", "notes": "…", "scene": {…}, "control": "stride l",
//               "question": "…", "choices": ["…", "…"], "correct": 2, "answer": "…"}]}
//
// `notes` are for who speaks, not for the audience. A question may have 2 to 4 different `choices`;
// `correct` is the number of the right one, from 1. A scene is that of a saved file without type
// and version; its pins mark the query and the key that the words are about, and `control` names
// what to drag or press on the screen: a label, or the segment of a choice, "reading/code l".
// Numbers that follow from the Scene and its input are marked (marked_words.h); the program's tests
// compute each of them.
#pragma once

#include "core/scene/marked_words.h"
#include "core/scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

constexpr int kLessonVersion = 1;
constexpr std::size_t kFewestChoices = 2;
constexpr std::size_t kMostChoices = 4;

struct LessonStep {
  std::string title;
  std::string words; // with marked numbers, like all texts below
  std::string notes; // for who speaks; may be empty
  Scene scene;
  std::string control;              // label of a control that the words are about, or empty
  std::string question;             // may be empty, then so is the answer
  std::vector<std::string> choices; // of the question, 2 to 4, or none
  Index correct = 0;                // the right one of them, from 1; 0 without choices
  std::string answer;
  bool operator==(const LessonStep&) const = default;
};

struct Lesson {
  std::string title;
  std::string summary;
  std::vector<LessonStep> steps; // at least one
  bool operator==(const Lesson&) const = default;
};

struct ReadLesson {
  Lesson lesson;
  std::vector<std::string> warnings; // one per unknown field
};

// Throws as readScene, E_TYPE for a lesson without steps and for a question, answer or choices on
// their own, and E_RANGE for choices that are too few, too many, empty or equal, or a `correct`
// that is none of them. Relative names in its Scenes mean files beside it.
ReadLesson readLesson(const std::filesystem::path& path);

// The files of all lessons in `assets`/lessons, sorted by name. E_IO where the folder is missing.
std::vector<std::filesystem::path> lessonFiles(const std::filesystem::path& assets);
// The lessons in that order.
std::vector<Lesson> readLessons(const std::filesystem::path& assets);

// The lesson of that name, 1-quadratic for 1-quadratic.json, or in a file that ends with .json and
// says that it is one; null where the name is another's. Throws as readLesson.
std::optional<Lesson> lessonNamed(const std::filesystem::path& assets, std::string_view name);

} // namespace attention
