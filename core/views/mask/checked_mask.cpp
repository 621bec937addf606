#include "core/views/mask/checked_mask.h"

#include "core/analysis/stack/models.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"

#include <algorithm>

namespace attention {
namespace {

bool isUsual(const Match& match) {
  return match.mechanism == "full" || match.mechanism == "causal";
}

void requireFew(const Lengths& lengths) {
  const Index longer = std::max(lengths.queries, lengths.keys);
  if (longer > kMostCheckedTokens)
    throwRange("n", std::to_string(longer),
               "at most " + std::to_string(kMostCheckedTokens) + " for a check");
}

IndexPair firstDifference(const Difference& against) {
  return {*against.firstRow, against.firstKey.value_or(0)};
}

std::string modelsPhrase(const std::vector<ModelWithLayer>& models) {
  if (models.empty())
    return {};
  const std::size_t others = models.size() - 1;
  return ", as in " + modelText(models.front()) +
         (others == 0 ? "" : " and " + countText(others, "other model"));
}

std::string differencePhrase(const CheckedMask& checked) {
  const auto& against = *checked.check.against;
  if (!against.firstRow)
    return "equal to " + checked.against;
  return "differs from " + checked.against + ": " + counted(against.onlyFirst, "cell") +
         " only in this mask, " + groupedDigits(against.onlySecond) + " only in the model, first " +
         cellText(firstDifference(against));
}

std::string futureSentence(const MaskReport& report) {
  if (!report.firstFuture)
    return "No query attends to a later key.";
  const std::string first = "query " + groupedDigits(report.firstFuture->first) + ", key " +
                            groupedDigits(report.firstFuture->second) + ".";
  if (report.futureCells == 1)
    return "One cell lies in the future: " + first;
  return groupedDigits(report.futureCells) + " cells lie in the future; the first is " + first;
}

} // namespace

CheckedMask checkedMask(const std::shared_ptr<const Prepared>& mask, const CheckSpec& spec,
                        const Run& run) {
  requireFew(mask->lengths());
  CheckedMask checked;
  MaskQuestion question;
  if (!spec.model.empty()) {
    const Stack stack = modelNamed(spec.model);
    question.against = maskOfLayer(stack, spec.layer, mask->lengths(), run.quiet());
    checked.against = "layer " + std::to_string(spec.layer) + " of " + stack.title;
    checked.layer = patternOfLayer(stack, spec.layer);
  }
  checked.check = checkMask(mask, question, partOf(run, 0, 0.95));
  if (const auto& matches = checked.check.matches; matches && !matches->empty())
    if (std::none_of(matches->begin(), matches->end(), isUsual))
      checked.models = modelsWith(matches->front());
  return checked;
}

std::string textOf(const Match& match) {
  return mechanismText({{"mechanism", match.mechanism}, {"params", match.params}});
}

std::string nameText(const CheckedMask& checked) {
  const auto& matches = checked.check.matches;
  if (!matches)
    return "not known: the mask is not square";
  return matches->empty() ? "none of the known patterns" : textOf(matches->front());
}

std::string modelText(const ModelWithLayer& of) {
  return of.title + (of.count == of.layers ? " (every layer)"
                                           : " (" + std::to_string(of.count) + " of " +
                                                 countText(of.layers, "layer") + ")");
}

std::string cellText(const IndexPair& cell) {
  return "(" + groupedDigits(cell.first) + ", " + groupedDigits(cell.second) + ")";
}

std::string countedFrom(Index count, const std::optional<IndexPair>& first) {
  return count == 0 || !first ? "none" : groupedDigits(count) + ", the first " + cellText(*first);
}

std::string indicesText(const std::vector<Index>& indices) {
  constexpr std::size_t kMost = 4;
  if (indices.empty())
    return "none";
  std::string text = groupedDigits(std::ssize(indices)) + ": ";
  for (std::size_t k = 0; k < std::min(indices.size(), kMost); ++k)
    text += (k == 0 ? "" : ", ") + groupedDigits(indices[k]);
  return text + (indices.size() > kMost ? ", …" : "");
}

std::string answerOf(const CheckedMask& checked) {
  const MaskReport& report = checked.check.report;
  std::string text = checked.check.matches
                         ? "equals " + nameText(checked) + modelsPhrase(checked.models) + " · "
                         : "";
  text += report.firstFuture ? counted(report.futureCells, "key") + " in the future, first " +
                                   cellText(*report.firstFuture)
                             : "no key in the future";
  if (!report.emptyRows.empty())
    text += " · " + counted(std::ssize(report.emptyRows), "query") + " without a key, first " +
            groupedDigits(report.emptyRows.front());
  return checked.check.against ? text + " · " + differencePhrase(checked) : text;
}

std::vector<std::string> readingOf(const CheckedMask& checked) {
  std::vector<std::string> sentences;
  const MaskCheck& check = checked.check;
  if (check.matches)
    sentences.push_back(check.matches->empty()
                            ? "This mask equals none of the known patterns."
                            : "This is " + nameText(checked) +
                                  (checked.models.empty()
                                       ? "."
                                       : ": as in " + modelText(checked.models.front()) + "."));
  sentences.push_back(futureSentence(check.report));
  if (!check.report.emptyRows.empty())
    sentences.push_back("Query " + groupedDigits(check.report.emptyRows.front()) +
                        " is the first that attends to nothing.");
  if (!check.against)
    return sentences;
  if (!check.against->firstRow)
    sentences.push_back("It equals " + checked.against + ".");
  else
    sentences.push_back("It differs from " + checked.against + " first at " +
                        cellText(firstDifference(*check.against)) + ".");
  return sentences;
}

} // namespace attention
