// Compositions of patterns: union, intersection, difference, complement, symmetric difference
// (S4.18).
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/pattern.h"

namespace attention {

struct Compose {
  Operation operation = Operation::Union;
  std::vector<Pattern> of;

  Compose() = default;
  Compose(Operation o, std::vector<Pattern> operands) : operation(o), of(std::move(operands)) {}
  bool operator==(const Compose&) const = default;
};

const Description& describe(const Compose&);
void checkLengths(const Compose& compose, const Lengths& lengths); // checks the operands
bool readsData(const Compose& compose);                            // whether an operand does
// Only cells compose: the operands' own readings of their parts and keys (outputs.h) are dropped.
std::shared_ptr<const Prepared> prepared(const Compose& compose, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
