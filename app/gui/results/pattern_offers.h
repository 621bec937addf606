// Which pattern each place of the window offers: what choosing a mechanism shows, the conventions
// of libraries, the strip of recent ones. Made when the Scene's pattern, the recent ones or the
// length change, not in every frame.
#pragma once

#include "core/pattern/beginning.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern.h"
#include "core/scene/scene.h"

#include <optional>
#include <vector>

namespace attention::gui {

struct Results;

struct OffersKey {
  Pattern shown;               // the Scene's
  std::vector<Pattern> recent; // the newest first, one per mechanism
  Lengths lengths;             // current
  bool decoder = false;        // the input is from one
  bool operator==(const OffersKey&) const = default;
};
OffersKey offersKey(const Scene& scene, const std::vector<Pattern>& recent, const Results& results);

struct PatternOffers {
  Lengths lengths;                 // length that the patterns suit
  std::vector<Pattern> mechanisms; // one per mechanism, in the order of allMechanisms(): the
                                   // current pattern, the one last used, or its starting form
  std::vector<Pattern> presets;    // in the order of allPresets(), for their fallbacks
  std::vector<Pattern> pictured; // the same with windows of four or five keys, which differ visibly
                                 // in a small picture of kPicturedLengths
  std::vector<Pattern> strip;    // the current pattern, recent ones, others: no mechanism twice
  std::vector<ShortenedParameter> shortened; // of the current pattern
};

constexpr Lengths kPicturedLengths{24, 24, 0};
constexpr std::size_t kStripTiles = 6;

// Patterns that are chosen by the queries and keys of a decoder are offered causal, as it attends.
PatternOffers makeOffers(const OffersKey& key);

// Mechanisms that the picture of Choosing suits, which it offers where it does not suit the
// Scene's; and a Scene that shows their masks side by side, as the view does.
std::vector<const Pattern*> suitedPatterns(const PatternOffers& offers, ChoosingPicture picture);
Scene suitedScene(Scene scene, const PatternOffers& offers);

// `standard` with parameters that suit n tokens (core/pattern/beginning.h); a composition begins
// with the shown pattern and a window.
Pattern begun(const Pattern& standard, const Pattern& shown, Index n);

// The offers of the last key.
class OffersCache {
public:
  const PatternOffers& update(OffersKey key);

private:
  std::optional<OffersKey> key_;
  PatternOffers offers_;
};

} // namespace attention::gui
