#include "core/input/typed_input.h"

#include "core/input/metadata_text.h"
#include "core/input/tokens.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

using nlohmann::json;

struct RowsField {
  const char* name;
  Matrix<double> TypedInput::*rows;
};
constexpr std::array<RowsField, 3> kRows{
    {{"q", &TypedInput::q}, {"k", &TypedInput::k}, {"v", &TypedInput::v}}};

// "typed.q[2]".
std::string placeIn(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

constexpr const char* kWantedRows = "a list with a row of numbers for each word";

const json& fieldOf(const json& object, const char* name, const std::string& subject,
                    const char* wanted) {
  const auto found = object.find(name);
  if (found == object.end())
    throw Error(ErrorCode::Type, subject, subject + " is missing; it must be " + wanted);
  return *found;
}

std::vector<std::string> wordsIn(const json& object, const std::string& subject) {
  constexpr const char* kWanted = "a list of words";
  const json& list = fieldOf(object, "words", subject, kWanted);
  if (!list.is_array())
    failJsonType(subject, list, kWanted);
  std::vector<std::string> words;
  for (const json& word : list) {
    if (!word.is_string())
      failJsonType(placeIn(subject, words.size()), word, "a text");
    words.push_back(word.get<std::string>());
  }
  return words;
}

std::vector<double> rowIn(const json& list, const std::string& subject) {
  if (!list.is_array())
    failJsonType(subject, list, "a list of numbers");
  std::vector<double> row;
  for (const json& number : list) {
    if (!number.is_number())
      failJsonType(placeIn(subject, row.size()), number, "a number");
    row.push_back(number.get<double>());
  }
  return row;
}

Matrix<double> rowsIn(const json& object, const char* name, const std::string& subject) {
  const json& list = fieldOf(object, name, subject, kWantedRows);
  if (!list.is_array())
    failJsonType(subject, list, kWantedRows);
  std::vector<double> numbers;
  std::size_t width = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string at = placeIn(subject, i);
    const std::vector<double> row = rowIn(list[i], at);
    if (i == 0)
      width = row.size();
    if (row.size() != width)
      throw Error(ErrorCode::Shape, at,
                  at + " has " + countText(row.size(), "number") + "; it must have " +
                      std::to_string(width) + ", as " + placeIn(subject, 0) + " has");
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  return {static_cast<Index>(list.size()), static_cast<Index>(width), std::move(numbers)};
}

void checkRows(const Matrix<double>& rows, Index words, const std::string& subject) {
  if (rows.rows() != words)
    throw Error(ErrorCode::Shape, subject,
                subject + " has " + countText(rows.rows(), "row") + "; it must have " +
                    std::to_string(words) + ", one for each word");
  if (rows.cols() < 1 || rows.cols() > kMostTypedNumbers)
    throwRange(subject, countText(rows.cols(), "number") + " per word",
               "1 to " + std::to_string(kMostTypedNumbers));
  const auto& numbers = rows.values();
  const auto wrong = std::find_if(numbers.begin(), numbers.end(),
                                  [](double number) { return !std::isfinite(number); });
  if (wrong == numbers.end())
    return;
  const auto place = static_cast<std::size_t>(wrong - numbers.begin());
  const auto width = static_cast<std::size_t>(rows.cols());
  const std::string at = placeIn(placeIn(subject, place / width), place % width);
  throw Error(ErrorCode::NonFinite, at,
              at + " is " + shortest(*wrong) + "; it must be a finite number");
}

void checkWords(const std::vector<std::string>& words, const std::string& subject) {
  const auto count = static_cast<Index>(words.size());
  if (count < 1 || count > kMostTypedWords)
    throwRange(subject, countText(count, "word"), "1 to " + std::to_string(kMostTypedWords));
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].size() > kMaxLabel)
      throwRange(placeIn(subject, i), "a word of " + countText(words[i].size(), "byte"),
                 "at most " + std::to_string(kMaxLabel));
}

json jsonOf(const Matrix<double>& rows) {
  json list = json::array();
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto row = rows.view().row(i);
    list.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return list;
}

} // namespace

void checkTyped(const TypedInput& input, const std::string& subject) {
  checkWords(input.words, subject + ".words");
  for (const RowsField& field : kRows)
    checkRows(input.*field.rows, static_cast<Index>(input.words.size()),
              subject + "." + field.name);
  if (input.k.cols() != input.q.cols())
    throw Error(ErrorCode::Shape, subject + ".k",
                subject + ".k has " + countText(input.k.cols(), "number") +
                    " per word; it must have " + std::to_string(input.q.cols()) + ", as " +
                    subject + ".q has");
}

TypedInput typedInput(const json& object, const std::string& subject) {
  if (!object.is_object())
    failJsonType(subject, object,
                 "an object such as {\"words\": [\"a\"], \"q\": [[1, 0]], \"k\": [[0, 1]], "
                 "\"v\": [[2, 3]]}");
  TypedInput input;
  input.words = wordsIn(object, subject + ".words");
  for (const RowsField& field : kRows)
    input.*field.rows = rowsIn(object, field.name, subject + "." + field.name);
  checkTyped(input, subject);
  return input;
}

TypedInput typedInputOf(const std::string& text, const std::string& subject) {
  const json object = parseJson(text, subject);
  TypedInput input = typedInput(object, subject);
  const json known = toJson(input);
  for (const auto& [name, value] : object.items())
    if (!known.contains(name)) {
      const std::string at = subject + "." + printableLabel(name);
      throw Error(ErrorCode::Unknown, at, at + " is unknown; it must be one of words, q, k and v");
    }
  return input;
}

json toJson(const TypedInput& input) {
  json object{{"words", input.words}};
  for (const RowsField& field : kRows)
    object[field.name] = jsonOf(input.*field.rows);
  return object;
}

TypedInput exampleOfTyped() {
  return {{"the", "cat", "sat", "down"},
          Matrix<double>(4, 2, {1, 0, 1, 1, 2, 0, 0, 2}),
          Matrix<double>(4, 2, {0, 1, 2, 0, 1, 1, 0, 2}),
          Matrix<double>(4, 2, {1, 0, 0, 2, 1, 1, 2, 1})};
}

} // namespace attention
