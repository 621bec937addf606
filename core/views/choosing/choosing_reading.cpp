// What to see in the pictures of the Choosing view, in sentences (choosing_figure.h).
#include "core/pattern/token_groups.h"
#include "core/support/number_text.h"
#include "core/views/choosing/choosing_figure.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

using Sentences = std::vector<std::string>;

// Neighbours in the sorted order that chunks separate although they are in one group.
Index cutGroups(const TokenGroups& groups, std::size_t round) {
  if (groups.chunk == 0)
    return 0;
  const GroupedTokens& of = groups.rounds[round].queries;
  const auto n = static_cast<Index>(of.order.size());
  const auto at = [&](Index rank) {
    return of.group[static_cast<std::size_t>(of.order[static_cast<std::size_t>(rank)])];
  };
  Index cut = 0;
  for (Index rank = groups.chunk; rank < n; rank += groups.chunk)
    cut += at(rank - 1) == at(rank) ? 1 : 0;
  return cut;
}

Sentences readGroups(const HashedTokens& tokens, std::size_t round) {
  Sentences said;
  const TokenGroups& groups = tokens.groups();
  const GroupSizes sizes = groupSizes(groups, round);
  const std::string name = tokens.groupName();
  if (sizes.groups > 1 && sizes.least == sizes.most) {
    said.push_back("Every " + name + " holds " + groupedDigits(sizes.most) + " of " +
                   counted(tokens.n(), "token") + ".");
  } else if (sizes.groups > 0) {
    const double mean = static_cast<double>(sizes.sum) / static_cast<double>(sizes.groups);
    said.push_back("The fullest is " + name + " " + std::to_string(sizes.fullest) + ": it holds " +
                   groupedDigits(sizes.most) + " of " + counted(tokens.n(), "token") + ", " +
                   readableNumber(static_cast<double>(sizes.most) / mean, 2) + " times the mean.");
  }
  if (const Index cut = cutGroups(groups, round); cut > 0)
    said.push_back("Chunk borders cut through a " + name + " at " + groupedDigits(cut) +
                   (cut == 1 ? " place" : " places") +
                   ". Chunks also look back, so that neighbours still meet.");
  if (groups.kind == GroupKind::Buckets && groups.rounds.size() > 1) {
    Index sum = 0;
    for (const Index pairs : tokens.partPairs)
      sum += pairs;
    said.push_back("The rounds have " + counted(sum, "pair") +
                   (sum == tokens.pairs
                        ? ", none of them twice."
                        : " in total, " + groupedDigits(tokens.pairs) + " of them distinct."));
  }
  if (std::string why = partedTokens(groups); !why.empty())
    said.push_back(std::move(why));
  return said;
}

Sentences readCaptured(const CapturedCurves& curves) {
  if (curves.points.empty())
    return {};
  const CapturedPoint* own = curves.at(curves.current);
  const CapturedPoint& of = own ? *own : curves.points.back();
  Sentences said;
  if (of.random > 0)
    said.push_back(
        "With " + sharePercent(of.share) + " of the pairs, " + groupsCounted(curves, of.count) +
        (of.count == 1 ? " keeps " : " keep ") + sharePercent(of.mass) + " of attention: " +
        (of.mass < of.random
             ? "less than the " + sharePercent(of.random) + " that the same number of"
             : readableNumber(of.mass / of.random, 2) + " times what the same number of") +
        (curves.others ? " other keys" : " keys") + ", chosen at random, would keep.");
  if (curves.others)
    said.push_back("Each query's own key, " + sharePercent(curves.ownMass) +
                   " of attention on average, is left out of both.");
  const CapturedPoint& first = curves.points.front();
  const CapturedPoint& last = curves.points.back();
  if (last.count > first.count)
    said.push_back("From " + groupsCounted(curves, first.count) + " to " +
                   groupsCounted(curves, last.count) + " the captured mass goes from " +
                   sharePercent(first.mass) + " to " + sharePercent(last.mass) +
                   " and the pairs from " + sharePercent(first.share) + " to " +
                   sharePercent(last.share) + ".");
  return said;
}

Sentences readCircle(const CircleAnswer& circle) {
  const auto rounds = static_cast<Index>(circle.rounds.size());
  Sentences said;
  for (std::size_t p = 0; p < circle.pairs.size(); ++p) {
    const CirclePair& pair = circle.pairs[p];
    const double share = circle.shareOf(p);
    said.push_back("Points " + readableNumber(pair.degrees, 3) + "° apart share a bucket in " +
                   sharePercent(share) + " of rounds; in " + groupedDigits(rounds) +
                   (rounds == 1 ? " round" : " rounds") +
                   " they share one at least once with probability " +
                   sharePercent(atLeastOnce(share, rounds)) + ".");
  }
  return said;
}

Sentences readChoosing(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  if (spec.picture == ChoosingPicture::Budget)
    return budgetReading(*answer.budget);
  return answer.chosen->isCache() ? cacheReading(*answer.chosen)
                                  : choiceReading(*answer.chosen, *answer.row);
}

} // namespace

std::string groupsCounted(const CapturedCurves& curves, Index count) {
  const std::string name = curves.kind == GroupKind::Buckets    ? "round"
                           : curves.kind == GroupKind::Clusters ? "cluster"
                                                                : "centroid";
  return groupedDigits(count) + " " + name + (count == 1 ? "" : "s");
}

std::vector<std::string> readingOf(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
  case ChoosingPicture::Matrices:
    return readGroups(*answer.tokens, answer.tokens->round(spec));
  case ChoosingPicture::Captured:
    return readCaptured(*answer.curves);
  case ChoosingPicture::Circle:
    return readCircle(*answer.circle);
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
  case ChoosingPicture::Budget:
    break;
  }
  return readChoosing(spec, answer);
}

} // namespace attention
