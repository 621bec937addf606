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
constexpr std::string_view kGroups = "kv"; // before numbers of key/value heads

// A list of places that is read, and what it may name.
struct PlacesText {
  std::string_view text;
  Index count = 0;
  Index kvHeads = 0; // 0: places that are no heads
  const std::string& subject;

  std::string wanted() const {
    return std::string("a list of numbers and ranges such as 0-9,12") +
           (kvHeads > 0 ? ", or kv0-1 for the heads of key/value heads" : "");
  }
};

Index listedNumber(std::string_view word, const PlacesText& of) {
  const std::optional<Index> number = numberOf<Index>(trimmed(word));
  if (!number)
    throw Error(ErrorCode::Type, of.subject,
                of.subject + " is " + excerpt(of.text) + "; it must be " + of.wanted());
  return *number;
}

// "3" or "0-9", of numbers below `count`, which are of `what`.
std::pair<Index, Index> listedRange(std::string_view word, Index count, const char* what,
                                    const PlacesText& of) {
  const auto dash = word.find('-', 1);
  const Index first = listedNumber(word.substr(0, dash), of);
  const Index last = dash == word.npos ? first : listedNumber(word.substr(dash + 1), of);
  if (first < 0 || last < first || last >= count)
    throwRange(of.subject, excerpt(of.text),
               std::string(what) + " from 0 to " + std::to_string(count - 1) +
                   ", or ascending ranges of them");
  return {first, last};
}

void appendPlaces(std::string_view word, const PlacesText& of, std::vector<Index>& places) {
  if (of.kvHeads > 0 && word.starts_with(kGroups)) {
    const auto [first, last] =
        listedRange(word.substr(kGroups.size()), of.kvHeads, "key/value heads", of);
    for (Index head = 0; head < of.count; ++head)
      if (const Index group = head * of.kvHeads / of.count; group >= first && group <= last)
        places.push_back(head);
    return;
  }
  const auto [first, last] = listedRange(word, of.count, "numbers", of);
  for (Index x = first; x <= last; ++x)
    places.push_back(x);
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

std::vector<Index> indicesFromText(std::string_view text, Index count, const std::string& subject,
                                   Index kvHeads) {
  const PlacesText of{text, count, kvHeads, subject};
  std::vector<Index> indices;
  for (const std::string_view word : split(text, ','))
    appendPlaces(trimmed(word), of, indices);
  if (indices.empty())
    throw Error(ErrorCode::Type, subject, subject + " is empty; it must be " + of.wanted());
  return indices;
}

std::optional<std::vector<Index>> placesFromText(std::string_view text, Index count,
                                                 const std::string& subject, Index kvHeads) {
  if (text == kAllPlaces)
    return std::nullopt;
  return indicesFromText(text, count, subject, kvHeads);
}

std::string groupOf(const Model& model, Index head) {
  return std::string(kGroups) + std::to_string(head * model.kvHeads / model.heads);
}

std::string wholeGroups(const std::string& places, const Model& model) {
  const auto heads = placesFromText(places, model.heads, "heads", model.kvHeads);
  if (!heads)
    return places;
  std::string text;
  std::vector<bool> named(static_cast<std::size_t>(model.kvHeads));
  for (const Index head : *heads) {
    const auto group = static_cast<std::size_t>(head * model.kvHeads / model.heads);
    if (!named[group])
      text += (text.empty() ? "" : ",") + groupOf(model, head);
    named[group] = true;
  }
  return text;
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
