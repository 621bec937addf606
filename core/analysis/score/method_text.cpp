// The names of the score board's mechanisms, and what was drawn with them.
#include "core/analysis/score/score_board.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/pattern_title.h"
#include "core/support/text.h"

#include <algorithm>
#include <filesystem>

namespace attention {
namespace {

// A given mask by its file, since its cells have no short text.
std::string patternText(const Pattern& pattern) {
  const auto* given = pattern.as<GivenMask>();
  if (!given || !given->mask || given->mask->file.empty())
    return shortText(pattern);
  const std::filesystem::path file(given->mask->file);
  return std::string(description(pattern).name) + ", mask " +
         printableLabel(file.filename().string());
}

std::string mapText(const FeatureMethod& method) {
  return std::string(name(method.features.map)) + " features";
}

std::string featuresText(const FeatureMethod& method) {
  std::string text = mapText(method);
  if (takesProjections(method.features.map)) {
    text += ", m " + std::to_string(method.projection.rows);
    text += ", " + std::string(name(method.projection.kind));
  }
  if (method.features.stabilize != Stabilize::Off)
    text += ", stabilize " + std::string(name(method.features.stabilize));
  if (method.causal.value_or(false))
    text += ", causal";
  return text;
}

std::string kernelText(const KernelMethod& method) {
  return std::string(name(method.kernel)) + " kernel";
}

constexpr const char* kLinformer = "linformer";

// Capitalised as at the start of a sentence; functions by their usual names.
std::string asTitle(std::string words) {
  for (const auto& [name, usual] : {std::pair("elu1 ", "elu + 1 "), std::pair("relu ", "ReLU ")})
    if (words.starts_with(name))
      return usual + words.substr(std::string_view(name).size());
  std::replace(words.begin(), words.end(), '_', ' ');
  return capitalised(std::move(words));
}

std::optional<std::uint64_t> seedOfPattern(const Pattern& pattern) {
  for (const Pattern* operand : operandsOf(pattern))
    if (const auto seed = seedOfPattern(*operand))
      return seed;
  const Parameter* seed = description(pattern).find("seed");
  if (!seed || !seed->visible(pattern))
    return std::nullopt;
  const Value value = seed->resolved(pattern, 1);
  return std::get<std::uint64_t>(value);
}

} // namespace

std::string methodText(const ScoredMethod& method) {
  if (const auto* pattern = std::get_if<Pattern>(&method))
    return patternText(*pattern);
  if (const auto* features = std::get_if<FeatureMethod>(&method))
    return featuresText(*features);
  if (const auto* kernel = std::get_if<KernelMethod>(&method))
    return kernelText(*kernel) + (kernel->causal.value_or(false) ? ", causal" : "");
  return std::string(kLinformer) + ", k " + std::to_string(std::get<LinformerMethod>(method).k);
}

std::string methodTitle(const ScoredMethod& method) {
  if (const auto* pattern = std::get_if<Pattern>(&method))
    return titleText(*pattern);
  std::string words = methodText(method);
  static constexpr std::string_view kOrthogonal = ", orthogonal"; // as nearly all are
  if (const auto at = words.find(kOrthogonal); at != std::string::npos)
    words.erase(at, kOrthogonal.size());
  return asTitle(std::move(words));
}

std::string methodKindTitle(const ScoredMethod& method) {
  if (const auto* pattern = std::get_if<Pattern>(&method))
    return std::string(description(*pattern).title);
  if (const auto* features = std::get_if<FeatureMethod>(&method))
    return asTitle(mapText(*features));
  if (const auto* kernel = std::get_if<KernelMethod>(&method))
    return asTitle(kernelText(*kernel));
  return asTitle(kLinformer);
}

std::optional<std::uint64_t> seedOf(const ScoredMethod& method) {
  if (const auto* pattern = std::get_if<Pattern>(&method))
    return seedOfPattern(*pattern);
  if (const auto* features = std::get_if<FeatureMethod>(&method))
    return takesProjections(features->features.map) ? std::optional(features->projection.seed)
                                                    : std::nullopt;
  if (std::holds_alternative<KernelMethod>(method))
    return std::nullopt;
  return std::get<LinformerMethod>(method).seed;
}

} // namespace attention
