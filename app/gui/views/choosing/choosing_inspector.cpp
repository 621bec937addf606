#include "app/gui/interface/jargon.h"
#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"

#include <array>

namespace attention::gui {
namespace {

constexpr std::size_t kMostRounds = 8; // listed for a token

constexpr std::array kCircleFormulas{
    "h(x) = argmax [x R; −x R]", "rotations: P = max(0, 1 − 2 φ / π)", "in r rounds: 1 − (1 − P)ʳ"};

// The token under the pointer, else the pinned one.
std::optional<Index> tokenOf(const PanelContext& c, const HashedTokens& tokens) {
  const auto i = c.hover.query ? c.hover.query : c.scene.pins.query;
  return i && *i >= 0 && *i < tokens.n() ? i : std::nullopt;
}

// Its group, place and chunk in every round, and its keys.
void drawToken(const PanelContext& c, const HashedTokens& tokens) {
  const Ui& ui = c.ui;
  const auto token = tokenOf(c, tokens);
  const std::string name = tokens.groupName();
  if (!token) {
    sectionHeading(ui, "Token");
    const Card card(ui, "token");
    caption(ui,
            "Point at a token to see its " + name + ", its place and its keys; a click pins it.");
    return;
  }
  const auto& labels = c.results.part<ChoosingResults>().shown->answer.labels;
  const auto at = static_cast<std::size_t>(*token);
  sectionHeading(ui, "Token " + groupDigits(*token),
                 at < labels.size() ? "“" + visibleText(labels[at]) + "”" : std::string());
  const TokenGroups& groups = tokens.groups();
  for (std::size_t r = 0; r < std::min(groups.rounds.size(), kMostRounds); ++r) {
    const Index rank = groups.rounds[r].queries.rank[at];
    const std::string label = groups.rounds.size() > 1 ? "round " + std::to_string(r) : name;
    std::string value = (groups.rounds.size() > 1 ? name + " " : "") +
                        listOf(groups.ofQuery(r, *token)) + ", place " + groupDigits(rank);
    if (groups.chunk > 0)
      value += ", chunk " + groupDigits(rank / groups.chunk);
    valueRow(ui, label, value,
             explained("Its " + name + ", its place in the sorted order, its chunk.",
                       groups.chunk > 0 ? jargon::kChunk : jargon::kBucket));
  }
  if (!(groups.rounds.front().keys.group == groups.rounds.front().queries.group))
    valueRow(ui, "as a key", listOf(groups.ofKey(0, *token)), "The " + name + " of its key");
  valueRow(ui, "keys", groupDigits(tokens.prepared->rowCount(*token, 0, tokens.n())),
           "How many keys it attends to");
}

// And what the groups that are sorted capture, as soon as it is known.
Facts withCaptured(const PanelContext& c, Facts facts) {
  const auto& curves = c.results.part<ChoosingResults>().curves;
  const CapturedPoint* own = curves ? curves->at(curves->current) : nullptr;
  if (!own || c.scene.choosing.picture != ChoosingPicture::Sorting)
    return facts;
  facts.add("captured mass", shortNumber(own->mass, 3),
            explained("Mean over the queries.", jargon::kCapturedMass));
  facts.add("recall of " + std::to_string(curves->recallKeys), shortNumber(own->recall, 3),
            explained("Mean over the queries.", jargon::kRecall));
  return facts;
}

// Beside patterns to choose from.
std::string offersWords(const Pattern& pattern) {
  return "With " + description(pattern).title +
         ", the keys that a query reads depend only on positions. With the patterns shown here "
         "they depend on the input: click one to see which keys its queries read, why, and how "
         "much of dense attention that keeps.";
}

constexpr const char* kCircleSource =
    "Kitaev et al. 2020 (Reformer), section 2 and figure 1; Andoni et al. 2015";
constexpr Definition kCircleDefinition{
    kCircleFormulas,
    "A hash of directions: turn the point at random, then take the signed axis that it lies "
    "nearest to. φ is the angle between two points.",
    kCircleSource};

} // namespace

std::string choosingSource(const Scene& scene) {
  return scene.choosing.picture == ChoosingPicture::Circle ? kCircleSource : "";
}

void drawChoosingFacts(const PanelContext& c) {
  const Ui& ui = c.ui;
  const ChoosingResults& choosing = c.results.part<ChoosingResults>();
  const auto& shown = choosing.shown;
  const bool circle = c.scene.choosing.picture == ChoosingPicture::Circle;
  if (shown && shown->spec.picture == c.scene.choosing.picture && !choosing.problem) {
    if (shown->answer.tokens) {
      const Steady steady(c);
      drawToken(c, *shown->answer.tokens);
      space(ui, 6);
    }
    drawFacts(ui, withCaptured(c, shown->facts));
    drawUnderWay(ui, choosing.curves.pending, isStopped(choosing.curves.problem));
    drawReadThis(ui, shown->reading);
    space(ui, 6);
  } else if (choosing.offers) {
    sectionHeading(ui, "Nothing chosen yet");
    const Card card(ui, "offers");
    caption(ui, offersWords(c.scene.pattern));
  }
  if (circle)
    drawDefinition(c, kCircleDefinition);
  else if (readsPattern(c.scene))
    drawDefinition(c);
}

} // namespace attention::gui
