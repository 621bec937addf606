#include "core/scene/lessons.h"

#include "core/input/mapped_file.h"
#include "core/scene/fields.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/support/json_text.h"

#include <algorithm>

namespace attention {

using fields::Json;

namespace {

// A step's Scene has neither type nor version of its own.
Scene sceneOf(Json json, const std::string& what, std::vector<std::string>& warnings) {
  if (!json.is_object())
    fields::throwType(what, "an object");
  json["type"] = "attention-explorer scene";
  json["version"] = kSceneVersion;
  ReadScene read = sceneFromJson(json, what, ".");
  warnings.insert(warnings.end(), read.warnings.begin(), read.warnings.end());
  return std::move(read.scene);
}

void checkAnswer(const LessonStep& step, const std::string& what) {
  if (step.question.empty() != step.answer.empty())
    throw Error(ErrorCode::Type, what,
                what + " has " + (step.question.empty() ? "an answer" : "a question") +
                    " on its own; give a question with its answer, or neither");
}

// 2 to 4 different texts of a question, and which of them is right.
void checkChoices(const LessonStep& step, const std::string& what) {
  const std::vector<std::string>& choices = step.choices;
  const std::string at = what + ".choices";
  if (step.question.empty())
    throw Error(ErrorCode::Type, at,
                at + " has no question; give choices with a question and its answer");
  if (choices.size() < kFewestChoices || choices.size() > kMostChoices)
    throwRange(at, std::to_string(choices.size()) + (choices.size() == 1 ? " text" : " texts"),
               "a list of " + std::to_string(kFewestChoices) + " to " +
                   std::to_string(kMostChoices) + " texts");
  for (std::size_t k = 0; k < choices.size(); ++k) {
    const std::string which = at + "[" + std::to_string(k) + "]";
    if (choices[k].empty())
      throwRange(which, "empty", "a text");
    if (std::find(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(k), choices[k]) !=
        choices.begin() + static_cast<std::ptrdiff_t>(k))
      throwRange(which, "\"" + choices[k] + "\"", "different from the choices before it");
  }
}

void readChoices(fields::Reader& reader, LessonStep& step, const std::string& what) {
  std::optional<std::vector<std::string>> choices;
  std::optional<Index> correct;
  reader.field("choices", choices);
  reader.field("correct", correct);
  const std::string at = what + ".correct";
  if (!choices && correct)
    throw Error(ErrorCode::Type, at, at + " has no choices; give them with it, or leave it out");
  if (!choices)
    return;
  step.choices = std::move(*choices);
  checkChoices(step, what);
  const std::string allowed =
      "the number of the right choice, from 1 to " + std::to_string(step.choices.size());
  if (!correct)
    throw Error(ErrorCode::Type, at, at + " is missing; it must be " + allowed);
  if (*correct < 1 || *correct > std::ssize(step.choices))
    throwRange(at, std::to_string(*correct), allowed);
  step.correct = *correct;
}

LessonStep stepOf(const Json& json, const std::string& what, std::vector<std::string>& warnings) {
  fields::Reader reader(json, what, warnings);
  LessonStep step;
  reader.field("title", step.title);
  reader.field("words", step.words);
  reader.field("notes", step.notes);
  reader.own(
      "scene", step.scene, [](const Scene&) { return fields::Written(); },
      [&](const Json& scene) { return sceneOf(scene, what + ".scene", warnings); });
  reader.field("control", step.control);
  reader.field("question", step.question);
  reader.field("answer", step.answer);
  checkAnswer(step, what);
  readChoices(reader, step, what);
  reader.warnOfUnknown();
  return step;
}

Lesson lessonOf(const Json& json, const std::string& what, std::vector<std::string>& warnings) {
  fields::requireThisVersion(json, what, "lesson", kLessonVersion);
  Lesson lesson;
  fields::Reader reader(json, what, warnings, ": ");
  std::string type;
  Index version = 0;
  reader.field("type", type);
  reader.field("version", version);
  reader.field("title", lesson.title);
  reader.field("summary", lesson.summary);
  const auto steps = json.find("steps");
  if (steps == json.end() || !steps->is_array() || steps->empty())
    fields::throwType(what + ": steps", "a list of at least one step");
  for (const Json& step : *steps)
    lesson.steps.push_back(
        stepOf(step, what + ": steps[" + std::to_string(lesson.steps.size()) + "]", warnings));
  return lesson;
}

} // namespace

ReadLesson readLesson(const std::filesystem::path& path) {
  ReadLesson read;
  read.lesson = lessonOf(parseJson(textOfFile(path), path.string()), path.string(), read.warnings);
  for (LessonStep& step : read.lesson.steps)
    placeFiles(step.scene, folderOf(path));
  return read;
}

std::vector<std::filesystem::path> lessonFiles(const std::filesystem::path& assets) {
  const std::filesystem::path folder = assets / "lessons";
  std::error_code code;
  std::filesystem::directory_iterator entries(folder, code);
  if (code)
    throw Error(ErrorCode::Io, folder.string(),
                "cannot read " + folder.string() + ": " + code.message());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : entries)
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Lesson> readLessons(const std::filesystem::path& assets) {
  std::vector<Lesson> lessons;
  for (const std::filesystem::path& file : lessonFiles(assets))
    lessons.push_back(readLesson(file).lesson);
  return lessons;
}

std::optional<Lesson> lessonNamed(const std::filesystem::path& assets, std::string_view name) {
  const std::filesystem::path file = name;
  if (name.starts_with('{')) // a Scene as text
    return std::nullopt;
  if (file.extension() == ".json") {
    const Json json = parseJson(textOfFile(file), file.string());
    const auto type = json.is_object() ? json.find("type") : json.end();
    if (type == json.end() || *type != "attention-explorer lesson")
      return std::nullopt;
    return readLesson(file).lesson;
  }
  for (const std::filesystem::path& known : lessonFiles(assets))
    if (known.stem() == file)
      return readLesson(known).lesson;
  return std::nullopt;
}

} // namespace attention
