#include "core/model/variant.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

bool names(const std::optional<std::vector<Index>>& list, Index x) {
  return !list || std::find(list->begin(), list->end(), x) != list->end();
}

void requireBelow(const std::optional<std::vector<Index>>& list, Index count,
                  const std::string& subject) {
  for (const Index x : list.value_or(std::vector<Index>{}))
    if (x < 0 || x >= count)
      throwRange(subject, std::to_string(x), "from 0 to " + std::to_string(count - 1));
}

constexpr const char* kAllPlaces = "all";
constexpr const char* kList = "a list of numbers and ranges such as 0-9,12";

Index listedNumber(std::string_view word, std::string_view text, const std::string& subject) {
  const std::optional<Index> number = numberOf<Index>(trimmed(word));
  if (!number)
    throw Error(ErrorCode::Type, subject,
                subject + " is " + excerpt(text) + "; it must be " + kList);
  return *number;
}

} // namespace

const Pattern& patternOf(const Model& model, const ModelVariant& variant, Index layer, Index head) {
  const auto rule = std::find_if(variant.rules.rbegin(), variant.rules.rend(), [&](const Rule& r) {
    return names(r.layers, layer) && names(r.heads, head);
  });
  return rule == variant.rules.rend() ? model.layers[static_cast<std::size_t>(layer)].pattern
                                      : rule->pattern;
}

Index firstDifference(const Model& model, const ModelVariant& a, const ModelVariant& b) {
  const auto layers = static_cast<Index>(model.layers.size());
  for (Index layer = 0; layer < layers; ++layer)
    for (Index head = 0; head < model.heads; ++head)
      if (!(patternOf(model, a, layer, head) == patternOf(model, b, layer, head)))
        return layer;
  return layers;
}

void checkVariant(const Model& model, const ModelVariant& variant) {
  for (const Rule& rule : variant.rules) {
    requireBelow(rule.layers, static_cast<Index>(model.layers.size()), "layers");
    requireBelow(rule.heads, model.heads, "heads");
  }
}

std::vector<Index> indicesFromText(std::string_view text, Index count, const std::string& subject) {
  std::vector<Index> indices;
  for (const std::string_view word : split(text, ',')) {
    const auto dash = word.find('-', 1);
    const Index first = listedNumber(word.substr(0, dash), text, subject);
    const Index last =
        dash == word.npos ? first : listedNumber(word.substr(dash + 1), text, subject);
    if (first < 0 || last < first || last >= count)
      throwRange(subject, excerpt(text),
                 "numbers from 0 to " + std::to_string(count - 1) +
                     ", or ascending ranges of them");
    for (Index x = first; x <= last; ++x)
      indices.push_back(x);
  }
  if (indices.empty())
    throw Error(ErrorCode::Type, subject, subject + " is empty; it must be " + kList);
  return indices;
}

std::optional<std::vector<Index>> placesFromText(std::string_view text, Index count,
                                                 const std::string& subject) {
  if (text == kAllPlaces)
    return std::nullopt;
  return indicesFromText(text, count, subject);
}

std::string placesText(const std::optional<std::vector<Index>>& places) {
  if (!places)
    return kAllPlaces;
  std::string text;
  for (const Index place : *places)
    text += (text.empty() ? "" : ",") + std::to_string(place);
  return text;
}

} // namespace attention
