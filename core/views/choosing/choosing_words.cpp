// Titles, captions and sources of the pictures of groups (choosing_figure.h).
#include "core/pattern/pattern_title.h"
#include "core/pattern/token_groups.h"
#include "core/support/number_text.h"
#include "core/views/choosing/choosing_figure.h"

namespace attention {
namespace {

// "round 1 of 4", or nothing if there is only one.
std::string roundText(const HashedTokens& tokens, std::size_t round) {
  const std::size_t rounds = tokens.groups().rounds.size();
  return rounds < 2 ? "" : "round " + std::to_string(round) + " of " + std::to_string(rounds);
}

// Why clusters hold hardly any pairs: k-means over queries and keys together may separate them.
std::string partedWords(const TokenGroups& groups) {
  const std::string words = partedTokens(groups);
  return words.empty() ? words : " " + words;
}

// "16 tokens in 4 buckets of 3 to 5 tokens", "16 tokens in 3 of 4 buckets, of 2 to 8 tokens", of
// routes also "17 of 30 tokens in 5 centroids of 4 tokens (a token may be in several)".
std::string groupsCaption(const HashedTokens& tokens, std::size_t round) {
  const GroupSizes sizes = groupSizes(tokens.groups(), round);
  const Index all = tokens.groups().count;
  if (sizes.groups == 0)
    return counted(tokens.n(), "token") + " in no " + tokens.groupName();
  const std::string in = sizes.groups == all ? counted(all, tokens.groupName())
                                             : groupedDigits(sizes.groups) + " of " +
                                                   counted(all, tokens.groupName()) + ",";
  const std::string held = (sizes.least == sizes.most ? "" : groupedDigits(sizes.least) + " to ") +
                           counted(sizes.most, "token");
  const Index grouped = tokens.n() - sizes.none;
  const std::string some = sizes.none > 0 ? groupedDigits(grouped) + " of " : "";
  const char* several = sizes.sum > grouped ? " (a token may be in several)" : "";
  return some + counted(tokens.n(), "token") + " in " + in + " of " + held + several;
}

std::string sortingCaption(const ChoosingSpec& spec, const HashedTokens& tokens) {
  const TokenGroups& groups = tokens.groups();
  const std::size_t round = tokens.round(spec);
  std::string text = groupsCaption(tokens, round);
  if (const std::string of = roundText(tokens, round); !of.empty())
    text += ", " + of;
  if (groups.chunk > 0) {
    text += "; each chunk of " + groupedDigits(groups.chunk) + " sees itself";
    if (groups.before > 0)
      text += " and " + (groups.before == 1 ? std::string("the one before")
                                            : std::to_string(groups.before) + " before");
    if (groups.after > 0)
      text +=
          groups.after == 1 ? ", the one after" : ", " + std::to_string(groups.after) + " after";
    if (groups.wraps)
      text += ", wrapping around the end";
  }
  return text + "." + partedWords(groups);
}

std::string matricesCaption(const ChoosingSpec& spec, const HashedTokens& tokens) {
  const std::size_t round = tokens.round(spec);
  const std::size_t rounds = tokens.groups().rounds.size();
  std::string cells = counted(tokens.pairs, "pair");
  if (tokens.hasBuckets() && rounds > 1)
    cells = spec.joined ? counted(tokens.pairs, "pair") + " of all " + countText(rounds, "round")
                        : counted(tokens.partPairs[round], "pair") + " of round " +
                              std::to_string(round) + " only";
  return cells + ", coloured by the " +
         (tokens.byRounds(spec) ? "first round that shows them" : "query's " + tokens.groupName()) +
         (tokens.showsChunks() ? "; dotted: chunks." : ".") + partedWords(tokens.groups());
}

std::string capturedCaption(const CapturedCurves& curves) {
  const std::string base = wordOf(curves.base);
  std::string text = "Of " + base + " attention, mean over " + counted(curves.n, "query");
  text += curves.others
              ? "; dotted: what the same number of other keys, chosen at random, would capture."
              : "; dotted: what the same number of keys, chosen at random, would capture.";
  if (curves.others)
    text += " Each query's own key, which holds " + readableNumber(100 * curves.ownMass) +
            " % of it on average, is left out where there are others.";
  if (curves.kind == GroupKind::Buckets)
    text += " Fewer rounds are the first of many.";
  return text;
}

std::string circleCaption(const CircleAnswer& answer) {
  const std::string how = answer.spec.draw == AngularDraw::Rotation
                              ? "Each round turns both points by the same random angle; the "
                                "buckets are the four quarters around the axes."
                              : "Each round draws a Gaussian matrix; its columns and their "
                                "negatives are the directions of the buckets.";
  return how + " Points at " + readableNumber(answer.spec.far) + "° and at " +
         readableNumber(answer.spec.near) + "°; the curves are counted over 512 rounds.";
}

} // namespace

std::string choosingTitle(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
    return "Tokens sorted by " + answer.tokens->groupName() + ": " +
           titleText(answer.tokens->pattern);
  case ChoosingPicture::Matrices:
    return "Who attends to whom, in the original order and sorted by " + answer.tokens->groupName();
  case ChoosingPicture::Captured:
    return answer.curves->kind == GroupKind::Buckets
               ? "What hashing keeps of attention, round by round"
               : "What clusters keep of attention, against their number";
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    return choiceTitle(*answer.chosen, answer.look());
  case ChoosingPicture::Budget:
    return budgetTitle(*answer.budget);
  case ChoosingPicture::Circle:
    break;
  }
  return "Near points share a bucket more often than far ones";
}

std::string choosingCaption(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
    return sortingCaption(spec, *answer.tokens);
  case ChoosingPicture::Matrices:
    return matricesCaption(spec, *answer.tokens);
  case ChoosingPicture::Captured:
    return capturedCaption(*answer.curves);
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    return choiceCaption(*answer.chosen, answer.look());
  case ChoosingPicture::Budget:
    return budgetCaption(*answer.budget);
  case ChoosingPicture::Circle:
    break;
  }
  return circleCaption(*answer.circle);
}

std::string choosingSourceText(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  if (spec.picture == ChoosingPicture::Circle)
    return "After Kitaev et al. 2020, figure 1";
  if (isChoice(spec.picture))
    return description(answer.chosen ? answer.chosen->pattern : answer.budget->pattern).source;
  const GroupKind kind = spec.picture == ChoosingPicture::Captured ? answer.curves->kind
                                                                   : answer.tokens->groups().kind;
  switch (kind) {
  case GroupKind::Buckets:
    return spec.picture == ChoosingPicture::Captured ? "Kitaev et al. 2020, section 2"
                                                     : "After Kitaev et al. 2020, figure 2";
  case GroupKind::Routes:
    return "After Roy et al. 2020, figure 1";
  case GroupKind::Clusters:
    break;
  }
  return "Wang et al. 2021 (Cluster-Former); k-means of Lloyd 1982";
}

} // namespace attention
