// Which pattern the gallery, the strip and the palette offer for each mechanism.
#include "app/gui/interface/results.h"
#include "app/gui/results/pattern_offers.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/presets.h"
#include "tests/catch.h"

#include <algorithm>

namespace attention::gui {
namespace {

const Pattern& offerOf(const PatternOffers& offers, const char* name) {
  return *std::find_if(offers.mechanisms.begin(), offers.mechanisms.end(),
                       [&](const Pattern& p) { return description(p).name == name; });
}

bool hasCausal(const Pattern& pattern) {
  return std::ranges::any_of(description(pattern).parameters,
                             [](const Parameter& p) { return p.name == "causal"; });
}

TEST_CASE("Choosing a mechanism shows the current pattern, the one last used or its first values",
          "[results]") {
  const Pattern shown = Strided{.stride = 7};
  Fixed fixed;
  fixed.stride = 9;
  const Pattern used = fixed;
  const PatternOffers offers = makeOffers({shown, {used}, squareLengths(144)});
  REQUIRE(offers.mechanisms.size() == allMechanisms().size());
  for (std::size_t k = 0; k < offers.mechanisms.size(); ++k)
    CHECK(description(offers.mechanisms[k]).name == description(allMechanisms()[k]).name);
  CHECK(offerOf(offers, "strided") == shown);
  CHECK(offerOf(offers, "fixed") == used);
  CHECK(offerOf(offers, "local") == begun(patternNamed("local"), shown, 144));
  const auto& composed = *offerOf(offers, "compose").as<Compose>();
  REQUIRE(composed.of.size() == 2);
  CHECK(composed.of[0] == shown);
  CHECK(offerOf(offers, "drawn") == Pattern(Drawn{shown, {}}));
}

TEST_CASE("Patterns that the keys of a decoder choose are offered causal", "[results]") {
  const auto causal = [](const Pattern& pattern) {
    return std::get<bool>(parameterNamed(pattern, "causal").resolved(pattern, 144));
  };
  const PatternOffers any = makeOffers({Full{}, {}, squareLengths(144)});
  const PatternOffers decoder = makeOffers({Full{}, {}, squareLengths(144), true});
  CHECK_FALSE(causal(offerOf(any, "topk")));
  for (const Pattern& offer : decoder.mechanisms)
    if (needsData(offer) && hasCausal(offer)) {
      INFO(description(offer).name);
      CHECK(causal(offer));
    }
  CHECK_FALSE(causal(offerOf(decoder, "bigbird"))); // as its paper has it
}

TEST_CASE("Offers know that the input is from a decoder", "[results]") {
  Results results;
  CHECK_FALSE(offersKey({}, {}, results).decoder);
  for (const Attends attends :
       {Attends::Unknown, Attends::BothWays, Attends::Mixed, Attends::Backward}) {
    Input input;
    input.attends = attends;
    results.input.value = std::make_shared<const Input>(input);
    CHECK(offersKey({}, {}, results).decoder == (attends == Attends::Backward));
  }
}

TEST_CASE("The strip begins with the current pattern and shows no mechanism twice", "[results]") {
  const PatternOffers offers = makeOffers({Causal{}, {Full{}, Causal{}}, squareLengths(64)});
  REQUIRE(offers.strip.size() == kStripTiles);
  CHECK(offers.strip[0] == Pattern(Causal{}));
  CHECK(offers.strip[1] == Pattern(Full{}));
  for (std::size_t a = 0; a < kStripTiles; ++a)
    for (std::size_t b = 0; b < a; ++b)
      CHECK(description(offers.strip[a]).name != description(offers.strip[b]).name);
}

TEST_CASE("Pictures of conventions show as many keys as they say", "[results]") {
  const PatternOffers offers = makeOffers({Causal{}, {}, squareLengths(64)});
  const auto keysIn = [&](const char* name) {
    const auto presets = allPresets();
    const auto at = std::find_if(presets.begin(), presets.end(),
                                 [&](const Preset& p) { return p.name == name; });
    const auto which = static_cast<std::size_t>(at - presets.begin());
    CHECK(offers.presets[which] == at->pattern());
    const auto prepared = prepare(offers.pictured[which], kPicturedLengths);
    return prepared->rowCount(12, 0, kPicturedLengths.keys);
  };
  CHECK(keysIn("mistral-paper") == 5);
  CHECK(keysIn("mistral-figure") == 4);
  CHECK(keysIn("longformer-allenai") == 9);
  CHECK(keysIn("longformer-transformers") == 5);
  CHECK(keysIn("xformers-local") == 5);
  CHECK(keysIn("longformer-dilated") == 9);
  CHECK(keysIn("attention-gym-dilated") == 5);
}

TEST_CASE("Offers are made again only when what they depend on changes", "[results]") {
  OffersCache cache;
  const Pattern* first = cache.update({Causal{}, {}, squareLengths(64)}).mechanisms.data();
  CHECK(cache.update({Causal{}, {}, squareLengths(64)}).mechanisms.data() == first);
  CHECK(cache.update({Full{}, {}, squareLengths(9)}).lengths == squareLengths(9));
}

TEST_CASE("Pictures of the strip stay in place when another is chosen", "[results]") {
  OffersCache cache;
  const auto names = [](const PatternOffers& offers) {
    std::vector<std::string> all;
    for (const Pattern& pattern : offers.strip)
      all.push_back(description(pattern).name);
    return all;
  };
  const auto first = names(cache.update({Causal{}, {}, squareLengths(64)}));
  REQUIRE(first.size() == kStripTiles);
  const Pattern third = cache.update({Causal{}, {}, squareLengths(64)}).strip[2];
  CHECK(names(cache.update({third, {Causal{}}, squareLengths(64)})) == first);
  // A new one takes the place of what leaves; the others stay.
  const auto now = names(cache.update({Full{}, {third, Causal{}}, squareLengths(64)}));
  REQUIRE(now.size() == kStripTiles);
  std::size_t moved = 0;
  for (std::size_t k = 0; k < kStripTiles; ++k)
    moved += now[k] == first[k] ? 0U : 1U;
  CHECK(moved == 1);
  CHECK(std::find(now.begin(), now.end(), "full") != now.end());
  // The pattern of a place is the newest of its mechanism.
  const Pattern other = Full{};
  CHECK(cache.update({Local{.window = 3}, {other}, squareLengths(64)}).strip.size() == kStripTiles);
}

} // namespace
} // namespace attention::gui
