#include "core/pattern/mechanism/composed.h"

#include "core/pattern/description_builder.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {

const Description& describe(const Compose&) {
  static const Description kDescription =
      DescriptionBuilder<Compose>("compose", "Compose", "Composed")
          .summary("Boolean algebra over patterns.")
          .source("Boolean algebra of masks")
          .definition({"S = S₁ ∪ S₂, S₁ ∩ S₂, S₁ ∖ S₂, ¬S, S₁ △ S₂"})
          .complexity("same as its operands")
          .choice(
              "op", &Compose::operation, "How the operands are combined",
              {{Operation::Union, "union", "∪", "Keys of at least one operand"},
               {Operation::Intersection, "intersection", "∩", "Keys of all operands"},
               {Operation::Difference, "difference", "∖",
                "Keys of the first operand and of no other"},
               {Operation::Complement, "complement", "¬", "Keys that its one operand leaves out"},
               {Operation::SymmetricDifference, "symmetric_difference", "△",
                "Keys of an odd number of operands"}})
          .required()
          .patterns("of", &Compose::of, "The operands")
          .build();
  return kDescription;
}

void checkLengths(const Compose& c, const Lengths& lengths) {
  for (const Pattern& pattern : c.of)
    check(pattern, lengths);
}

bool readsData(const Compose& c) {
  return std::any_of(c.of.begin(), c.of.end(), needsData);
}

std::shared_ptr<const Prepared> prepared(const Compose& c, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  if (c.of.empty())
    throw Error(ErrorCode::Type, "of", "of is an empty list; it must hold at least one operand");
  if (c.operation == Operation::Complement && c.of.size() != 1)
    throwRange("of", "a list of " + std::to_string(c.of.size()) + " operands",
               "a list of exactly one operand for complement");
  std::vector<std::shared_ptr<const Prepared>> operands;
  std::vector<std::string> names;
  for (const Pattern& pattern : c.of) {
    operands.push_back(prepare(pattern, lengths, data, run));
    names.push_back(shortText(pattern));
  }
  return compose(c.operation, std::move(operands), names);
}

} // namespace attention
