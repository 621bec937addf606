// The masks of all layers and heads in sentences: which heads have which, and what that saves.
#include "core/pattern/prepared.h"
#include "core/support/number_text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/variant_names.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace attention {
namespace {

constexpr std::size_t kNamedPatterns = 3; // where there are more, the last sentence is of the rest
constexpr std::size_t kNamedPlaces = 3;

using Places = std::vector<Index>; // rising

// Layers in which the same heads have the pattern.
struct HeadsOfLayers {
  Places heads;
  Places layers;
};

// A pattern, and who has it.
struct GivenMask {
  const Pattern* pattern = nullptr;
  std::vector<HeadsOfLayers> where = {};
  Index heads = 0;
  bool own = true; // the model's, in all of them
};

void addHeads(GivenMask& mask, Index layer, Places heads) {
  mask.heads += std::ssize(heads);
  const auto same = std::find_if(mask.where.begin(), mask.where.end(),
                                 [&](const HeadsOfLayers& each) { return each.heads == heads; });
  if (same != mask.where.end())
    same->layers.push_back(layer);
  else
    mask.where.push_back({std::move(heads), {layer}});
}

// What most heads have first.
std::vector<GivenMask> masksIn(const Model& model, const ModelVariant& variant) {
  std::vector<GivenMask> masks;
  for (Index layer = 0; layer < std::ssize(model.layers); ++layer) {
    std::vector<std::pair<const Pattern*, Places>> here;
    for (Index head = 0; head < model.heads; ++head) {
      const Pattern& pattern = patternOf(model, variant, layer, head);
      auto known = std::find_if(here.begin(), here.end(),
                                [&](const auto& each) { return *each.first == pattern; });
      if (known == here.end())
        known = here.insert(known, {&pattern, {}});
      known->second.push_back(head);
    }
    for (auto& [pattern, heads] : here) {
      auto known = std::find_if(masks.begin(), masks.end(), [of = pattern](const GivenMask& each) {
        return *each.pattern == *of;
      });
      if (known == masks.end())
        known = masks.insert(known, {pattern});
      known->own &= *pattern == model.layers[static_cast<std::size_t>(layer)].pattern;
      addHeads(*known, layer, std::move(heads));
    }
  }
  std::stable_sort(masks.begin(), masks.end(),
                   [](const GivenMask& a, const GivenMask& b) { return a.heads > b.heads; });
  return masks;
}

// "layer 3", "layers 0–4, 7".
std::string placesText(const char* one, const Places& places) {
  std::string text;
  for (std::size_t k = 0; k < places.size();) {
    std::size_t last = k;
    while (last + 1 < places.size() && places[last + 1] == places[last] + 1)
      ++last;
    text += (text.empty() ? "" : ", ") + groupedDigits(places[k]);
    if (last > k)
      text += (last > k + 1 ? "–" : ", ") + groupedDigits(places[last]);
    k = last + 1;
  }
  return (places.size() == 1 ? std::string(one) : pluralOf(one)) + " " + text;
}

std::string whereText(const Model& model, const HeadsOfLayers& where) {
  const std::string layers = std::ssize(where.layers) == std::ssize(model.layers)
                                 ? "every layer"
                                 : placesText("layer", where.layers);
  return std::ssize(where.heads) == model.heads ? layers
                                                : placesText("head", where.heads) + " of " + layers;
}

// "225 of 270 heads have Local, window 128, causal: layers 0–4, 6–10."
std::string maskSentence(const Model& model, const GivenMask& mask, Index n,
                         std::span<const Pattern* const> among) {
  const Index all = std::ssize(model.layers) * model.heads;
  const std::string title =
      sizedTitle(*mask.pattern, n, among) + (mask.own ? ", the model's own mask" : "");
  if (mask.heads == all)
    return "All " + counted(all, "head") + " have " + title + ".";
  std::string text = groupedDigits(mask.heads) + " of " + counted(all, "head") +
                     (mask.heads == 1 ? " has " : " have ") + title + ": ";
  for (std::size_t k = 0; k < std::min(mask.where.size(), kNamedPlaces); ++k)
    text += (k == 0 ? "" : "; ") + whereText(model, mask.where[k]);
  return text + (mask.where.size() > kNamedPlaces ? "; and others." : ".");
}

// Pairs of a head on average; nothing where they depend on the data.
std::optional<double> meanPairs(const std::vector<GivenMask>& masks, Index n, const Run& run) {
  double pairs = 0;
  Index heads = 0;
  for (const GivenMask& mask : masks) {
    if (needsData(*mask.pattern))
      return std::nullopt;
    const auto prepared = prepare(*mask.pattern, squareLengths(n), {}, run.quiet());
    pairs += static_cast<double>(prepared->pairs(run.quiet())) * static_cast<double>(mask.heads);
    heads += mask.heads;
  }
  return pairs / static_cast<double>(heads);
}

std::string pairsText(double pairs) {
  return groupedDigits(std::llround(pairs));
}

std::string pairsSentence(double now, double own, Index n) {
  const std::string text =
      "On " + counted(n, "token") + " a head has " + pairsText(now) + " pairs on average";
  if (now == own)
    return text + ", as many as with the model's own masks.";
  return text + ", " + pairsText(own) +
         " with the model's own masks: " + readableNumber(100 * std::abs(1 - now / own)) +
         (now < own ? " % are saved." : " % more.");
}

} // namespace

std::vector<std::string> readingOfLayers(const Model& model, const ModelVariant& variant, Index n,
                                         const Run& run) {
  const std::vector<GivenMask> masks = masksIn(model, variant);
  const Index all = std::ssize(model.layers) * model.heads;
  std::vector<const Pattern*> among;
  among.reserve(masks.size());
  for (const GivenMask& mask : masks)
    among.push_back(mask.pattern);
  std::vector<std::string> sentences;
  const std::size_t named = masks.size() > kNamedPatterns ? kNamedPatterns - 1 : masks.size();
  Index others = all;
  for (std::size_t k = 0; k < named; ++k) {
    sentences.push_back(maskSentence(model, masks[k], n, among));
    others -= masks[k].heads;
  }
  if (others > 0)
    sentences.push_back("The other " + counted(others, "head") + " have " +
                        counted(masks.size() - named, "other pattern") + ".");
  const auto now = meanPairs(masks, n, run);
  const auto own = meanPairs(masksIn(model, {}), n, run);
  if (now && own)
    sentences.push_back(pairsSentence(*now, *own, n));
  else
    sentences.emplace_back("How many pairs the masks have depends on the data.");
  return sentences;
}

} // namespace attention
