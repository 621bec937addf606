#include "app/gui/views/choosing/choosing_view.h"

#include "app/gui/interface/jargon.h"
#include "app/gui/widgets/group_digits.h"
#include "core/pattern/token_groups.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kMostRoundFacts = 8;

std::string ofBase(const Base& base) {
  return " of " + std::string(name(base));
}

std::string plural(const std::string& name) {
  return name + "s";
}

std::string shareText(const HashedTokens& tokens) {
  const auto all = static_cast<double>(baseOf(tokens.fitting, squareLengths(tokens.n()))->pairs());
  return percent(static_cast<double>(tokens.pairs) / all) + ofBase(tokens.fitting);
}

std::string keysOfRoutes(const TokenGroups& groups) {
  Index least = 0;
  Index most = 0;
  for (std::size_t c = 0; c < groups.keysOf.size(); ++c) {
    if (groups.queriesOf[c].empty())
      continue;
    const auto keys = static_cast<Index>(groups.keysOf[c].size());
    most = std::max(most, keys);
    least = least == 0 ? keys : std::min(least, keys);
  }
  return groupDigits(least) + " … " + groupDigits(most);
}

// "4, 8 tokens each"; where they do not divide the tokens, the last one is shorter.
std::string chunksText(const TokenGroups& groups) {
  const auto tokens = static_cast<Index>(groups.rounds.front().queries.group.size());
  return groupDigits(groups.chunks()) + (tokens % groups.chunk == 0 ? ", " : ", at most ") +
         groupDigits(groups.chunk) + agreeing(groups.chunk, " token", " tokens") +
         (groups.chunks() == 1 ? "" : " each");
}

// What becomes of so many queries without keys.
std::string nothing(Index queries) {
  return agreeing(queries, "it attends to nothing, and its", "they attend to nothing, and their") +
         " output is zero";
}

void addWarnings(Facts& facts, const TokenGroups& groups, const GroupSizes& sizes,
                 const std::string& name) {
  if (const Index alone = queriesWithoutKeys(groups); alone > 0)
    facts.warnings.push_back(counted(alone, "query") +
                             agreeing(alone, " shares its ", " share their ") + name +
                             " with no key: " + nothing(alone));
  if (sizes.none > 0)
    facts.warnings.push_back(counted(sizes.none, "query") + agreeing(sizes.none, " is", " are") +
                             " near no " + name + ": " + nothing(sizes.none));
}

Facts groupFacts(const HashedTokens& tokens, std::size_t round) {
  Facts facts;
  const TokenGroups& groups = tokens.groups();
  const GroupSizes sizes = groupSizes(groups, round);
  const std::string name = tokens.groupName();
  facts.heading = groups.rounds.size() > 1 ? "Round " + std::to_string(round) : plural(name);
  facts.add(plural(name) + " with tokens",
            groupDigits(sizes.groups) + " of " + groupDigits(groups.count),
            name == "bucket" ? explained("How many hold at least one query.", jargon::kBucket)
                             : "How many " + plural(name) + " hold at least one query");
  facts.add("queries per " + name, groupDigits(sizes.least) + " … " + groupDigits(sizes.most),
            "The fewest and the most queries of a " + name);
  if (groups.kind == GroupKind::Routes)
    facts.add("keys per " + name, keysOfRoutes(groups),
              "The fewest and the most keys of a centroid with queries");
  if (groups.chunk > 0)
    facts.add("chunks", chunksText(groups),
              explained("The sorted order is cut into chunks of m tokens.", jargon::kChunk));
  facts.add("pairs", groupDigits(tokens.pairs) + "  " + shareText(tokens),
            "Attended pairs of all rounds together, and their share of " +
                std::string(tokens.fitting == Base::Causal ? "the n (n + 1) / 2 of causal"
                                                           : "the n² of full") +
                " attention");
  const bool rounds = groups.kind == GroupKind::Buckets && groups.rounds.size() > 1;
  for (std::size_t r = 0; rounds && r < std::min(groups.rounds.size(), kMostRoundFacts); ++r)
    facts.add("   of round " + std::to_string(r), groupDigits(tokens.partPairs[r]),
              explained("Pairs that this round shows.", jargon::kRound));
  addWarnings(facts, groups, sizes, name);
  return facts;
}

Facts capturedFacts(const CapturedCurves& curves) {
  Facts facts;
  const CapturedPoint* own = curves.at(curves.current);
  if (!own && curves.points.empty())
    return facts;
  const CapturedPoint& of = own ? *own : curves.points.back();
  facts.heading = groupsCounted(curves, of.count);
  facts.add("captured mass", shortNumber(of.mass, 3),
            explained("Mean over the queries.", jargon::kCapturedMass));
  facts.add("recall", shortNumber(of.recall, 3),
            explained("Of the " + std::to_string(curves.recallKeys) +
                          " largest weights of a query" + (curves.others ? " on other keys." : "."),
                      jargon::kRecall));
  facts.add("pairs", groupDigits(of.pairs) + "  " + percent(of.share) + ofBase(curves.base),
            "Attended pairs, and their share of the pairs of the attention that the "
            "pattern is measured against");
  facts.add("at random", shortNumber(of.random, 3),
            curves.others ? "What the same number of other keys, chosen at random, would capture"
                          : "What the same number of keys, chosen at random, would capture");
  return facts;
}

Facts circleFacts(const CircleAnswer& circle) {
  Facts facts{"Two pairs of points", {}};
  const auto rounds = static_cast<Index>(circle.rounds.size());
  for (std::size_t p = 0; p < circle.pairs.size(); ++p) {
    const CirclePair& pair = circle.pairs[p];
    Index same = 0;
    for (std::size_t r = 0; r < circle.rounds.size(); ++r)
      same += circle.same(p, r) ? 1 : 0;
    facts.add(pair.name + ", " + shortNumber(pair.degrees, 3) + "° apart",
              groupDigits(same) + " of " + groupDigits(rounds),
              "Rounds in which both points fall into the same bucket");
    const bool rotated = circle.spec.draw == AngularDraw::Rotation;
    const double share = circle.shareOf(p);
    facts.lines.push_back(
        rotated ? Fact{"   expected per round", percent(share), "P = max(0, 1 − 2 φ / π)"}
                : Fact{"   over 512 rounds", percent(share),
                       "Counted at the nearest multiple of 3°, since there is no closed form for "
                       "Gaussian matrices"});
  }
  return facts;
}

} // namespace

std::optional<GroupedPairs> groupedPairs(const HashedTokens* tokens, const CapturedCurves* curves) {
  if (tokens)
    return GroupedPairs{tokens->pairs, shareText(*tokens)};
  const CapturedPoint* own = curves ? curves->at(curves->current) : nullptr;
  return own ? std::optional(GroupedPairs{own->pairs, percent(own->share) + ofBase(curves->base)})
             : std::nullopt;
}

Facts choosingFacts(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
  case ChoosingPicture::Matrices:
    return groupFacts(*answer.tokens, answer.tokens->round(spec));
  case ChoosingPicture::Captured:
    return capturedFacts(*answer.curves);
  case ChoosingPicture::Circle:
    return circleFacts(*answer.circle);
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
  case ChoosingPicture::Budget:
    break;
  }
  return choiceFacts(spec, answer);
}

} // namespace attention::gui
