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

} // namespace

std::string firstText(const HeadListSpec& spec, const MeasuredHeads& heads,
                      const std::vector<std::size_t>& order, const HeadListLook& look) {
  if (order.empty() || spec.order == HeadOrder::Place)
    return {};
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
