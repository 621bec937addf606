// What to see in the list of heads, in sentences (head_list.h).
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/heads/head_list.h"

#include <utility>

namespace attention {
namespace {

std::string rankText(const HeadListSpec& spec, const MeasuredHead& head, const HeadListLook& look,
                     double value) {
  const std::string name = capitalised(headName(head, look));
  const std::string number = readableNumber(value);
  const bool entropy = spec.order == HeadOrder::Entropy;
  return name + " ranks first: " +
         (entropy ? "the entropy of its weights is " + number + " nats on average."
                  : "on average " + number + " of its weight " + wordsOf(spec.order).where + ".");
}

// Where the least that is asked for hides all of them.
std::string noneText(const HeadListSpec& spec, const MeasuredHeads& heads,
                     const HeadListLook& look) {
  HeadListSpec all = spec;
  all.least = 0;
  all.rising = false;
  const std::vector<std::size_t> order = orderOf(all, heads);
  if (order.empty() || spec.least <= 0)
    return {};
  const MeasuredHead& first = heads[order.front()];
  const auto value = orderedBy(first, spec.order);
  const std::string none = "No head reaches " + readableNumber(spec.least);
  return value ? none + ": the largest value of “" + wordsOf(spec.order).heading + "” is " +
                     readableNumber(*value) + ", of " + headName(first, look) + "."
               : none + ".";
}

} // namespace

std::string firstText(const HeadListSpec& spec, const MeasuredHeads& heads,
                      const std::vector<std::size_t>& order, const HeadListLook& look) {
  if (spec.order == HeadOrder::Place)
    return {};
  if (order.empty())
    return noneText(spec, heads, look);
  const MeasuredHead& first = heads[order.front()];
  const auto value = orderedBy(first, spec.order);
  return value ? rankText(spec, first, look, *value) : std::string();
}

std::vector<std::string> readingOf(const HeadListSpec& spec, const MeasuredHeads& heads,
                                   const std::vector<std::size_t>& order,
                                   const HeadListLook& look) {
  std::vector<std::string> said;
  const auto left = std::ssize(heads) - std::ssize(order);
  if (left > 0)
    said.push_back(groupedDigits(left) + agreeing(left, " head is", " heads are") +
                   " filtered out.");
  if (std::string first = firstText(spec, heads, order, look); !first.empty())
    said.push_back(std::move(first));
  return said;
}

} // namespace attention
