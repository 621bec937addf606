#include "app/gui/results/pattern_offers.h"

#include "app/gui/interface/results.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/presets.h"
#include "core/views/choosing/chosen_keys.h"
#include "core/views/shown_patterns.h"

#include <algorithm>

namespace attention::gui {
namespace {

bool hasCausal(const Pattern& pattern) {
  return std::ranges::any_of(description(pattern).parameters, [&](const Parameter& parameter) {
    return parameter.name == "causal" && parameter.visible(pattern);
  });
}

// As begun(), for a decoder's keys causal.
Pattern begunFor(const OffersKey& key, const Pattern& standard) {
  Pattern pattern = begun(standard, key.shown, key.lengths.keys);
  if (key.decoder && needsData(pattern) && hasCausal(pattern))
    set(pattern, "causal", true);
  return pattern;
}

Pattern offered(const OffersKey& key, const Pattern& standard) {
  if (sameMechanism(key.shown, standard))
    return key.shown;
  const auto known = std::find_if(key.recent.begin(), key.recent.end(),
                                  [&](const Pattern& p) { return sameMechanism(p, standard); });
  return known == key.recent.end() ? begunFor(key, standard) : *known;
}

std::vector<Pattern> stripOf(const OffersKey& key) {
  std::vector<Pattern> strip{key.shown};
  const auto add = [&](const Pattern& p) {
    if (strip.size() < kStripTiles &&
        std::none_of(strip.begin(), strip.end(),
                     [&](const Pattern& q) { return sameMechanism(p, q); }))
      strip.push_back(p);
  };
  for (const Pattern& p : key.recent)
    add(p);
  for (const char* name : {"causal", "strided", "fixed", "local", "longformer", "bigbird"})
    add(begunFor(key, patternNamed(name)));
  return strip;
}

// The patterns of `next` at the places that their mechanisms had in `last`.
std::vector<Pattern> atTheirPlaces(const std::vector<Pattern>& last, std::vector<Pattern> next) {
  std::vector<std::optional<Pattern>> placed(next.size());
  const std::size_t places = std::min(last.size(), placed.size());
  for (std::size_t k = 0; k < places; ++k) {
    const auto same = std::find_if(next.begin(), next.end(), [&](const Pattern& pattern) {
      return sameMechanism(pattern, last[k]);
    });
    if (same == next.end())
      continue;
    placed[k] = std::move(*same);
    next.erase(same);
  }
  std::vector<Pattern> strip;
  for (std::optional<Pattern>& pattern : placed) {
    if (!pattern) {
      pattern = std::move(next.front());
      next.erase(next.begin());
    }
    strip.push_back(std::move(*pattern));
  }
  return strip;
}

// Lengths in tokens become small (even ones stay even); steps and numbers of blocks stay.
Pattern picturedPreset(const Preset& preset) {
  constexpr Index kLong = 16;
  std::vector<Index> values;
  for (const PresetArgument& a : preset.arguments)
    values.push_back(a.fallback >= kLong ? a.fallback - kLong + 4 : a.fallback);
  return laidOut(preset.pattern(values), kPicturedLengths.keys);
}

} // namespace

Pattern begun(const Pattern& standard, const Pattern& shown, Index n) {
  const auto* composition = standard.as<Compose>();
  if (composition && composition->of.empty())
    return Compose(Operation::Union, {shown, beginning(patternNamed("local"), n)});
  if (standard == Pattern(Drawn{})) // nothing is drawn yet
    return Drawn{shown, {}};
  return beginning(standard, n);
}

OffersKey offersKey(const Scene& scene, const std::vector<Pattern>& recent,
                    const Results& results) {
  const Lengths lengths =
      results.lengths.keys > 0 ? results.lengths : Lengths{kDefaultLength, kDefaultLength, 0};
  const bool decoder = results.input && results.input->attends == Attends::Backward;
  return {editedPattern(scene), recent, lengths, decoder};
}

PatternOffers makeOffers(const OffersKey& key) {
  PatternOffers offers{key.lengths, {},           {},
                       {},          stripOf(key), shortenedParameters(key.shown, key.lengths.keys)};
  for (const Pattern& p : allMechanisms())
    offers.mechanisms.push_back(offered(key, p));
  for (const Preset& preset : allPresets()) {
    offers.presets.push_back(laidOut(preset.pattern(), key.lengths.keys));
    offers.pictured.push_back(picturedPreset(preset));
  }
  return offers;
}

std::vector<const Pattern*> suitedPatterns(const PatternOffers& offers, ChoosingPicture picture) {
  constexpr std::size_t kMostOffered = 8; // two rows
  std::vector<const Pattern*> found;
  for (const Pattern& pattern : offers.mechanisms)
    if (suits(picture, pattern) && !pattern.is<TopK>() && found.size() < kMostOffered)
      found.push_back(&pattern);
  return found;
}

Scene suitedScene(Scene scene, const PatternOffers& offers) {
  scene.view = View::Mask;
  const ChoosingPicture picture = scene.choosing.picture;
  scene.title = isChoice(picture) ? "Patterns that choose what is read"
                                  : "Patterns that put tokens into groups";
  scene.caption.clear();
  scene.source.clear();
  scene.about.reset();
  scene.mask = MaskSpec();
  for (const Pattern* pattern : suitedPatterns(offers, picture))
    scene.mask.panels.push_back({description(*pattern).title, *pattern});
  scene.camera.reset();
  scene.pins = {};
  return scene;
}

const PatternOffers& OffersCache::update(OffersKey key) {
  if (!key_ || !(*key_ == key)) {
    PatternOffers made = makeOffers(key);
    made.strip = atTheirPlaces(offers_.strip, std::move(made.strip));
    offers_ = std::move(made);
    key_ = std::move(key);
  }
  return offers_;
}

} // namespace attention::gui
