#include "core/input/metadata_text.h"

#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace attention {
namespace {

using nlohmann::json;

Index countFrom(const json& value, const std::string& subject, const char* wanted) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  if (!value.is_number_integer())
    failJsonType(subject, value, wanted);
  const bool large = value.is_number_unsigned() && value.get<std::uint64_t>() > kMost;
  if (large || (!value.is_number_unsigned() && value.get<Index>() < 0))
    throwRange(subject, value.dump(), "an integer of at least 0 and below 2^63");
  return value.get<Index>();
}

std::vector<Index> countsOf(const json& list, const std::string& subject, const char* wanted) {
  if (!list.is_array())
    failJsonType(subject, list, wanted);
  std::vector<Index> counts;
  counts.reserve(list.size());
  for (const json& entry : list)
    counts.push_back(countFrom(entry, subject + "[" + std::to_string(counts.size()) + "]",
                               "an integer of at least 0"));
  return counts;
}

// "0,1,5" as a list.
json listOf(const std::string& words, const std::string& subject) {
  const std::string list = "[" + words + "]";
  return json::accept(list) ? parseJson(list, subject) : json(words);
}

} // namespace

std::optional<std::string> wordsOf(const std::string& text, const std::string& subject) {
  if (!json::accept(text))
    return text;
  const json value = parseJson(text, subject);
  if (value.is_null())
    return std::nullopt;
  if (!value.is_string())
    failJsonType(subject, value, "text");
  return value.get<std::string>();
}

json numbersOf(const std::string& text, const std::string& subject) {
  constexpr std::array<std::string_view, 6> kNoNumbers{"NaN", "Infinity", "-Infinity",
                                                       "nan", "inf",      "-inf"};
  const std::string_view word = trimmed(text);
  if (std::find(kNoNumbers.begin(), kNoNumbers.end(), word) != kNoNumbers.end())
    throw Error(ErrorCode::NonFinite, subject,
                subject + " is " + (word == "nan" ? "NaN" : std::string(word)) +
                    "; it must be a finite number");
  return parseJson(text, subject);
}

std::vector<Index> layersOf(const std::string& text, const std::string& subject) {
  constexpr const char* kWanted = "a list of the numbers of layers, such as [0, 1, 5]";
  json value = json::accept(text) ? parseJson(text, subject) : json(text);
  if (value.is_null())
    return {};
  if (value.is_string())
    value = listOf(value.get<std::string>(), subject);
  else if (value.is_number())
    value = json::array({value});
  std::vector<Index> layers = countsOf(value, subject, kWanted);
  std::vector<Index> sorted = layers;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throwRange(subject, "a list with " + std::to_string(*twice) + " twice",
               "the number of each layer once");
  return layers;
}

std::vector<Index> headsOf(const std::string& text, const std::string& subject) {
  const json value = json::accept(text) ? parseJson(text, subject) : json();
  return value.is_array()
             ? countsOf(value, subject, "a list of the numbers of heads, such as [0, 3]")
             : std::vector<Index>();
}

std::vector<Index> idsOf(const std::string& text, const std::string& subject) {
  return countsOf(parseJson(text, subject), subject, "a list of integers");
}

} // namespace attention
